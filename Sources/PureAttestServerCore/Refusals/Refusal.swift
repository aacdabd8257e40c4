public import PureAttest
public import PureKeyAttestation

/// The reason why a request is rejected, for logs and operators. Clients get an ``HTTPAnswer``.
@nonexhaustive
public enum Refusal: Error, Hashable, Sendable {
    // MARK: Before verification

    /// A part of the request exceeds its size limit, or an identifier has the wrong length.
    case malformedRequest
    /// The key, account or client address sent too many requests; the value is the wait in seconds.
    case rateLimited(retryAfter: Int64)
    /// The device may not enrol a new key now; the value is the wait in seconds, if it is known (``Enrolment``).
    case enrolmentDeferred(retryAfter: Int64?)

    /// The remaining ``Budget`` of the authenticated key, or of its account, is too small. The second value is the
    /// number of seconds until the next period.
    case budgetSpent(BudgetBalance, retryAfter: Int64)

    // MARK: Challenge

    /// This server did not issue the challenge. The challenge is forged, or it was issued by a server with other
    /// session keys, other apps or the other environment.
    case challengeNotIssued
    /// An earlier delivery of this request, or a different request with this challenge, consumed the challenge.
    case challengeConsumed
    /// The challenge has expired.
    case challengeExpired
    /// The challenge was issued for a different purpose.
    case challengeOfOtherPurpose
    /// The challenge was issued for a different key.
    case challengeOfOtherKey
    /// The challenge was issued for a different account.
    case challengeOfOtherAccount

    // MARK: Key

    /// The store has no such key. The device should attest a new key.
    case unknownKey
    /// The key was revoked.
    case revokedKey
    /// The key is registered for a different account.
    case keyOfOtherAccount
    /// The key is registered in the other environment.
    case keyOfOtherEnvironment(Environment)
    /// The attestation, assertion or receipt does not verify.
    case verification(PureAttestError)
    /// The chain or the signature of an Android key does not verify.
    case keyAttestation(KeyAttestationError)
    /// This relying party has no ``AndroidVerification``.
    case androidNotAccepted
    /// The server has no fresh list of revoked certificates (`CurrentRevocationList`), so it registers no Android key.
    case revocationListMissing
    /// Concurrent assertions of the same key won the compare-and-set in every attempt.
    case contended

    // MARK: Session

    /// This server did not issue the token. The token's encoding, header, MAC or claims are not valid.
    case invalidToken
    /// The token has expired.
    case expiredToken
    /// The token is for the other environment.
    case tokenOfOtherEnvironment(Environment)
    /// The token is for a different app. If the token is of the unattested tier, it is for a service with other apps or
    /// the other environment.
    case tokenOfOtherAudience
    /// The token's session was ended, or its key was revoked.
    case deniedToken
    /// The single-use token (``SessionUse/once``) was consumed before.
    case tokenConsumed
}

extension Refusal {
    /// The step that rejected a request, as one of a fixed list of values for metrics.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Sizes, lengths and the accepted platforms.
        case input
        /// Rate limits, contention and budgets.
        case limits
        /// The enrolment of new keys.
        case enrolment
        /// The challenge.
        case challenge
        /// The key's record in the store.
        case key
        /// The attestation or assertion itself. The error names the step of Apple's validation procedure.
        case verification
        /// The session token.
        case session
    }

    /// The step that rejected the request.
    public var step: Step {
        switch self {
        case .malformedRequest: .input
        case .rateLimited, .contended, .budgetSpent: .limits
        case .enrolmentDeferred: .enrolment
        case .challengeNotIssued, .challengeConsumed, .challengeExpired, .challengeOfOtherPurpose, .challengeOfOtherKey,
            .challengeOfOtherAccount:
            .challenge
        case .unknownKey, .revokedKey, .keyOfOtherAccount, .keyOfOtherEnvironment: .key
        case .verification, .keyAttestation, .revocationListMissing: .verification
        case .androidNotAccepted: .input
        case .invalidToken, .expiredToken, .tokenOfOtherEnvironment, .tokenOfOtherAudience, .deniedToken,
            .tokenConsumed:
            .session
        }
    }
}
