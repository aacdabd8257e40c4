/// What happens to tasks while they race.
enum Interruption: Sendable {
    case none
    /// All are cancelled, some before they start.
    case cancellation
    /// One throws, which cancels the others.
    case error
}

private struct Interrupted: Error {}

/// Runs `body` in `count` tasks at the same time and returns what those gave back that did not throw, with their numbers.
/// Without an interruption an error is thrown on.
func race<Outcome: Sendable>(
    _ count: Int, _ interruption: Interruption, _ body: @escaping @Sendable (Int) async throws -> Outcome
) async throws -> [(task: Int, outcome: Outcome)] {
    try await withThrowingTaskGroup(of: Result<(task: Int, outcome: Outcome), any Error>.self) { group in
        for task in 0..<count {
            group.addTask {
                do {
                    if interruption == .error, task == count / 2 { throw Interrupted() }
                    return .success((task, try await body(task)))
                } catch { return .failure(error) }
            }
            if interruption == .cancellation, task == count / 2 { group.cancelAll() }
        }
        var outcomes: [(task: Int, outcome: Outcome)] = []
        for try await result in group {
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
