public import PureAttestServer
public import SQLStore

/// A store in PostgreSQL, through libpq. Several processes, on one machine or on many, can share the database.
///
/// Each call runs one prepared statement of ``PureAttestServer/StoreSQL`` on a pooled connection. The server's setting
/// `synchronous_commit` decides whether acknowledged calls survive a crash of the server. By default they do.
public final class PostgreSQLStore: RelyingPartyStore, PurchaseStore, SQLStore {
    /// The error of a failed call.
    public typealias Failure = PostgreSQLFailure

    let pool: ConnectionPool
    package let sql = StoreSQL(.postgreSQL)

    /// Connects, creates missing tables, and prepares every statement once, so that errors are reported at start.
    ///
    /// - Parameters:
    ///   - string: a libpq connection string. If the server is on another machine, the string must contain `sslmode`,
    ///     or the environment must set `PGSSLMODE`.
    ///   - connections: the number of connections, at least 1, each with its own thread. PostgreSQL's
    ///     `max_connections` limits the connections of all processes together.
    ///   - statementTimeout: the time limit of a statement, and of the wait for a free connection.
    public init(
        _ string: String, connections: Int = 8, statementTimeout: Duration = .seconds(5)
    ) throws(PostgreSQLFailure) {
        try checkConnectionString(string)
        let first = try PostgreSQLConnection(string, timeout: .seconds(30))
        try Self.makeTables(sql, first)
        for operation in sql.operations {
            for statement in operation.statements { try first.prepare(statement, []) }
        }
        pool = ConnectionPool(connections: connections, timeout: statementTimeout) { () throws(PostgreSQLFailure) in
            try PostgreSQLConnection(string, timeout: statementTimeout)
        }
    }

    /// Creates the tables. Concurrent `IF NOT EXISTS` statements can conflict in PostgreSQL's catalogue, so a lock
    /// serialises them. If the connection's role may not create tables, another role must have created them already.
    private static func makeTables(
        _ sql: StoreSQL, _ connection: PostgreSQLConnection
    ) throws(PostgreSQLFailure) {
        // The lock's number is "PureAtts" in ASCII, to avoid collisions with locks of other programs.
        try connection.run("SELECT pg_advisory_lock(5798343361530164339)")
        for statement in sql.schema + [sql.purchaseSchema] {
            do { try connection.run(statement) } catch .refused(state: "42501", _) { continue }
        }
        try connection.run("SELECT pg_advisory_unlock(5798343361530164339)")
    }
}

extension PostgreSQLStore {
    package func read<Value: Sendable>(
        _ statement: String, _ parameters: [SQLParameter],
        _ decode: @escaping @Sendable (PostgreSQLRow) throws(PostgreSQLFailure) -> Value
    ) async throws(PostgreSQLFailure) -> [Value] {
        try await write(statement, parameters, decode)
    }

    package func write<Value: Sendable>(
        _ statement: String, _ parameters: [SQLParameter],
        _ decode: @escaping @Sendable (PostgreSQLRow) throws(PostgreSQLFailure) -> Value
    ) async throws(PostgreSQLFailure) -> [Value] {
        let rows = try await pool.run { (connection) throws(PostgreSQLFailure) in
            try connection.run(statement, parameters)
        }
        var values: [Value] = []
        for row in rows { values.append(try decode(row)) }
        return values
    }

    /// One statement both decides and writes (``PureAttestServer/StoreSQL``), and a single statement is a transaction.
    package func decide(
        _ statements: [StoreStatement], _ parameters: [SQLParameter]
    ) async throws(PostgreSQLFailure) -> StoreSQL.Outcome {
        guard statements.count == 1 else { preconditionFailure("More than one statement needs a transaction") }
        let numbers = try await write(statements[0].sql, parameters) { (row) throws(PostgreSQLFailure) in
            try row.number()
        }
        guard let number = numbers.last, let outcome = StoreSQL.Outcome(rawValue: number) else { throw .foreignRow }
        return outcome
    }
}

extension PostgreSQLRow {
    /// Decodes an `int4`, the type of numbers in a `CASE`.
    fileprivate func number() throws(PostgreSQLFailure) -> Int {
        let bytes = try bytes(0)
        guard bytes.count == 4 else { throw .foreignRow }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
