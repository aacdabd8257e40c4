import GRDB
public import PureAttest
public import PureAttestServer

/// A store in an SQLite file, through GRDB: for a server on one machine.
///
/// Every call that writes is part of one transaction that is on the disk when it returns (write-ahead log, `synchronous = FULL`), which
/// it may share with others (``GroupCommit``).
public final class SQLiteStore: RelyingPartyStore {
    /// GRDB's errors, and `CancellationError`.
    public typealias Failure = any Error

    private let database: DatabasePool
    private let writes: GroupCommit
    private let sql = StoreSQL(.sqlite)

    /// Opens the file at `path`, or makes it.
    ///
    /// - Parameter timeout: for how long a call waits for another process that writes, in seconds.
    public init(path: String, timeout: Int = 5) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(timeout))
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        database = try DatabasePool(path: path, configuration: configuration)
        writes = GroupCommit(database)
        try database.write { [sql] database in
            for statement in sql.schema { try database.execute(sql: statement) }
        }
    }

    // MARK: Keys

    /// The row of a key, the revoked ones included.
    public func key(_ keyID: [UInt8]) async throws -> KeyRecord? {
        try await read(sql.selectKey, [keyID.data]) { try KeyRecord(row: $0) }.first
    }

    /// One row in `spent` and one in `attested_keys`, unless there are.
    public func insertKey(_ record: KeyRecord, spending: Spending) async throws -> KeyInsertion {
        let outcome = try await change(
            sql.insertKey,
            [
                spending.id.data, spending.until.secondsSince1970, record.key.keyID.data, record.key.serialized.data,
                Int64(record.key.counter), record.account?.bytes.data, record.receipt.data,
                record.receiptDueAt?.secondsSince1970, record.registeredAt.secondsSince1970,
            ])
        switch outcome {
        case .done: return .inserted
        case .alreadySpent: return .alreadySpent
        case .otherState:
            // Records are never deleted, so the one that was in the way is still there.
            guard let existing = try await key(record.key.keyID) else { throw ForeignRow() }
            return .existing(existing)
        }
    }

    /// Replaces `current` by `advanced`, if it is what the row holds, and puts one row in `spent`.
    public func advanceCounter(
        from current: AttestedKey, to advanced: AttestedKey, at time: UnixTime, spending: Spending
    ) async throws -> CounterAdvance {
        let outcome = try await change(
            sql.advanceCounter,
            [
                spending.id.data, spending.until.secondsSince1970, current.keyID.data, current.serialized.data,
                Int64(advanced.counter), advanced.serialized.data, time.secondsSince1970,
            ])
        return switch outcome {
        case .done: .advanced
        case .alreadySpent: .alreadySpent
        case .otherState: .changed
        }
    }

    /// Sets the time of revocation; returns whether this call did.
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws -> Bool {
        try await change(sql.revokeKey, [keyID.data, time.secondsSince1970]) { _ in true }.count == 1
    }

    // MARK: Accounts

    /// The rows of an account's keys.
    public func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) async throws -> [KeyRecord] {
        try await read(sql.selectKeys, [account.bytes.data, (keyID ?? []).data, limit]) { try KeyRecord(row: $0) }
    }

    /// Sets the time of revocation of an account's keys.
    public func revokeKeys(of account: AccountID, at time: UnixTime) async throws -> Int {
        try await change(sql.revokeKeys, [account.bytes.data, time.secondsSince1970]) { _ in true }.count
    }

    // MARK: Receipts

    /// Puts off what is due.
    public func claimDueReceipts(
        at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws -> [KeyRecord] {
        try await change(
            sql.claimDueReceipts, [time.secondsSince1970, postponed.secondsSince1970, limit]
        ) { try KeyRecord(row: $0) }
    }

    /// Replaces a receipt, if it is what the row holds.
    public func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws -> Bool {
        try await change(
            sql.replaceReceipt, [keyID.data, current.data, receipt.data, dueAt?.secondsSince1970]
        ) { _ in true }.count == 1
    }

    // MARK: What is spent

    /// One row in `spent`; returns whether there was none.
    public func spend(_ spending: Spending) async throws -> Bool {
        try await change(sql.spend, [spending.id.data, spending.until.secondsSince1970]) { _ in true }.count == 1
    }

    /// Whether there is a row.
    public func isSpent(_ id: [UInt8]) async throws -> Bool {
        try await read(sql.selectSpent, [id.data]) { _ in true }.count == 1
    }

    /// Deletes what has expired.
    public func removeExpired(at time: UnixTime) async throws {
        _ = try await change(sql.removeExpired, [time.secondsSince1970]) { _ in true }
    }

    // MARK: Statements

    /// Runs statements that write, one after the other; the last row of any is the outcome.
    private func change(
        _ statements: [StoreStatement], _ parameters: [(any DatabaseValueConvertible)?]
    ) async throws -> StoreSQL.Outcome {
        let values = parameters.map { $0?.databaseValue ?? .null }
        return try await writes.write { database in
            var last: Int?
            for statement in statements {
                let arguments = StatementArguments(values.prefix(statement.parameterCount))
                let rows = try Row.fetchAll(database.cachedStatement(sql: statement.sql), arguments: arguments)
                if let row = rows.last { last = row[0] }
            }
            guard let outcome = last.flatMap({ StoreSQL.Outcome(rawValue: $0) }) else { throw ForeignRow() }
            return outcome
        }
    }

    /// Runs a statement that writes, to its end: `fetchAll` and not `fetchOne`.
    private func change<Value: Sendable>(
        _ sql: String, _ arguments: StatementArguments, _ decode: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value] {
        try await writes.write { database in
            try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map(decode)
        }
    }

    private func read<Value: Sendable>(
        _ sql: String, _ arguments: StatementArguments, _ decode: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value] {
        try await database.read { database in
            try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map(decode)
        }
    }
}
