/// The limiters of a relying party, one per `Limit`.
struct Limiters: Sendable {
    private let requestsPerClientAddress, enrolmentsPerAccount, enrolmentsPerClientAddress: RateLimiter
    private let failuresPerAccount, authenticationsPerKey, sessionRequestsPerKey: RateLimiter
    private let unattestedRequestsPerClientAddress, enrolmentRate: RateLimiter

    init(_ configuration: RelyingPartyConfiguration) {
        func limiter(_ limit: Limit, capacity: Int = configuration.limits.capacity) -> RateLimiter {
            RateLimiter(configuration.rate(of: limit), capacity: capacity)
        }
        requestsPerClientAddress = limiter(.requestsPerClientAddress)
        enrolmentsPerAccount = limiter(.enrolmentsPerAccount)
        enrolmentsPerClientAddress = limiter(.enrolmentsPerClientAddress)
        failuresPerAccount = limiter(.failuresPerAccount)
        authenticationsPerKey = limiter(.authenticationsPerKey)
        sessionRequestsPerKey = limiter(.sessionRequestsPerKey)
        unattestedRequestsPerClientAddress = limiter(.unattestedRequestsPerClientAddress)
        enrolmentRate = limiter(.enrolmentRate, capacity: 1)
    }

    private subscript(_ limit: Limit) -> RateLimiter {
        switch limit {
        case .requestsPerClientAddress: requestsPerClientAddress
        case .enrolmentsPerAccount: enrolmentsPerAccount
        case .enrolmentsPerClientAddress: enrolmentsPerClientAddress
        case .enrolmentRate: enrolmentRate
        case .failuresPerAccount: failuresPerAccount
        case .authenticationsPerKey: authenticationsPerKey
        case .sessionRequestsPerKey: sessionRequestsPerKey
        case .unattestedRequestsPerClientAddress: unattestedRequestsPerClientAddress
        }
    }

    func answer(_ question: LimitQuestion) -> Int64? {
        let limiter = self[question.limit]
        switch question.action {
        case .check: return limiter.check(question.name, at: question.time)
        case .admit: return limiter.admit(question.name, at: question.time)
        case .giveBack:
            limiter.giveBack(question.name, at: question.time)
            return nil
        }
    }

    func run<Value>(_ decision: LimitDecision<Value>) throws(Refusal) -> Value {
        var decision = decision
        while true {
            switch decision {
            case .accepted(let value): return value
            case .limit(let question, let then): decision = try then(answer(question))
            }
        }
    }
}
