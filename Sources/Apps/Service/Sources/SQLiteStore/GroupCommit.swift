import Foundation
import Synchronization

/// Runs the writes of concurrent calls in shared transactions. While one transaction waits for the disk, further writes
/// queue up for the next transaction.
///
/// Each write has its own savepoint, so a failed write does not roll back other writes. No write waits for more than
/// two transactions, unless SQLite rolls a transaction back. Callers get their result only after the commit.
///
/// `@unchecked` is safe because only `queue` uses `connection`.
final class GroupCommit: @unchecked Sendable {
    private struct Write: Sendable {
        /// Runs the write within a transaction, and returns a function that reports the outcome to the caller.
        let run: @Sendable (SQLiteConnection) -> Tell
        /// Reports to the caller that no transaction began.
        let fail: @Sendable (SQLiteFailure) -> Void
    }

    /// Reports the outcome to the caller. Called once, with a failure if the transaction failed.
    private typealias Tell = @Sendable (SQLiteFailure?) -> Void

    private struct State {
        var waiting: [Write] = []
        var isRunning = false
    }

    /// The maximum number of writes that wait for the next transaction. The service admits 10,000 connections by
    /// default, and each connection has one call at a time.
    static let capacity = 16_384

    private let connection: SQLiteConnection
    private let queue = DispatchQueue(label: "SQLite")
    private let state = Mutex(State())

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Returns when the transaction that contains `body` is on the disk.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) async throws(SQLiteFailure) -> Value {
        typealias Outcome = Result<Value, SQLiteFailure>
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let write = Write(
                run: { connection in
                    let outcome = Self.inSavepoint(connection, body)
                    return { failure in
                        if case .success = outcome, let failure {
                            continuation.resume(returning: .failure(failure))
                        } else {
                            continuation.resume(returning: outcome)
                        }
                    }
                },
                fail: { continuation.resume(returning: .failure($0)) })
            let (isFull, isFirst) = state.withLock { state in
                guard state.waiting.count < Self.capacity else { return (true, false) }
                state.waiting.append(write)
                defer { state.isRunning = true }
                return (false, !state.isRunning)
            }
            if isFull { write.fail(.overloaded) }
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

    /// Runs writes in one transaction. If SQLite rolls the transaction back midway, for example because the disk is
    /// full, the writes that it contains fail. The remaining writes get another transaction.
    private func commit(_ writes: inout ArraySlice<Write>) {
        do { try connection.run("BEGIN IMMEDIATE") } catch {
            // Fail all writes, because no write may wait for another attempt.
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
