/// The limiters of a relying party, one per `Limit`.
struct Limiters: Sendable {
    private let limiters: [Limit: RateLimiter]

    init(_ configuration: RelyingPartyConfiguration) {
        limiters = Dictionary(
            uniqueKeysWithValues: Limit.allCases.map { limit in
                // The enrolment rate has one bucket for all requests.
                let capacity = limit == .enrolmentRate ? 1 : configuration.limits.capacity
                return (limit, RateLimiter(configuration.rate(of: limit), capacity: capacity))
            })
    }

    func answer(_ question: LimitQuestion) -> Int64? {
        // Every limit has a limiter, so the force unwrap cannot trap. Optional chaining would return `nil`, which
        // admits a request.
        let limiter = limiters[question.limit]!
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
