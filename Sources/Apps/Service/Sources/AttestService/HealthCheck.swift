import AttestMiddleware
import PureAttestServer
import Synchronization

/// Checks whether the store answers. All requests share the check. It calls the store at most once a second, and never
/// makes two calls at the same time.
package final class HealthCheck: Sendable {
    private struct State {
        /// The task ends within ``HealthCheck/patience``, even if the store hangs.
        var answer: (task: Task<Bool, Never>, askedAt: ContinuousClock.Instant)?
        var isAsking = false
    }

    /// The maximum age of an answer, and the maximum wait of a request.
    private static let patience = Duration.seconds(1)

    private let ask: @Sendable () async -> Bool
    private let state = Mutex(State())

    /// - Parameter ask: calls the store; returns `false` if the store does not answer.
    package init(ask: @escaping @Sendable () async -> Bool) { self.ask = ask }

    /// Returns the store's answer of the last second, or asks the store. Returns `false` while a call takes longer than
    /// a second.
    package func isHealthy() async -> Bool {
        let task: Task<Bool, Never>? = state.withLock { state in
            let now = ContinuousClock.now
            if let answer = state.answer, now - answer.askedAt < Self.patience { return answer.task }
            if state.isAsking { return nil }
            let task = begin()
            (state.answer, state.isAsking) = ((task, now), true)
            return task
        }
        return await task?.value ?? false
    }

    private func begin() -> Task<Bool, Never> {
        let (answers, answer) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingOldest(1))
        Task {
            answer.yield(await ask())
            state.withLock { $0.isAsking = false }
        }
        return Task {
            let timer = Task {
                try await Task.sleep(for: Self.patience)
                answer.yield(false)
            }
            defer { timer.cancel() }
            for await first in answers { return first }
            return false
        }
    }
}

struct StoreUnavailable: Answerable {
    func answer(_ policy: AnswerPolicy) -> HTTPAnswer { AttestServerError<StoreUnavailable>.store(self).answer(policy) }
}
