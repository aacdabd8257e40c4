import GRDB
import Synchronization

/// Writes of concurrent calls in common transactions: while one waits for the disk, those that come meanwhile gather for the next, so
/// that a wait is shared by as many as there are and none waits for more than two.
///
/// Each write has a savepoint of its own: one that fails takes nothing of the others back. None is told that it is done before the
/// transaction is.
final class GroupCommit: Sendable {
    private struct Write: Sendable {
        /// Runs the write within a transaction; what it returns tells the caller.
        let run: @Sendable (Database) -> Tell
        /// Tells the caller that there was none.
        let fail: Tell
    }

    /// To be called once, with an error if the transaction came to nothing.
    private typealias Tell = @Sendable ((any Error)?) -> Void

    private struct State {
        var waiting: [Write] = []
        var isRunning = false
    }

    private let database: DatabasePool
    private let state = Mutex(State())

    init(_ database: DatabasePool) { self.database = database }

    /// Runs `body` as a part of a transaction, to its end, and returns when it is on the disk.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let write = Write(
                run: { database in
                    do {
                        let value = try Self.inSavepoint(database, body)
                        return { error in
                            if let error {
                                continuation.resume(throwing: error)
                            } else {
                                continuation.resume(returning: value)
                            }
                        }
                    } catch { return { _ in continuation.resume(throwing: error) } }
                },
                fail: { error in continuation.resume(throwing: error ?? DatabaseError(resultCode: .SQLITE_ABORT)) })
            let isFirst = state.withLock { state in
                state.waiting.append(write)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if isFirst { database.asyncWriteWithoutTransaction { self.drain($0) } }
        }
    }

    private static func inSavepoint<Value>(
        _ database: Database, _ body: (Database) throws -> Value
    ) throws -> Value {
        var value: Value?
        try database.inSavepoint {
            value = try body(database)
            return .commit
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
    }

    private func drain(_ database: Database) {
        while true {
            let writes = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isRunning = false }
                return state.waiting
            }
            guard !writes.isEmpty else { return }
            var rest = writes[...]
            while !rest.isEmpty { commit(&rest, database) }
        }
    }

    /// One transaction, of all of `writes` unless SQLite takes it back in the middle, as it does when the disk is full: then of none of
    /// those that were run, and what is left gets another.
    private func commit(_ writes: inout ArraySlice<Write>, _ database: Database) {
        do { try database.beginTransaction(.immediate) } catch {
            // Nobody is to wait for the next attempt in turn.
            while let write = writes.popFirst() { write.fail(error) }
            return
        }
        var told: [Tell] = []
        var lost: (any Error)?
        do {
            while let write = writes.popFirst() {
                told.append(write.run(database))
                guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT_ROLLBACK) }
            }
            try database.commit()
        } catch {
            lost = error
            if database.isInsideTransaction { try? database.rollback() }
        }
        for tell in told { tell(lost) }
    }
}
