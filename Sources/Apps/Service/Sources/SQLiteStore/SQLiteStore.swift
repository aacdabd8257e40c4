public import PureAttestServer
public import SQLStore

/// A store in an SQLite file, for a server on one machine.
///
/// When a call returns, its write is on the disk (write-ahead log, `synchronous = FULL`). Concurrent writes may share a
/// transaction (``GroupCommit``). Every read is one statement on a separate connection (``Readers``).
public final class SQLiteStore: RelyingPartyStore, PurchaseStore, SQLStore {
    /// The error of a failed call.
    public typealias Failure = SQLiteFailure

    private let readers: Readers
    private let writes: GroupCommit
    package let sql = StoreSQL(.sqlite)

    /// Opens or creates the file at `path`.
    ///
    /// - Parameter timeout: the maximum time to wait while another process writes, in seconds.
    public init(path: String, timeout: Int = 5) throws(SQLiteFailure) {
        let writer = try SQLiteConnection(path: path, timeout: timeout)
        try writer.useWriteAheadLog(timeout: timeout)
        try writer.run("PRAGMA synchronous = FULL")
        try writer.run("BEGIN IMMEDIATE")
        for statement in sql.schema + [sql.purchaseSchema] { try writer.run(statement) }
        try writer.run("COMMIT")
        writes = GroupCommit(writer)
        readers = try Readers(4) { () throws(SQLiteFailure) in
            let reader = try SQLiteConnection(path: path, timeout: timeout)
            try reader.run("PRAGMA query_only = ON")
            return reader
        }
    }

    /// The value of `PRAGMA synchronous` on the write connection; 2 means `FULL` (sqlite.org/pragma.html).
    package var synchronous: Int64? {
        get async throws(SQLiteFailure) {
            try await writes.write { (connection) throws(SQLiteFailure) in
                try connection.rows("PRAGMA synchronous", []) { (row) throws(SQLiteFailure) in try row.integer(0) }
                    .first
            }
        }
    }

    package func read<Value: Sendable>(
        _ statement: String, _ parameters: [SQLParameter],
        _ decode: @escaping @Sendable (SQLiteRow) throws(SQLiteFailure) -> Value
    ) async throws(SQLiteFailure) -> [Value] {
        try readers.read { (connection) throws(SQLiteFailure) in
            try connection.rows(statement, parameters[...], decode)
        }
    }

    package func write<Value: Sendable>(
        _ statement: String, _ parameters: [SQLParameter],
        _ decode: @escaping @Sendable (SQLiteRow) throws(SQLiteFailure) -> Value
    ) async throws(SQLiteFailure) -> [Value] {
        try await writes.write { (connection) throws(SQLiteFailure) in
            try connection.rows(statement, parameters[...], decode)
        }
    }

    package func decide(
        _ statements: [StoreStatement], _ parameters: [SQLParameter]
    ) async throws(SQLiteFailure) -> StoreSQL.Outcome {
        try await writes.write { (connection) throws(SQLiteFailure) in
            var last: Int64?
            for statement in statements {
                let rows = try connection.rows(statement.sql, parameters.prefix(statement.parameterCount)) {
                    (row) throws(SQLiteFailure) in try row.integer(0)
                }
                if let row = rows.last { last = row }
            }
            guard let outcome = last.flatMap({ StoreSQL.Outcome(rawValue: Int(clamping: $0)) }) else {
                throw .foreignRow
            }
            return outcome
        }
    }
}
