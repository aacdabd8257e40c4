import PureAttest
import PureKeyAttestation

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
        case .challengeNotIssued, .challengeSpent, .challengeExpired, .challengeOfOtherPurpose, .challengeOfOtherKey,
            .challengeOfOtherAccount:
            .challenge
        case .unknownKey, .revokedKey, .keyOfOtherAccount: .key
        case .verification, .keyAttestation, .revocationListMissing: .verification
        case .androidNotAccepted: .input
        case .invalidToken, .expiredToken, .tokenOfOtherEnvironment, .tokenOfOtherAudience, .deniedToken,
            .tokenConsumed:
            .session
        }
    }
}

extension Refusal: CustomStringConvertible {
    /// One line for operators, bounded, whatever a device sent, and without anything secret.
    public var description: String {
        switch self {
        case .malformedRequest: "a field of the request is too long, or an identifier or challenge has the wrong length"
        case .rateLimited(let seconds): "rate limit reached; retry in \(seconds) s"
        case .enrolmentDeferred(let seconds?): "enrolment of new keys is deferred; retry in \(seconds) s"
        case .enrolmentDeferred(nil): "enrolment of new keys is deferred for this account"
        case .budgetSpent(let balance, let seconds):
            "budget exceeded: \(balance.left.requests) requests and \(balance.left.units) units left; it renews in \(seconds) s"
        case .challengeNotIssued:
            "the challenge was not issued by this server for these apps and this environment"
        case .challengeSpent:
            "the challenge is already consumed, by this request or another one with the same challenge"
        case .challengeExpired: "the challenge has expired; request a new one"
        case .challengeOfOtherPurpose: "the challenge was issued for another purpose"
        case .challengeOfOtherKey: "the challenge was issued for another key"
        case .challengeOfOtherAccount: "the challenge was issued for another account"
        case .unknownKey: "the store has no such key"
        case .revokedKey: "the key was revoked"
        case .keyOfOtherAccount: "the key is registered for another account"
        case .verification(let error): error.description
        case .keyAttestation(let error): error.description
        case .androidNotAccepted: "this server does not accept Android keys"
        case .revocationListMissing: "the list of revoked certificates is missing or stale"
        case .contended: "concurrent assertions of the same key won each attempt; retry"
        case .invalidToken: "session token was not issued by this server"
        case .expiredToken: "the session token has expired"
        case .tokenOfOtherEnvironment(let environment): "the session token belongs to the \(environment) environment"
        case .tokenOfOtherAudience: "the session token is for another app or service"
        case .deniedToken: "the session token was ended, or its key was revoked"
        case .tokenConsumed: "the single-use session token is already consumed"
        }
    }
}

extension AttestServerError: CustomStringConvertible {
    /// One line for operators: a refusal's, or up to 500 bytes of what the store says.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .store(let error):
            "the store failed: \(String(decoding: "\(error)".utf8.prefix(500), as: UTF8.self))"
        }
    }
}

extension RelyingPartyDecision: CustomStringConvertible {
    /// What was asked, how long it took and the first four bytes of the key; not the account.
    public var description: String {
        let digits = (keyID ?? []).prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let key = keyID == nil ? "no key" : "key \(digits)…"
        return "\(operation.rawValue), \(key), \(duration)"
    }
}
