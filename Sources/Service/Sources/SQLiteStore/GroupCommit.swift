import Foundation
import Synchronization

/// Writes of concurrent calls in common transactions: while one waits for the disk, those that come meanwhile gather for the next, so
/// that a wait is shared by as many as there are and none waits for more than two.
///
/// Each write has a savepoint of its own: one that fails takes nothing of the others back. None is told that it is done before the
/// transaction is.
///
/// Unchecked: `connection` is used in `queue` alone.
final class GroupCommit: @unchecked Sendable {
    private struct Write: Sendable {
        /// Runs the write within a transaction; what it returns tells the caller.
        let run: @Sendable (SQLiteConnection) -> Tell
        /// Tells the caller that there was none.
        let fail: @Sendable (SQLiteFailure) -> Void
    }

    /// To be called once, with a failure if the transaction came to nothing.
    private typealias Tell = @Sendable (SQLiteFailure?) -> Void

    private struct State {
        var waiting: [Write] = []
        var isRunning = false
    }

    private let connection: SQLiteConnection
    private let queue = DispatchQueue(label: "SQLite")
    private let state = Mutex(State())

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Runs `body` as a part of a transaction, to its end, and returns when it is on the disk.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) async throws(SQLiteFailure) -> Value {
        typealias Outcome = Result<Value, SQLiteFailure>
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let write = Write(
                run: { connection in
                    let outcome = Self.inSavepoint(connection, body)
                    return { failure in
                        // A write that failed has a reason of its own, whatever became of the others.
                        if case .success = outcome, let failure {
                            continuation.resume(returning: .failure(failure))
                        } else {
                            continuation.resume(returning: outcome)
                        }
                    }
                },
                fail: { continuation.resume(returning: .failure($0)) })
            let isFirst = state.withLock { state in
                state.waiting.append(write)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if isFirst { queue.async { self.drain() } }
        }
        return try outcome.get()
    }

    private static func inSavepoint<Value>(
        _ connection: SQLiteConnection, _ body: (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) -> Result<Value, SQLiteFailure> {
        do {
            try connection.run("SAVEPOINT one")
            let value = try body(connection)
            try connection.run("RELEASE one")
            return .success(value)
        } catch {
            if connection.isInTransaction {
                try? connection.run("ROLLBACK TO one")
                try? connection.run("RELEASE one")
            }
            return .failure(error)
        }
    }

    private func drain() {
        while true {
            let writes = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isRunning = false }
                return state.waiting
            }
            guard !writes.isEmpty else { return }
            var rest = writes[...]
            while !rest.isEmpty { commit(&rest) }
        }
    }

    /// One transaction, of all of `writes` unless SQLite takes it back in the middle, as it does when the disk is full: then of none of
    /// those that were run, and what is left gets another.
    private func commit(_ writes: inout ArraySlice<Write>) {
        do { try connection.run("BEGIN IMMEDIATE") } catch {
            // Nobody is to wait for the next attempt in turn.
            while let write = writes.popFirst() { write.fail(error) }
            return
        }
        var told: [Tell] = []
        var lost: SQLiteFailure?
        do throws(SQLiteFailure) {
            while let write = writes.popFirst() {
                told.append(write.run(connection))
                guard connection.isInTransaction else { throw SQLiteFailure.takenBack }
            }
            try connection.run("COMMIT")
        } catch {
            lost = error
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
        }
        for tell in told { tell(lost) }
    }
}
