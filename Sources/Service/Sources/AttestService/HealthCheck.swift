import AttestMiddleware
import PureAttestServer
import Synchronization

/// Asks the store whether it answers, for all requests together: once a second at most, and never twice at a time.
package final class HealthCheck: Sendable {
    private struct State {
        /// Its value is there within ``HealthCheck/patience``, whatever the store does.
        var answer: (task: Task<Bool, Never>, askedAt: ContinuousClock.Instant)?
        var isAsking = false
    }

    /// How old an answer may be, and how long a request waits for one.
    private static let patience = Duration.seconds(1)

    private let ask: @Sendable () async -> Bool
    private let state = Mutex(State())

    /// - Parameter ask: a call of the store; `false` if the store does not answer it.
    package init(ask: @escaping @Sendable () async -> Bool) { self.ask = ask }

    /// Whether the store answered within the last second; `false` while it takes longer.
    package func isHealthy() async -> Bool {
        let task: Task<Bool, Never>? = state.withLock { state in
            let now = ContinuousClock.now
            if let answer = state.answer, now - answer.askedAt < Self.patience { return answer.task }
            // A call that hangs: no second one, and nobody waits for it.
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

/// The store does not answer.
struct StoreUnavailable: Answerable {
    func answer(_ policy: AnswerPolicy) -> HTTPAnswer { AttestServerError<StoreUnavailable>.store(self).answer(policy) }
}
