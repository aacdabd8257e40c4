public import PureAttest
public import PureAttestServer

/// A store in PostgreSQL, through libpq, for several processes on one machine or many.
///
/// Each call runs one prepared statement of ``PureAttestServer/StoreSQL`` on a pooled connection. The server's
/// `synchronous_commit` applies; by default, acknowledged calls survive a crash of the server.
public final class PostgreSQLStore: RelyingPartyStore, PurchaseStore {
    /// The error of a failed call.
    public typealias Failure = PostgreSQLFailure

    let pool: ConnectionPool
    let sql = StoreSQL(.postgreSQL)

    /// Connects, creates missing tables, and prepares every statement once, so that errors appear at start.
    ///
    /// - Parameters:
    ///   - string: a libpq connection string, with `sslmode` for another machine.
    ///   - connections: the number of connections, each with a thread. PostgreSQL's `max_connections` covers all
    ///     processes.
    ///   - statementTimeout: the limit of a statement, and of the wait for a connection.
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

    /// Concurrent `IF NOT EXISTS` statements can still conflict in the catalogue, so a lock serialises them. A role
    /// that may not create tables relies on another to create them.
    private static func makeTables(
        _ sql: StoreSQL, _ connection: PostgreSQLConnection
    ) throws(PostgreSQLFailure) {
        // The lock's number is "PureAtts" in ASCII, to avoid collisions.
        try connection.run("SELECT pg_advisory_lock(5798343361530164339)")
        for statement in sql.schema + [sql.purchaseSchema] {
            do { try connection.run(statement) } catch .refused(state: "42501", _) { continue }
        }
        try connection.run("SELECT pg_advisory_unlock(5798343361530164339)")
    }
}

extension PostgreSQLStore {
    // MARK: Keys

    /// Returns the row of a key, even if revoked.
    public func key(_ keyID: [UInt8]) async throws(PostgreSQLFailure) -> KeyRecord? {
        try await records(sql.selectKey, [.bytes(keyID)]).first
    }

    /// Inserts one row in `consumed_tokens` and one in `attested_keys`, unless they exist.
    public func insertKey(
        _ record: KeyRecord, consuming token: ConsumedToken
    ) async throws(PostgreSQLFailure) -> KeyInsertion {
        let outcome = try await outcome(
            sql.insertKey,
            [
                .bytes(token.id), .integer(token.until.secondsSince1970), .bytes(record.key.keyID),
                .bytes(record.key.serialized), .integer(Int64(record.key.counter ?? 0)), .bytes(record.account?.bytes),
                .bytes(record.receipt), .integer(record.receiptDueAt?.secondsSince1970),
                .integer(record.registeredAt.secondsSince1970),
            ])
        switch outcome {
        case .done: return .inserted
        case .alreadyConsumed: return .alreadyConsumed
        case .otherState:
            // Records are never deleted, so the conflicting record still exists.
            guard let existing = try await key(record.key.keyID) else { throw .foreignRow }
            return .existing(existing)
        }
    }

