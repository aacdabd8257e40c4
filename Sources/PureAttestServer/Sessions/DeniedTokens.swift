import PureAttest
import Synchronization

/// The denied session tokens that this process has seen: ended or consumed tokens, and tokens of revoked keys.
///
/// A denied token never becomes valid again, so a token in this table is rejected without a query to the store.
///
/// The table lists tokens, not keys, because a key may have other, valid tokens if a user ended only a stolen one.
final class DeniedTokens: Sendable {
    private struct State {
        var refusals: [[UInt8]: (refusal: Refusal, expiresAt: UnixTime)] = [:]
        /// When expired tokens were last deleted: at most once a second, because it visits all tokens.
        var swept: UnixTime?
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    var count: Int { state.withLock { $0.refusals.count } }

    /// Returns why the token was denied; `nil` if this table does not contain it.
    func refusal(of id: [UInt8]) -> Refusal? {
        state.withLock { $0.refusals[id]?.refusal }
    }

    /// Adds a token that the store denied. Its MAC is valid, so nobody can fill the table with invented tokens.
    ///
    /// A table full of unexpired tokens is emptied. A deleted token only costs one more query to the store, which
    /// denies it again. To cause a query with each request, an attacker must hold more than ``capacity`` unexpired
    /// denied tokens and present all of them in turn.
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
