#if !hasFeature(Embedded)
    import PureAttest
    import PureKeyAttestation

    extension Refusal: CustomStringConvertible {
        /// One line for operators. The line has a bounded length regardless of the device's input, and contains no
        /// secrets.
        public var description: String {
            switch self {
            case .malformedRequest:
                "a field of the request is too long, or an identifier or challenge has the wrong length"
            case .rateLimited(let seconds): "rate limit reached; retry in \(seconds) s"
            case .enrolmentDeferred(let seconds?): "enrolment of new keys is deferred; retry in \(seconds) s"
            case .enrolmentDeferred(nil): "enrolment of new keys is deferred for this account"
            case .budgetSpent(let balance, let seconds):
                "budget exceeded: \(balance.remaining.requests) requests and \(balance.remaining.units) units left; it renews in \(seconds) s"
            case .challengeNotIssued:
                "the challenge was not issued by this server for these apps and this environment"
            case .challengeConsumed:
                "the challenge is already consumed, by this request or another one with the same challenge"
            case .challengeExpired: "the challenge has expired; request a new one"
            case .challengeOfOtherPurpose: "the challenge was issued for another purpose"
            case .challengeOfOtherKey: "the challenge was issued for another key"
            case .challengeOfOtherAccount: "the challenge was issued for another account"
            case .unknownKey: "the store has no such key"
            case .revokedKey: "the key was revoked"
            case .keyOfOtherAccount: "the key is registered for another account"
            case .keyOfOtherEnvironment(let environment): "the key is registered in the \(environment) environment"
            case .verification(let error): error.description
            case .keyAttestation(let error): error.description
            case .androidNotAccepted: "this server does not accept Android keys"
            case .revocationListMissing: "the list of revoked certificates is missing or stale"
            case .contended: "concurrent assertions of the same key won each attempt; retry"
            case .invalidToken: "session token was not issued by this server"
            case .expiredToken: "the session token has expired"
            case .tokenOfOtherEnvironment(let environment):
                "the session token belongs to the \(environment) environment"
            case .tokenOfOtherAudience: "the session token is for another app or service"
            case .deniedToken: "the session token was ended, or its key was revoked"
            case .tokenConsumed: "the single-use session token is already consumed"
            }
        }
    }
#endif