    /// Replaces `current` by `next` if the row holds `current`, and inserts one row in `consumed_tokens`.
    public func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) async throws(PostgreSQLFailure) -> KeyUse {
        let outcome = try await outcome(
            sql.recordUse,
            [
                .bytes(token.id), .integer(token.until.secondsSince1970), .bytes(current.keyID),
                .bytes(current.serialized), .integer(Int64(next.counter ?? 0)), .bytes(next.serialized),
                .integer(time.secondsSince1970),
            ])
        return switch outcome {
        case .done: .recorded
        case .alreadyConsumed: .alreadyConsumed
        case .otherState: .keyChanged
        }
    }

    /// Sets the time of revocation; returns whether this call set it.
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(PostgreSQLFailure) -> Bool {
        try await rows(sql.revokeKey, [.bytes(keyID), .integer(time.secondsSince1970)]).count == 1
    }

    // MARK: Accounts

    /// Returns the rows of an account's keys.
    public func keys(
        of account: AccountID, after keyID: [UInt8]?, limit: Int
    ) async throws(PostgreSQLFailure) -> [KeyRecord] {
        try await records(
            sql.selectKeys, [.bytes(account.bytes), .bytes(keyID ?? []), .integer(Int64(limit))])
    }

    /// Sets the time of revocation of an account's keys; returns how many this call set.
    public func revokeKeys(of account: AccountID, at time: UnixTime) async throws(PostgreSQLFailure) -> Int {
        try await rows(sql.revokeKeys, [.bytes(account.bytes), .integer(time.secondsSince1970)]).count
    }

    // MARK: Receipts

    /// Claims due receipts by postponing them.
    public func claimDueReceipts(
        at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws(PostgreSQLFailure) -> [KeyRecord] {
        try await records(
            sql.claimDueReceipts,
            [.integer(time.secondsSince1970), .integer(postponed.secondsSince1970), .integer(Int64(limit))])
    }

    /// Replaces a receipt if the row holds `current`.
    public func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(PostgreSQLFailure) -> Bool {
        try await rows(
            sql.replaceReceipt,
            [.bytes(keyID), .bytes(current), .bytes(receipt), .integer(dueAt?.secondsSince1970)]
        ).count == 1
    }

    // MARK: Consumed tokens

    /// Inserts one row in `consumed_tokens`; returns whether it was new.
    public func consume(_ token: ConsumedToken) async throws(PostgreSQLFailure) -> Bool {
        try await rows(sql.consume, [.bytes(token.id), .integer(token.until.secondsSince1970)]).count == 1
    }

    /// Returns whether the token has a row.
    public func isConsumed(_ id: [UInt8]) async throws(PostgreSQLFailure) -> Bool {
        try await rows(sql.selectConsumed, [.bytes(id)]).count == 1
    }

    /// Deletes expired rows.
    public func removeExpired(at time: UnixTime) async throws(PostgreSQLFailure) {
        _ = try await rows(sql.removeExpired, [.integer(time.secondsSince1970)])
    }

    // MARK: Budgets

    /// Adds to a period's row, or inserts it, if `limit` permits.
    public func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(PostgreSQLFailure) -> BudgetAmount? {
        let rows = try await rows(
            sql.spendBudget,
            [
                .bytes(period.holder), .integer(period.end.secondsSince1970), .integer(units), .integer(limit.requests),
                .integer(limit.units),
            ])
        return try rows.first.map { (row) throws(PostgreSQLFailure) in try BudgetAmount(row) }
    }

    /// Corrects a period's row, if it exists.
    public func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async throws(PostgreSQLFailure) {
        _ = try await rows(
            sql.settleBudget,
            [.bytes(period.holder), .integer(period.end.secondsSince1970), .integer(reserved), .integer(used)])
    }

    /// Returns a period's row, or zero.
    public func usedBudget(in period: BudgetPeriod) async throws(PostgreSQLFailure) -> BudgetAmount {
        let rows = try await rows(sql.selectBudget, [.bytes(period.holder), .integer(period.end.secondsSince1970)])
        return try rows.first.map { (row) throws(PostgreSQLFailure) in try BudgetAmount(row) }
            ?? BudgetAmount(requests: 0, units: 0)
    }

    /// Deletes the rows of ended periods.
    public func removeBudgets(endedAt time: UnixTime) async throws(PostgreSQLFailure) {
        _ = try await rows(sql.removeBudgets, [.integer(time.secondsSince1970)])
    }

    // MARK: Purchases

    /// Returns the bytes of a row in `purchase_rows`.
    public func purchaseRow(_ name: [UInt8]) async throws(PostgreSQLFailure) -> [UInt8]? {
        try await rows(sql.selectPurchaseRow, [.bytes(name)]).first.map { (row) throws(PostgreSQLFailure) in
            try row.bytes(0)
        }
    }

    /// Replaces a row if it holds `current`; inserts it if `current` is `nil` and there is none.
    public func replacePurchaseRow(
        _ name: [UInt8], from current: [UInt8]?, to next: [UInt8]
    ) async throws(PostgreSQLFailure) -> Bool {
        guard let current else { return try await !rows(sql.insertPurchaseRow, [.bytes(name), .bytes(next)]).isEmpty }
        return try await !rows(sql.replacePurchaseRow, [.bytes(name), .bytes(current), .bytes(next)]).isEmpty
    }

    // MARK: Statements

    private func rows(_ sql: String, _ parameters: [Parameter]) async throws(PostgreSQLFailure) -> [ResultRow] {
        try await pool.run { (connection) throws(PostgreSQLFailure) in try connection.run(sql, parameters) }
    }

    private func records(_ sql: String, _ parameters: [Parameter]) async throws(PostgreSQLFailure) -> [KeyRecord] {
        var records: [KeyRecord] = []
        for row in try await rows(sql, parameters) { records.append(try KeyRecord(row)) }
        return records
    }

    /// Runs the one statement that both decides and changes, and so is its own transaction
    /// (``PureAttestServer/StoreSQL``).
    private func outcome(
        _ statements: [StoreStatement], _ parameters: [Parameter]
    ) async throws(PostgreSQLFailure) -> StoreSQL.Outcome {
        guard statements.count == 1 else { preconditionFailure("More than one statement needs a transaction") }
        let row = try await rows(statements[0].sql, parameters).last
        guard let number = try row?.number(), let outcome = StoreSQL.Outcome(rawValue: number) else {
            throw .foreignRow
        }
        return outcome
    }
}

extension KeyRecord {
    fileprivate init(_ row: ResultRow) throws(PostgreSQLFailure) {
        let key: RegisteredKey
        do { key = try RegisteredKey(serialized: try row.bytes(0)) } catch { throw .foreignRow }
        self.init(
            key: key, account: row.optionalBytes(1).map { AccountID(bytes: $0) }, receipt: try row.bytes(2),
            receiptDueAt: try row.optionalTime(3), registeredAt: UnixTime(secondsSince1970: try row.integer(4)),
            lastUsedAt: try row.optionalTime(5), revokedAt: try row.optionalTime(6))
    }
}

extension BudgetAmount {
    fileprivate init(_ row: ResultRow) throws(PostgreSQLFailure) {
        self.init(requests: try row.integer(0), units: try row.integer(1))
    }
}

extension ResultRow {
    fileprivate func optionalTime(_ index: Int) throws(PostgreSQLFailure) -> UnixTime? {
        try optionalInteger(index).map { UnixTime(secondsSince1970: $0) }
    }

    /// Decodes an `int4`, the type of numbers in a `CASE`.
    fileprivate func number() throws(PostgreSQLFailure) -> Int {
        let bytes = try bytes(0)
        guard bytes.count == 4 else { throw .foreignRow }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
