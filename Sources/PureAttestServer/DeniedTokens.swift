import PureAttest
import Synchronization

/// The session tokens that this process saw denied: ended, consumed, or of a revoked key. None of them ever becomes good again, so that a
/// token which is in here is refused without asking the store, and presenting it again and again costs the store nothing.
///
/// Names tokens and not keys: a stolen token that was ended says nothing about the other tokens of its key.
final class DeniedTokens: Sendable {
    private struct State {
        var refusals: [[UInt8]: (refusal: Refusal, expiresAt: UnixTime)] = [:]
        /// When a full table was last searched for expired tokens: at most once a second, as that takes time in proportion to its size.
        var swept: UnixTime?
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    var count: Int { state.withLock { $0.refusals.count } }

    /// Why the token was denied; `nil` if this process has not seen that, or not kept it.
    func refusal(of token: SessionToken) -> Refusal? {
        state.withLock { $0.refusals[token.id]?.refusal }
    }

    /// Remembers a token that the store denied; `token` has a valid MAC, so that nobody fills the table with inventions.
    ///
    /// A table that is full of live tokens is emptied. That is right because forgetting a token costs one question to the store and no
    /// more: the answer is the same, and the token is remembered anew. To make each request cost a question, an attacker needs more
    /// denied tokens than ``capacity`` that live at the same time, and has to present all of them in turn.
    func insert(_ token: SessionToken, _ refusal: Refusal, at time: UnixTime) {
        state.withLock { state in
            if state.refusals.count >= capacity, state.swept != time {
                state.swept = time
                state.refusals = state.refusals.filter { $0.value.expiresAt > time }
            }
            if state.refusals.count >= capacity { state.refusals.removeAll(keepingCapacity: true) }
            state.refusals[token.id] = (refusal, token.expiresAt)
        }
    }
}
