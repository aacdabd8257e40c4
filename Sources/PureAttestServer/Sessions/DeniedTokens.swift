import PureAttest
import Synchronization

/// The denied session tokens that this process has seen: ended or consumed tokens, and tokens of revoked keys. A denied
/// token never becomes valid again, so a token in this table is rejected without a query to the store. The table lists
/// tokens, not keys. If a user ends a session because its token was stolen, other tokens of the same key stay valid.
final class DeniedTokens: Sendable {
    private struct State {
        var refusals: [[UInt8]: (refusal: Refusal, expiresAt: UnixTime)] = [:]
        /// The time of the last deletion of expired tokens. A deletion runs at most once a second, because it visits
        /// all tokens.
        var swept: UnixTime?
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    var count: Int { state.withLock { $0.refusals.count } }

    func refusal(of id: [UInt8]) -> Refusal? {
        state.withLock { $0.refusals[id]?.refusal }
    }

    /// Adds a token that the store denied. The token's MAC is valid, so nobody can fill the table with invented tokens.
    /// If the table is full of unexpired tokens, all of them are deleted. A deleted token costs only one more query to
    /// the store, which denies the token again. To cause a query with each request, an attacker must hold more than
    /// ``capacity`` unexpired denied tokens and present all of them in turn.
    func insert(_ id: [UInt8], until end: UnixTime, _ refusal: Refusal, at time: UnixTime) {
        state.withLock { state in
            if state.refusals.count >= capacity, state.swept != time {
                state.swept = time
                state.refusals = state.refusals.filter { $0.value.expiresAt > time }
            }
            if state.refusals.count >= capacity { state.refusals.removeAll(keepingCapacity: true) }
            state.refusals[id] = (refusal, end)
        }
    }
}
