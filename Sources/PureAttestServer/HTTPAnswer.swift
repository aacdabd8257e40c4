import PureAttest

/// How much a client learns of a refusal.
public enum AnswerPolicy: Hashable, Sendable {
    /// Unknown keys, replays and refusals are told apart, so that a device that the server forgot attests again by itself.
    case precise
    /// One answer for everything but excess, enrolment and outage, against enumeration of keys. A client then attests again, once,
    /// after any refusal. A key that is unknown, or of another environment, platform or app, takes as long as a known one, apart from
    /// the store's own time and from keys that are not of the kind that most are: under ``RelyingPartyConfiguration/PublicKeyMultiples/fromFirstAssertion`` those that have not signed yet.
    case uniform
}

/// What to tell a client: an HTTP status and one word.
public struct HTTPAnswer: Hashable, Sendable {
    /// The word for the response's body.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Wipe the key identifier and attest a new key, once.
        case unknownKey
        /// Nothing the client can repair.
        case refused
        /// Ask for a new challenge: this one has expired, or is of a former key or deployment. The answer does not say whether an earlier
        /// delivery of the same request was accepted, so a signed request is not signed again without asking the user.
        case replay
        /// The challenge, or the token that counts once, was consumed before: this very request was accepted, or another one with the same
        /// challenge or token. Do not sign it again; ask whether it took effect.
        case consumed
        /// The server accepted a later assertion of the key first. This request was not accepted and never will be: sign it again with
        /// a new challenge.
        case overtaken
        /// Wait.
        case tooManyRequests
        /// Too little is left of the device's budget: wait for the next period, or ask for less.
        case budgetSpent
        /// Make no new key now: use the unattested tier, and ask again after a while, or a day later.
        case enrolLater
        /// Repeat later and change nothing: the key is fine.
        case serverUnavailable
    }

    /// The status (RFC 9110 §15; 429: RFC 6585 §4).
    public let status: Int
    /// The word.
    public let code: Code
    /// Seconds for the header `Retry-After`.
    public let retryAfter: Int64?
    /// What is left of the budget, under ``Code/budgetSpent``: for the device whose own it is, as it has shown itself.
    public let balance: BudgetBalance?

    init(status: Int, code: Code, retryAfter: Int64?, balance: BudgetBalance? = nil) {
        self.status = status
        self.code = code
        self.retryAfter = retryAfter
        self.balance = balance
    }
}

extension AttestServerError {
    /// The answer for a client.
    public func answer(_ policy: AnswerPolicy) -> HTTPAnswer {
        switch self {
        case .refused(let refusal): refusal.answer(policy)
        case .store: HTTPAnswer(status: 503, code: .serverUnavailable, retryAfter: nil)
        }
    }
}

extension Refusal {
    /// The answer for a client.
    public func answer(_ policy: AnswerPolicy) -> HTTPAnswer {
        switch (self, policy) {
        case (.rateLimited(let seconds), _): HTTPAnswer(status: 429, code: .tooManyRequests, retryAfter: seconds)
        case (.enrolmentDeferred(let seconds), _): HTTPAnswer(status: 429, code: .enrolLater, retryAfter: seconds)
        case (.budgetSpent(let balance, let seconds), _):
            HTTPAnswer(status: 429, code: .budgetSpent, retryAfter: seconds, balance: balance)
        case (.revocationListMissing, _): HTTPAnswer(status: 503, code: .serverUnavailable, retryAfter: nil)
        case (.contended, _): HTTPAnswer(status: 429, code: .tooManyRequests, retryAfter: 1)
        case (_, .uniform): HTTPAnswer(status: 401, code: .refused, retryAfter: nil)
        case (_, .precise) where isRepairedByAttesting: HTTPAnswer(status: 401, code: .unknownKey, retryAfter: nil)
        case (.challengeConsumed, .precise), (.tokenConsumed, .precise):
            HTTPAnswer(status: 409, code: .consumed, retryAfter: nil)
        case (_, .precise) where isOvertaken: HTTPAnswer(status: 409, code: .overtaken, retryAfter: nil)
        case (.challengeExpired, .precise), (.challengeNotIssued, .precise):
            HTTPAnswer(status: 409, code: .replay, retryAfter: nil)
        case (_, .precise): HTTPAnswer(status: 401, code: .refused, retryAfter: nil)
        }
    }

    /// Whether the device may be accepted with a new key: the server does not know this one, or what was known when it was attested,
    /// its age or its counter is what the policies refuse.
    private var isRepairedByAttesting: Bool {
        switch self {
        case .unknownKey, .verification(.keyTooOld), .verification(.systemVersionNotAllowed),
            .verification(.systemBuildNotAllowed), .verification(.prereleaseNotAllowed),
            .verification(.counterStepTooLarge):
            true
        default: false
        }
    }

    /// Whether the device signed, and the server accepted a later assertion of the key first.
    /// `RelyingParty.overtaken` proves what the word ``HTTPAnswer/Code/overtaken`` promises.
    var isOvertaken: Bool {
        switch self {
        case .verification(.counterNotIncreased), .verification(.counterReplayed): true
        default: false
        }
    }
}

extension RelyingParty {
    /// The answer for a client to whatever a call of this relying party throws, as precise as its configuration says; `nil` for an error of
    /// another kind, which is the server's own to answer.
    public func answer(to error: any Error) -> HTTPAnswer? {
        switch error {
        case let failure as Failure: failure.answer(configuration.answerPolicy)
        case let refusal as Refusal: refusal.answer(configuration.answerPolicy)
        default: nil
        }
    }
}
