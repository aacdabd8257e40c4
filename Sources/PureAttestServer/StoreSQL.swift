/// The statements of a ``RelyingPartyStore`` in SQL: each operation is one statement that decides and changes at once, so that
/// it needs no transaction and no isolation level beyond the default of SQLite, Cloudflare D1 (which is SQLite and has no
/// interactive transactions) and PostgreSQL.
///
/// Parameters are numbered and listed with each statement. Identifiers, keys and accounts are bytes, times are seconds since
/// 1970, numbers of 64 bits. The article <doc:SQLStores> shows them in full.
public struct StoreSQL: Hashable, Sendable {
    /// A database system.
    public enum Dialect: Hashable, Sendable, CaseIterable {
        /// SQLite from 3.35 on (`RETURNING`), and Cloudflare D1.
        case sqlite
        /// PostgreSQL from 9.5 on (`ON CONFLICT`).
        case postgreSQL
    }

    /// The database system.
    public let dialect: Dialect

    /// The statements for a database system.
    public init(_ dialect: Dialect) {
        self.dialect = dialect
    }

    private var bytes: String { dialect == .sqlite ? "BLOB" : "BYTEA" }
    private var integer: String { dialect == .sqlite ? "INTEGER" : "BIGINT" }
    private var strict: String { dialect == .sqlite ? " STRICT" : "" }

    /// Parameter `index`, from 1.
    private func p(_ index: Int) -> String { (dialect == .sqlite ? "?" : "$") + String(index) }

    /// The tables, each statement to be run once.
    public var schema: [String] {
        [
            """
            CREATE TABLE IF NOT EXISTS challenges (
                id \(bytes) PRIMARY KEY NOT NULL,
                value \(bytes) NOT NULL,
                purpose \(integer) NOT NULL CHECK (purpose IN (1, 2)),
                key_id \(bytes) NOT NULL,
                account \(bytes),
                issued_at \(integer) NOT NULL,
                expires_at \(integer) NOT NULL
            )\(strict)
            """,
            "CREATE INDEX IF NOT EXISTS challenges_by_expiry ON challenges (expires_at)",
            """
            CREATE TABLE IF NOT EXISTS attested_keys (
                key_id \(bytes) PRIMARY KEY NOT NULL,
                record \(bytes) NOT NULL,
                counter \(integer) NOT NULL,
                account \(bytes),
                receipt \(bytes) NOT NULL,
                registered_at \(integer) NOT NULL,
                revoked_at \(integer)
            )\(strict)
            """,
            "CREATE INDEX IF NOT EXISTS attested_keys_by_account ON attested_keys (account)",
            """
            CREATE TABLE IF NOT EXISTS denied_tokens (
                id \(bytes) PRIMARY KEY NOT NULL,
                until_time \(integer) NOT NULL
            )\(strict)
            """,
            "CREATE INDEX IF NOT EXISTS denied_tokens_by_time ON denied_tokens (until_time)",
        ]
    }

    /// ``ChallengeStore/insertChallenge(_:)``: id, value, purpose (its raw value), key ID, account or NULL, issued at, expires at.
    public var insertChallenge: String {
        """
        INSERT INTO challenges (id, value, purpose, key_id, account, issued_at, expires_at)
        VALUES (\(p(1)), \(p(2)), \(p(3)), \(p(4)), \(p(5)), \(p(6)), \(p(7)))
        """
    }

    /// ``ChallengeStore/consumeChallenge(_:)``: id. The row, if this statement is the one that removed it.
    public var consumeChallenge: String {
        """
        DELETE FROM challenges WHERE id = \(p(1))
        RETURNING id, value, purpose, key_id, account, issued_at, expires_at
        """
    }

    /// ``ChallengeStore/removeExpired(at:)``, of challenges: time.
    public var removeExpiredChallenges: String { "DELETE FROM challenges WHERE expires_at <= \(p(1))" }

    /// ``ChallengeStore/removeExpired(at:)``, of listed tokens: time.
    public var removeExpiredTokens: String { "DELETE FROM denied_tokens WHERE until_time <= \(p(1))" }

    /// ``KeyStore/insertKey(_:)``: key ID, serialized key, counter, account or NULL, receipt, registered at, revoked at or NULL.
    /// A row, if it was inserted; otherwise ``selectKey`` tells what is there, as rows are never deleted.
    public var insertKey: String {
        """
        INSERT INTO attested_keys (key_id, record, counter, account, receipt, registered_at, revoked_at)
        VALUES (\(p(1)), \(p(2)), \(p(3)), \(p(4)), \(p(5)), \(p(6)), \(p(7)))
        ON CONFLICT (key_id) DO NOTHING
        RETURNING key_id
        """
    }

    /// ``KeyStore/key(_:)``: key ID.
    public var selectKey: String {
        "SELECT record, account, receipt, registered_at, revoked_at FROM attested_keys WHERE key_id = \(p(1))"
    }

    /// ``KeyStore/advanceCounter(from:to:)``: key ID, the current key serialized, the advanced key serialized, its counter. A row,
    /// if it was advanced. The comparison with `counter` says once more what follows from that with `record`.
    public var advanceCounter: String {
        """
        UPDATE attested_keys SET record = \(p(3)), counter = \(p(4))
        WHERE key_id = \(p(1)) AND record = \(p(2)) AND counter <= \(p(4)) AND revoked_at IS NULL
        RETURNING key_id
        """
    }

    /// ``KeyStore/revokeKey(_:at:)``: key ID, time. A row, if it was revoked.
    public var revokeKey: String {
        """
        UPDATE attested_keys SET revoked_at = \(p(2))
        WHERE key_id = \(p(1)) AND revoked_at IS NULL
        RETURNING key_id
        """
    }

    /// ``TokenStore/denyToken(_:until:)``: id, time. A row, if it was not listed.
    public var denyToken: String {
        """
        INSERT INTO denied_tokens (id, until_time) VALUES (\(p(1)), \(p(2)))
        ON CONFLICT (id) DO NOTHING
        RETURNING id
        """
    }

    /// ``TokenStore/isTokenDenied(_:)``: id. A row, if it is listed.
    public var selectToken: String { "SELECT 1 FROM denied_tokens WHERE id = \(p(1))" }

    /// The statements after the schema, by name.
    public var statements: [(name: String, sql: String)] {
        [
            ("insertChallenge", insertChallenge), ("consumeChallenge", consumeChallenge), ("insertKey", insertKey),
            ("selectKey", selectKey), ("advanceCounter", advanceCounter), ("revokeKey", revokeKey),
            ("denyToken", denyToken), ("selectToken", selectToken),
            ("removeExpiredChallenges", removeExpiredChallenges), ("removeExpiredTokens", removeExpiredTokens),
        ]
    }
}
