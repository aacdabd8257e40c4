package import PureAttest
package import PureAttestServer

/// A store that runs the statements of ``PureAttestServer/StoreSQL``. It sets the parameters of each statement, and
/// decodes the rows.
package protocol SQLStore: RelyingPartyStore, PurchaseStore where Failure: SQLFailure {
    associatedtype Row: SQLRow where Row.Failure == Failure

    var sql: StoreSQL { get }

    func read<Value: Sendable>(
        _ statement: String, _ parameters: [SQLParameter],
        _ decode: @escaping @Sendable (Row) throws(Failure) -> Value
    ) async throws(Failure) -> [Value]

    /// Runs a statement that writes, in a transaction.
    func write<Value: Sendable>(
        _ statement: String, _ parameters: [SQLParameter],
        _ decode: @escaping @Sendable (Row) throws(Failure) -> Value
    ) async throws(Failure) -> [Value]

    /// Runs the statements in one transaction. The last row that they return is the outcome.
    func decide(
        _ statements: [StoreStatement], _ parameters: [SQLParameter]
    ) async throws(Failure) -> StoreSQL.Outcome
}

extension SQLStore {
    private func count(_ statement: String, _ parameters: [SQLParameter]) async throws(Failure) -> Int {
        try await write(statement, parameters) { (_) throws(Failure) in }.count
    }

    // MARK: Keys

    /// Returns the row of a key, even if the key is revoked.
    public func key(_ keyID: [UInt8]) async throws(Failure) -> KeyRecord? {
        try await read(sql.selectKey, [.bytes(keyID)]) { (row) throws(Failure) in try row.record() }.first
    }

    /// Inserts a row in `consumed_tokens`. If this row is new, also inserts a row in `attested_keys`, unless the key
    /// already has one.
    public func insertKey(_ record: KeyRecord, consuming token: ConsumedToken) async throws(Failure) -> KeyInsertion {
        let outcome = try await decide(
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

    /// Replaces `current` by `next` if the row contains `current`, and inserts a row in `consumed_tokens`.
    public func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) async throws(Failure) -> KeyUse {
        let outcome = try await decide(
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
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool {
        try await count(sql.revokeKey, [.bytes(keyID), .integer(time.secondsSince1970)]) == 1
    }

    // MARK: Accounts

    /// Returns the rows of an account's keys.
    public func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) async throws(Failure) -> [KeyRecord] {
        try await read(
            sql.selectKeys, [.bytes(account.bytes), .bytes(keyID ?? []), .integer(Int64(limit))]
        ) { (row) throws(Failure) in try row.record() }
    }

    /// Sets the time of revocation of an account's keys; returns the number of keys that this call revoked.
    public func revokeKeys(of account: AccountID, at time: UnixTime) async throws(Failure) -> Int {
        try await count(sql.revokeKeys, [.bytes(account.bytes), .integer(time.secondsSince1970)])
    }

    // MARK: Receipts

    /// Claims due receipts by postponing them. Omits rows that cannot be read, so that an unreadable row does not block
    /// the other receipts. Throws if rows are due but none can be read.
    public func claimDueReceipts(
        of scope: ReceiptScope, at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws(Failure) -> [KeyRecord] {
        let rows = try await write(
            sql.claimDueReceipts,
            [
                .integer(time.secondsSince1970), .integer(postponed.secondsSince1970), .integer(Int64(limit)),
                .bytes(scope.bytes),
            ]
        ) { (row) throws(Failure) in try? row.record() }
        let records = rows.compactMap { $0 }
        guard !records.isEmpty || rows.isEmpty else { throw .foreignRow }
        return records
    }

    /// Replaces a receipt if the row contains `current`.
    public func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(Failure) -> Bool {
        try await count(
            sql.replaceReceipt,
            [.bytes(keyID), .bytes(current), .bytes(receipt), .integer(dueAt?.secondsSince1970)]) == 1
    }

    // MARK: Consumed tokens

    /// Inserts a row in `consumed_tokens`; returns whether the row is new.
    public func consume(_ token: ConsumedToken) async throws(Failure) -> Bool {
        try await count(sql.consume, [.bytes(token.id), .integer(token.until.secondsSince1970)]) == 1
    }

    /// Returns whether the token has a row.
    public func isConsumed(_ id: [UInt8]) async throws(Failure) -> Bool {
        try await read(sql.selectConsumed, [.bytes(id)]) { (_) throws(Failure) in }.count == 1
    }

    /// Deletes expired rows.
    public func removeExpired(at time: UnixTime) async throws(Failure) {
        try await removeAll(sql.removeSomeExpired, until: time)
    }

    /// Deletes rows in batches, because PostgreSQL limits the time of a statement, and SQLite has one writer at a time.
    private func removeAll(_ statement: String, until time: UnixTime) async throws(Failure) {
        let batch = 1_000
        while try await count(statement, [.integer(time.secondsSince1970), .integer(Int64(batch))]) == batch {}
    }

    // MARK: Budgets

    /// Adds an amount to the row of a period, or inserts the row, if the sum is within `limit`.
    public func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(Failure) -> BudgetAmount? {
        try await write(
            sql.spendBudget,
            [
                .bytes(period.holder), .integer(period.end.secondsSince1970), .integer(units), .integer(limit.requests),
                .integer(limit.units),
            ]
        ) { (row) throws(Failure) in try row.amount() }.first
    }

    /// Corrects the row of a period, if the row exists.
    public func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async throws(Failure) {
        _ = try await count(
            sql.settleBudget,
            [.bytes(period.holder), .integer(period.end.secondsSince1970), .integer(reserved), .integer(used)])
    }

    /// Returns the amount in a period's row, or zero if the row does not exist.
    public func usedBudget(in period: BudgetPeriod) async throws(Failure) -> BudgetAmount {
        try await read(sql.selectBudget, [.bytes(period.holder), .integer(period.end.secondsSince1970)]) {
            (row) throws(Failure) in try row.amount()
        }.first ?? BudgetAmount(requests: 0, units: 0)
    }

    /// Deletes the rows of ended periods.
    public func removeBudgets(endedAt time: UnixTime) async throws(Failure) {
        try await removeAll(sql.removeSomeBudgets, until: time)
    }

    // MARK: Purchases

    /// Returns the bytes of a row in `purchase_rows`.
    public func purchaseRow(_ name: [UInt8]) async throws(Failure) -> [UInt8]? {
        try await read(sql.selectPurchaseRow, [.bytes(name)]) { (row) throws(Failure) in try row.bytes(0) }.first
    }

    /// Replaces a row if it contains `current`. Inserts the row if `current` is `nil` and no such row exists.
    public func replacePurchaseRow(
        _ name: [UInt8], from current: [UInt8]?, to next: [UInt8]
    ) async throws(Failure) -> Bool {
        guard let current else { return try await count(sql.insertPurchaseRow, [.bytes(name), .bytes(next)]) == 1 }
        return try await count(sql.replacePurchaseRow, [.bytes(name), .bytes(current), .bytes(next)]) == 1
    }
}
