import GRDB
public import PureAttest
public import PureAttestServer

/// A store in an SQLite file, through GRDB: for a server on one machine.
///
/// Every call is one transaction that is on the disk when it returns (write-ahead log, `synchronous = FULL`). A call whose task
/// is cancelled is rolled back.
public final class SQLiteStore: RelyingPartyStore {
    /// GRDB's errors, and `CancellationError`.
    public typealias Failure = any Error

    private let database: DatabasePool
    private let sql = StoreSQL(.sqlite)

    /// Opens the file at `path`, or makes it.
    public init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        database = try DatabasePool(path: path, configuration: configuration)
        try database.write { [sql] database in
            for statement in sql.schema { try database.execute(sql: statement) }
        }
    }

    /// One row in `challenges`.
    public func insertChallenge(_ challenge: Challenge) async throws {
        _ = try await changed(
            sql.insertChallenge,
            [
                challenge.id.data, challenge.value.data, Int64(challenge.purpose.rawValue), challenge.keyID.data,
                challenge.account?.bytes.data, challenge.issuedAt.secondsSince1970,
                challenge.expiresAt.secondsSince1970,
            ])
    }

    /// Deletes the row and returns it.
    public func consumeChallenge(_ id: [UInt8]) async throws -> Challenge? {
        try await change(sql.consumeChallenge, [id.data]) { try Challenge(row: $0) }
    }

    /// Deletes expired challenges and listed tokens.
    public func removeExpired(at time: UnixTime) async throws {
        _ = try await changed(sql.removeExpiredChallenges, [time.secondsSince1970])
        _ = try await changed(sql.removeExpiredTokens, [time.secondsSince1970])
    }

    /// One row in `attested_keys`, unless there is one; returns the one that was.
    public func insertKey(_ record: KeyRecord) async throws -> KeyRecord? {
        let arguments: StatementArguments = [
            record.key.keyID.data, record.key.serialized.data, Int64(record.key.counter), record.account?.bytes.data,
            record.unverifiedReceipt.data, record.registeredAt.secondsSince1970, record.revokedAt?.secondsSince1970,
        ]
        guard try await !changed(sql.insertKey, arguments) else { return nil }
        // Records are never deleted, so the one that was in the way is still there.
        return try await key(record.key.keyID)
    }

    /// The row of a key, the revoked ones included.
    public func key(_ keyID: [UInt8]) async throws -> KeyRecord? {
        try await read(sql.selectKey, [keyID.data]) { try KeyRecord(row: $0) }
    }

    /// Replaces `current` by `advanced`, if it is what the row holds.
    public func advanceCounter(from current: AttestedKey, to advanced: AttestedKey) async throws -> Bool {
        try await changed(
            sql.advanceCounter,
            [current.keyID.data, current.serialized.data, advanced.serialized.data, Int64(advanced.counter)])
    }

    /// Sets the time of revocation; returns whether this call did.
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws -> Bool {
        try await changed(sql.revokeKey, [keyID.data, time.secondsSince1970])
    }

    /// One row in `denied_tokens`; returns whether there was none.
    public func denyToken(_ id: [UInt8], until: UnixTime) async throws -> Bool {
        try await changed(sql.denyToken, [id.data, until.secondsSince1970])
    }

    /// Whether there is a row.
    public func isTokenDenied(_ id: [UInt8]) async throws -> Bool {
        try await read(sql.selectToken, [id.data]) { _ in true } ?? false
    }

    /// Runs a statement that writes, in its own transaction, to its end: `fetchAll` and not `fetchOne`.
    private func change<Value: Sendable>(
        _ sql: String, _ arguments: StatementArguments, _ decode: @escaping @Sendable (Row) throws -> Value
    ) async throws -> Value? {
        try await database.write { database in
            try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).first.map(decode)
        }
    }

    private func changed(_ sql: String, _ arguments: StatementArguments) async throws -> Bool {
        try await change(sql, arguments) { _ in true } ?? false
    }

    private func read<Value: Sendable>(
        _ sql: String, _ arguments: StatementArguments, _ decode: @escaping @Sendable (Row) throws -> Value
    ) async throws -> Value? {
        try await database.read { database in
            try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments).map(decode)
        }
    }
}
