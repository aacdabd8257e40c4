public import PureAttest
public import PureKeyAttestation

/// Why a request failed.
@nonexhaustive
public enum AttestServerError<StoreFailure: Error>: Error {
    /// The request is refused, for good.
    case refused(Refusal)
    /// The store is out of order; the request may be fine. Whether it took effect is not known.
    case store(StoreFailure)
}

extension AttestServerError: Equatable where StoreFailure: Equatable {}
extension AttestServerError: Hashable where StoreFailure: Hashable {}

/// Why a request is refused. For logs and operators; ``HTTPAnswer`` is for clients.
@nonexhaustive
public enum Refusal: Error, Hashable, Sendable {
    // MARK: Before anything is looked at

    /// A part of the request exceeds its limit, or an identifier does not have its length.
    case malformedRequest
    /// Too many requests of this key, account or client address; seconds to wait.
    case rateLimited(retryAfter: Int64)
    /// No new key may be made now; seconds to wait, if that is known (``Enrolment``).
    case enrolmentDeferred(retryAfter: Int64?)

    /// Nothing or too little is left of the budget of the key that has shown itself, or of its account's (``Budget``); seconds to the next
    /// period.
    case budgetSpent(BudgetBalance, retryAfter: Int64)

    // MARK: Challenge

    /// This server did not issue the challenge: not with these keys, or for other apps or the other environment.
    case challengeNotIssued
    /// The challenge was consumed: this request was accepted before, or another one with the same challenge.
    case challengeConsumed
    /// The challenge came back too late.
    case challengeExpired
    /// The challenge was issued for another purpose.
    case challengeOfOtherPurpose
    /// The challenge was issued for another key.
    case challengeOfOtherKey
    /// The challenge was issued for another account.
    case challengeOfOtherAccount

    // MARK: Key

    /// The store has no such key: the device shall attest a new one.
    case unknownKey
    /// The key was revoked.
    case revokedKey
    /// The key is registered for another account.
    case keyOfOtherAccount
    /// The key is registered in the other environment.
    case keyOfOtherEnvironment(Environment)
    /// The object does not verify.
    case verification(PureAttestError)
    /// The chain or the signature of an Android key does not verify.
    case keyAttestation(KeyAttestationError)
    /// This relying party has no ``AndroidVerification``.
    case androidNotAccepted
    /// The server has no list of revoked certificates that is new enough (``CurrentRevocationList``), so that no Android key can be
    /// registered.
    case revocationListMissing
    /// Other assertions of the same key got in between each time.
    case contended

    // MARK: Session

    /// The token is none of this server's: encoding, header, MAC, claims.
    case invalidToken
    /// The token's time is over.
    case expiredToken
    /// The token is of the other environment.
    case tokenOfOtherEnvironment(Environment)
    /// The token is of another app; of the unattested tier: of a service for other apps or of the other environment.
    case tokenOfOtherAudience
    /// The token was ended, or its key revoked.
    case deniedToken
    /// The token counts once (``SessionUse/once``) and was consumed before.
    case tokenConsumed
}

extension Refusal {
    /// Where a request was refused: a word of a fixed list, for metrics.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Sizes and lengths.
        case input
        /// Limits on requests.
        case limits
        /// Whether a new key may be made now.
        case enrolment
        /// The challenge.
        case challenge
        /// What the store knows of the key.
        case key
        /// The attestation or assertion itself; the error has Apple's step.
        case verification
        /// The session token.
        case session
    }

    /// Where the request was refused.
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
