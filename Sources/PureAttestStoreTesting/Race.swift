/// An interruption of racing tasks.
enum Interruption: Sendable {
    case none
    /// Cancels all tasks. Three of every four are cancelled before they start. The fourth may already be running.
    case cancellation
    /// One task throws, which cancels the others.
    case error
}

private struct Interrupted: Error {}

/// Runs `body` in `count` concurrent tasks. Returns the number and result of each task that did not throw. Without an
/// interruption, rethrows the first error.
func race<Outcome: Sendable>(
    _ count: Int, _ interruption: Interruption, _ body: @escaping @Sendable (Int) async throws -> Outcome
) async throws -> [(task: Int, outcome: Outcome)] {
    try await withThrowingTaskGroup(of: (task: Int, outcome: Outcome).self) { group in
        for task in 0..<count {
            group.addTask {
                if interruption == .error, task == count / 2 { throw Interrupted() }
                guard interruption == .cancellation, task % 4 != 3 else { return (task, try await body(task)) }
                return (task, try await cancelled { try await body(task) })
            }
            if interruption == .cancellation, task == count / 2 { group.cancelAll() }
        }
        var outcomes: [(task: Int, outcome: Outcome)] = []
        while let result = await group.nextResult() {
            switch result {
            case .success(let outcome): outcomes.append(outcome)
            case .failure(let error):
                guard interruption != .none else { throw error }
                group.cancelAll()
            }
        }
        return outcomes
    }
}

/// Runs `body` in a task that is cancelled before it starts.
private func cancelled<Outcome: Sendable>(
    _ body: @escaping @Sendable () async throws -> Outcome
) async throws -> Outcome {
    try await withThrowingTaskGroup(of: Outcome.self) { group in
        group.cancelAll()
        group.addTask(operation: body)
        guard let outcome = try await group.next() else { throw CancellationError() }
        return outcome
    }
}
