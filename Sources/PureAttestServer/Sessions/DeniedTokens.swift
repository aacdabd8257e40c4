import PureAttest
import Synchronization

/// The session tokens that this process saw denied: ended, consumed, or of a revoked key.
///
/// A denied token never becomes valid again. A token in this table is therefore rejected without asking the store,
/// however often a client presents it.
///
/// The table lists tokens, not keys, because a key may have other tokens that stay valid. For example, a user may end
/// only the token that was stolen.
final class DeniedTokens: Sendable {
    private struct State {
        var refusals: [[UInt8]: (refusal: Refusal, expiresAt: UnixTime)] = [:]
        /// When a full table was last swept for expired tokens: at most once a second, because a sweep takes time
        /// proportional to its size.
        var swept: UnixTime?
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    var count: Int { state.withLock { $0.refusals.count } }

    /// Returns why the token was denied; `nil` if this table does not have it.
    func refusal(of id: [UInt8]) -> Refusal? {
        state.withLock { $0.refusals[id]?.refusal }
    }

    /// Remembers a token that the store denied. The token has a valid MAC, so nobody can fill the table with invented
    /// tokens.
    ///
    /// A table full of live tokens is emptied. Forgetting a token costs only one query to the store, which gives the
    /// same answer, and the token is remembered again. To make each request cost a query, an attacker must hold more
    /// live denied tokens than ``capacity`` and present all of them in turn.
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
