public import PureAttest
public import PureAttestServer

/// A store in an SQLite file, for a server on one machine.
///
/// Every write is on the disk when its call returns (write-ahead log, `synchronous = FULL`), in a transaction that it
/// may share (``GroupCommit``). Every read is one statement on a separate connection (``Readers``).
public final class SQLiteStore: RelyingPartyStore, PurchaseStore {
    /// The error of a failed call.
    public typealias Failure = SQLiteFailure

    private let readers: Readers
    private let writes: GroupCommit
    private let sql = StoreSQL(.sqlite)

    /// Opens or creates the file at `path`.
    ///
    /// - Parameter timeout: the maximum wait for another process that writes, in seconds.
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

    /// The writer's setting `synchronous`: 2 is `FULL` (sqlite.org/pragma.html).
    package var synchronous: Int64? {
        get async throws(SQLiteFailure) {
            try await writes.write { (connection) throws(SQLiteFailure) in
                try connection.rows("PRAGMA synchronous", []) { (row) throws(SQLiteFailure) in try row.integer(0) }
                    .first
            }
        }
    }

    // MARK: Keys

    /// Returns the row of a key, even if revoked.
    public func key(_ keyID: [UInt8]) async throws(SQLiteFailure) -> KeyRecord? {
        try records(sql.selectKey, [.bytes(keyID)]).first
    }

    /// Inserts one row in `consumed_tokens` and one in `attested_keys`, unless they exist.
    public func insertKey(_ record: KeyRecord, consuming token: ConsumedToken) async throws(SQLiteFailure)
        -> KeyInsertion
    {
        let outcome = try await change(
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
    ) async throws(SQLiteFailure) -> KeyUse {
        let outcome = try await change(
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
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(SQLiteFailure) -> Bool {
        try await change(sql.revokeKey, [.bytes(keyID), .integer(time.secondsSince1970)]) == 1
    }

    // MARK: Accounts

    /// Returns the rows of an account's keys.
    public func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) async throws(SQLiteFailure)
        -> [KeyRecord]
    {
        try records(sql.selectKeys, [.bytes(account.bytes), .bytes(keyID ?? []), .integer(Int64(limit))])
    }

    /// Sets the time of revocation of an account's keys; returns how many this call set.
    public func revokeKeys(of account: AccountID, at time: UnixTime) async throws(SQLiteFailure) -> Int {
        try await change(sql.revokeKeys, [.bytes(account.bytes), .integer(time.secondsSince1970)])
    }

    // MARK: Receipts

    /// Claims due receipts by postponing them.
    public func claimDueReceipts(
        at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws(SQLiteFailure) -> [KeyRecord] {
        let parameters = [time.secondsSince1970, postponed.secondsSince1970, Int64(limit)].map {
            SQLiteValue.integer($0)
        }
        let statement = sql.claimDueReceipts
        return try await writes.write { (connection) throws(SQLiteFailure) in
            try connection.rows(statement, parameters[...]) { (row) throws(SQLiteFailure) in try KeyRecord(row) }
        }
    }

    /// Replaces a receipt if the row holds `current`.
    public func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(SQLiteFailure) -> Bool {
        try await change(
            sql.replaceReceipt,
            [.bytes(keyID), .bytes(current), .bytes(receipt), .integer(dueAt?.secondsSince1970)]) == 1
    }

    // MARK: Consumed tokens

    /// Inserts one row in `consumed_tokens`; returns whether it was new.
    public func consume(_ token: ConsumedToken) async throws(SQLiteFailure) -> Bool {
        try await change(sql.consume, [.bytes(token.id), .integer(token.until.secondsSince1970)]) == 1
    }

    /// Returns whether the token has a row.
    public func isConsumed(_ id: [UInt8]) async throws(SQLiteFailure) -> Bool {
        try readers.read { (connection) throws(SQLiteFailure) in
            try !connection.rows(sql.selectConsumed, [.bytes(id)]) { _ throws(SQLiteFailure) in }.isEmpty
        }
    }

    /// Deletes expired rows.
    public func removeExpired(at time: UnixTime) async throws(SQLiteFailure) {
        _ = try await change(sql.removeExpired, [.integer(time.secondsSince1970)])
    }

    // MARK: Budgets

    /// Adds to a period's row, or inserts it, if `limit` permits.
    public func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(SQLiteFailure) -> BudgetAmount? {
        let parameters: [SQLiteValue] = [
            .bytes(period.holder), .integer(period.end.secondsSince1970), .integer(units), .integer(limit.requests),
            .integer(limit.units),
        ]
        let statement = sql.spendBudget
        return try await writes.write { (connection) throws(SQLiteFailure) in
            try connection.rows(statement, parameters[...]) { (row) throws(SQLiteFailure) in try BudgetAmount(row) }
                .first
        }
    }

    /// Corrects a period's row, if it exists.
    public func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async throws(SQLiteFailure) {
        _ = try await change(
            sql.settleBudget,
            [.bytes(period.holder), .integer(period.end.secondsSince1970), .integer(reserved), .integer(used)])
    }

    /// Returns a period's row, or zero.
    public func usedBudget(in period: BudgetPeriod) async throws(SQLiteFailure) -> BudgetAmount {
        let rows = try readers.read { (connection) throws(SQLiteFailure) in
            try connection.rows(sql.selectBudget, [.bytes(period.holder), .integer(period.end.secondsSince1970)]) {
                (row) throws(SQLiteFailure) in try BudgetAmount(row)
            }
        }
        return rows.first ?? BudgetAmount(requests: 0, units: 0)
    }

    /// Deletes the rows of ended periods.
    public func removeBudgets(endedAt time: UnixTime) async throws(SQLiteFailure) {
        _ = try await change(sql.removeBudgets, [.integer(time.secondsSince1970)])
    }

    // MARK: Purchases

    /// Returns the bytes of a row in `purchase_rows`.
    public func purchaseRow(_ name: [UInt8]) async throws(SQLiteFailure) -> [UInt8]? {
        try readers.read { (connection) throws(SQLiteFailure) in
            try connection.rows(sql.selectPurchaseRow, [.bytes(name)]) { (row) throws(SQLiteFailure) in
                try row.bytes(0)
            }
        }.first
    }

    /// Replaces a row if it holds `current`; inserts it if `current` is `nil` and there is none.
    public func replacePurchaseRow(
        _ name: [UInt8], from current: [UInt8]?, to next: [UInt8]
    ) async throws(SQLiteFailure) -> Bool {
        guard let current else { return try await change(sql.insertPurchaseRow, [.bytes(name), .bytes(next)]) == 1 }
        return try await change(sql.replacePurchaseRow, [.bytes(name), .bytes(current), .bytes(next)]) == 1
    }

    // MARK: Statements

    /// Runs statements that write, in sequence. The last row of any of them is the outcome.
    private func change(
        _ statements: [StoreStatement], _ parameters: [SQLiteValue]
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

    /// Runs a statement that writes; returns its number of rows.
    private func change(_ sql: String, _ parameters: [SQLiteValue]) async throws(SQLiteFailure) -> Int {
        try await writes.write { (connection) throws(SQLiteFailure) in
            try connection.rows(sql, parameters[...]) { _ throws(SQLiteFailure) in }.count
        }
    }

    private func records(_ sql: String, _ parameters: [SQLiteValue]) throws(SQLiteFailure) -> [KeyRecord] {
        try readers.read { (connection) throws(SQLiteFailure) in
            try connection.rows(sql, parameters[...]) { (row) throws(SQLiteFailure) in try KeyRecord(row) }
        }
    }
}
