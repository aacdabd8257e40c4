import PureAttest

/// The amount of detail that clients get about a rejection.
public enum AnswerPolicy: Hashable, Sendable, CaseIterable {
    /// Distinguishes unknown keys, replays and other rejections. A device whose key the server lost can therefore
    /// attest a new key.
    case precise
    /// Gives the same answer for every rejection, so that clients cannot enumerate keys. Limits, budgets, deferred
    /// enrolment and outages keep their own answers. A client cannot recognise that the server lost its key. So after a
    /// rejection, the client attests a new key, but only once. Rejecting an unknown key, or a key of another
    /// environment, platform or app, takes as long as rejecting a known key. Two timing differences remain: the
    /// response time of the store, and the time to verify with uncommon kinds of keys. Under
    /// ``RelyingPartyConfiguration/PublicKeyMultiples/fromFirstAssertion``, keys that have not signed yet are uncommon.
    case uniform
}

/// The answer for a client: an HTTP status and a code word.
public struct HTTPAnswer: Hashable, Sendable {
    /// The word for the response's body.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Delete the key identifier and attest a new key, once.
        case unknownKey
        /// The client cannot repair the request.
        case refused
        /// Request a new challenge. The challenge has expired, or was issued with a different session key or by a
        /// different deployment. An earlier delivery of the request may have been accepted, so ask the user before you
        /// re-sign the request.
        case replay
        /// The challenge or single-use token was consumed before. The server accepted an earlier delivery of this
        /// request, or another request with the same challenge or token. Do not re-sign the request; find out whether
        /// it took effect.
        case consumed
        /// The server accepted a later assertion of the key first. This request was not accepted and never will be, so
        /// re-sign it with a new challenge.
        case overtaken
        /// Wait, then repeat.
        case tooManyRequests
        /// The device's remaining budget is too small. Wait for the next period, or request fewer units.
        case budgetSpent
        /// Do not enrol a new key now. Use the unattested tier, and ask again after `retryAfter` seconds, or a day
        /// later if `retryAfter` is missing.
        case enrolLater
        /// Repeat the same request later. The key is valid.
        case serverUnavailable
    }

    /// The status (RFC 9110 §15; 429: RFC 6585 §4).
    public let status: Int
    /// The code word.
    public let code: Code
    /// The value of the header `Retry-After`, in seconds.
    public let retryAfter: Int64?
    /// The remaining budget, set only with ``Code/budgetSpent``. Only the authenticated device learns the balance.
    public internal(set) var balance: BudgetBalance?

    /// The answer while the store or the revocation list is unavailable.
    package static let unavailable = HTTPAnswer(status: 503, code: .serverUnavailable, retryAfter: nil)

    /// The answer if a concurrent request won the compare-and-set in every attempt.
    package static let retryLater = HTTPAnswer(status: 429, code: .tooManyRequests, retryAfter: 1)
    /// The answer to a rejected purchase. The client's key and session stay valid.
    package static let purchaseRefused = HTTPAnswer(status: 422, code: .refused, retryAfter: nil)
}

extension Refusal {
    /// Returns the answer for a client.
    public func answer(_ policy: AnswerPolicy) -> HTTPAnswer {
        let refused = HTTPAnswer(status: 401, code: .refused, retryAfter: nil)
        return switch (self, policy) {
        case (.rateLimited(let seconds), _): HTTPAnswer(status: 429, code: .tooManyRequests, retryAfter: seconds)
        case (.enrolmentDeferred(let seconds), _): HTTPAnswer(status: 429, code: .enrolLater, retryAfter: seconds)
        case (.budgetSpent(let balance, let seconds), _):
            HTTPAnswer(status: 429, code: .budgetSpent, retryAfter: seconds, balance: balance)
        case (.revocationListMissing, _): .unavailable
        case (.contended, _): .retryLater
        case (_, .uniform): refused
        case (_, .precise) where isRepairedByAttesting: HTTPAnswer(status: 401, code: .unknownKey, retryAfter: nil)
        case (.challengeConsumed, .precise), (.tokenConsumed, .precise):
            HTTPAnswer(status: 409, code: .consumed, retryAfter: nil)
        case (_, .precise) where isOvertaken: HTTPAnswer(status: 409, code: .overtaken, retryAfter: nil)
        case (.challengeExpired, .precise), (.challengeNotIssued, .precise):
            HTTPAnswer(status: 409, code: .replay, retryAfter: nil)
        case (_, .precise): refused
        }
    }

    /// Whether the server may accept the device with a new key. The server does not know this key, or a policy rejects
    /// the key's age, its counter or the system on which the device attested it.
    private var isRepairedByAttesting: Bool {
        switch self {
        case .unknownKey, .verification(.keyTooOld), .verification(.systemVersionNotAllowed),
            .verification(.systemBuildNotAllowed), .verification(.prereleaseNotAllowed),
            .verification(.counterStepTooLarge):
            true
        default: false
        }
    }

    /// Whether the device signed, but the server accepted a later assertion by the key first. `refuseOvertaken` proves
    /// what ``HTTPAnswer/Code/overtaken`` promises.
    var isOvertaken: Bool {
        switch self {
        case .verification(.counterNotIncreased), .verification(.counterReplayed): true
        default: false
        }
    }
}
