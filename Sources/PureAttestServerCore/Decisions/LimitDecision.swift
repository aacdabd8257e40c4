public import PureAttest

/// A question about a limit. The shell answers with the seconds to wait, or `nil` if the request is within the limit.
public struct LimitQuestion: Hashable, Sendable {
    /// The action on the allowance.
    public enum Action: Hashable, Sendable {
        /// Answer without consuming a request from the allowance.
        case check
        /// Consume one request from the allowance, if any is left.
        case admit
        /// Return the request that ``admit`` consumed, and answer `nil`.
        case giveBack
    }

    /// The action on the allowance.
    public let action: Action
    /// The limit.
    public let limit: Limit
    /// The key, account or client address that the limit counts.
    public let name: [UInt8]
    /// Now.
    public let time: UnixTime
}

/// A decision that needs only limits. A ``Decision`` also needs a store. `LimitDecision` is a separate type so that a
/// shell can run it synchronously.
public indirect enum LimitDecision<Value> {
    /// The request is accepted.
    case accepted(Value)
    /// Asks a limit, and continues with the answer.
    case limit(LimitQuestion, (Int64?) throws(Refusal) -> LimitDecision)

    func then<Next>(
        _ next: @escaping (Value) throws(Refusal) -> LimitDecision<Next>
    ) throws(Refusal) -> LimitDecision<Next> {
        switch self {
        case .accepted(let value): try next(value)
        case .limit(let question, let answered):
            .limit(question) { wait throws(Refusal) in try answered(wait).then(next) }
        }
    }

    func then<Next>(
        _ next: @escaping (Value) throws(Refusal) -> Decision<Next>
    ) throws(Refusal) -> Decision<Next> {
        switch self {
        case .accepted(let value): try next(value)
        case .limit(let question, let answered):
            .limit(question) { wait throws(Refusal) in try answered(wait).then(next) }
        }
    }
}

extension LimitDecision<Void> {
    /// Consumes a request from the allowance of `name`. Accepts every request if `name` is `nil`.
    static func admit(_ name: [UInt8]?, by limit: Limit, at time: UnixTime) -> LimitDecision {
        ask(.admit, name, limit, time)
    }

    /// Rejects the request if the allowance of `name` is used up. Consumes nothing.
    static func check(_ name: [UInt8]?, by limit: Limit, at time: UnixTime) -> LimitDecision {
        ask(.check, name, limit, time)
    }

    static func giveBack(_ name: [UInt8]?, to limit: Limit, at time: UnixTime) -> LimitDecision {
        ask(.giveBack, name, limit, time)
    }

    private static func ask(
        _ action: LimitQuestion.Action, _ name: [UInt8]?, _ limit: Limit, _ time: UnixTime
    ) -> LimitDecision {
        guard let name else { return .accepted(()) }
        return .limit(LimitQuestion(action: action, limit: limit, name: name, time: time)) { wait throws(Refusal) in
            if let wait { throw limit.refusal(retryAfter: wait) }
            return .accepted(())
        }
    }
}
