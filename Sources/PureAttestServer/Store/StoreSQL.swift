/// An SQL statement of an operation, and how many of the operation's parameters to bind.
public struct StoreStatement: Hashable, Sendable {
    /// The statement.
    public let sql: String
    /// The number of the last parameter that the statement uses, counted from 1. The statement need not use every
    /// earlier parameter.
    public let parameterCount: Int

    init(_ sql: String, parameters count: Int) {
        self.sql = sql
        parameterCount = count
    }
}

/// The statements of a ``RelyingPartyStore`` in SQL, for SQLite, Cloudflare D1 and PostgreSQL at their default
/// isolation levels. D1 is SQLite without interactive transactions.
///
/// Most operations are one statement that checks its condition and changes the rows. On PostgreSQL this includes
/// ``insertKey`` and ``recordUse``, which change a key and consume a challenge. On SQLite, each of these two operations
/// consists of three statements. Run them in one transaction (on D1: in one batch). No statement needs the results of
/// an earlier statement. The last row that the statements return holds the ``Outcome`` as one number.
///
/// Each operation lists its parameters in order. Identifiers, keys, accounts and receipts are bytes. Times are seconds
/// since 1970, as 64-bit numbers. The article <doc:SQLStores> shows all statements and explains why they are correct.
public struct StoreSQL: Hashable, Sendable {
    /// A database system.
    public enum Dialect: Hashable, Sendable, CaseIterable {
        /// SQLite from 3.37 on (`STRICT`), and Cloudflare D1.
        case sqlite
        /// PostgreSQL from 9.5 on (`ON CONFLICT`).
        case postgreSQL
    }

    /// The number in the last row that the statements of ``insertKey`` or ``recordUse`` return.
    public enum Outcome: Int, Hashable, Sendable {
        /// Nothing was inserted or replaced, because the table holds a different state of the key.
        case otherState = 0
        /// The key was inserted or replaced.
        case done = 1
        /// The challenge was consumed before; nothing changed.
        case alreadyConsumed = 2
    }

    /// The database system.
    let dialect: Dialect

    /// Creates the statements for a database system.
    public init(_ dialect: Dialect) {
        self.dialect = dialect
    }

    var bytes: String { dialect == .sqlite ? "BLOB" : "BYTEA" }
    private var integer: String { dialect == .sqlite ? "INTEGER" : "BIGINT" }
    var strict: String { dialect == .sqlite ? " STRICT" : "" }

    /// Returns the placeholder of parameter `index`, from 1.
    func p(_ index: Int) -> String { (dialect == .sqlite ? "?" : "$") + String(index) }

    /// Creates the tables and indexes. Run each statement once.
    public var schema: [String] {
        [
            """
            CREATE TABLE IF NOT EXISTS attested_keys (
                key_id \(bytes) PRIMARY KEY NOT NULL,
                record \(bytes) NOT NULL,
                counter \(integer) NOT NULL,
                account \(bytes),
                receipt \(bytes) NOT NULL,
                receipt_due_at \(integer),
                registered_at \(integer) NOT NULL,
                last_used_at \(integer),
                revoked_at \(integer)
            )\(strict)
            """,
            "CREATE INDEX IF NOT EXISTS attested_keys_by_account ON attested_keys (account, key_id)",
            "CREATE INDEX IF NOT EXISTS attested_keys_by_receipt ON attested_keys (receipt_due_at)",
            """
            CREATE TABLE IF NOT EXISTS consumed_tokens (
                id \(bytes) PRIMARY KEY NOT NULL,
                until_time \(integer) NOT NULL
            )\(strict)
            """,
            "CREATE INDEX IF NOT EXISTS consumed_tokens_by_time ON consumed_tokens (until_time)",
            """
            CREATE TABLE IF NOT EXISTS budget_periods (
                holder \(bytes) NOT NULL,
                ends_at \(integer) NOT NULL,
                requests \(integer) NOT NULL,
                units \(integer) NOT NULL,
                PRIMARY KEY (holder, ends_at)
            )\(strict)
            """,
            "CREATE INDEX IF NOT EXISTS budget_periods_by_end ON budget_periods (ends_at)",
        ]
    }

    /// Migrates the tables of the package version that stored challenges. Run it in a transaction before ``schema``.
    public var migration: [String] {
        [
            "ALTER TABLE attested_keys ADD COLUMN receipt_due_at \(integer)",
            "ALTER TABLE attested_keys ADD COLUMN last_used_at \(integer)",
            "DROP INDEX attested_keys_by_account",
            "ALTER TABLE denied_tokens RENAME TO consumed_tokens",
            "DROP INDEX denied_tokens_by_time",
            "DROP TABLE challenges",
        ]
    }

    /// Drops a table left by an older version of the package, which identified budget periods by number. Run it when no
    /// process of that version is running.
    public var budgetMigration: [String] { ["DROP TABLE IF EXISTS budgets"] }

    private var columns: String {
        "record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at"
    }

    /// Performs ``RelyingPartyStore/key(_:)``. Parameter: key ID.
    public var selectKey: String { "SELECT \(columns) FROM attested_keys WHERE key_id = \(p(1))" }

    /// Performs ``RelyingPartyStore/insertKey(_:consuming:)``. Parameters: ``/PureAttestServerCore/ConsumedToken/id``,
    /// ``/PureAttestServerCore/ConsumedToken/until``, key ID, serialized key, counter, account or NULL, receipt, time
    /// of the next receipt query or NULL, time of registration. After ``Outcome/otherState``, ``selectKey`` returns the
    /// existing record, because rows are never deleted.
    public var insertKey: [StoreStatement] {
        let columns = "key_id, record, counter, account, receipt, receipt_due_at, registered_at"
        switch dialect {
        case .sqlite:
            return [
                StoreStatement("SELECT 2 AS outcome FROM consumed_tokens WHERE id = ?1", parameters: 1),
                StoreStatement(
                    """
                    INSERT INTO consumed_tokens (id, until_time) VALUES (?1, ?2)
                    ON CONFLICT (id) DO NOTHING
                    RETURNING 0 AS outcome
                    """, parameters: 2),
                StoreStatement(
                    """
                    INSERT INTO attested_keys (\(columns))
                    SELECT ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE changes() = 1
                    ON CONFLICT (key_id) DO NOTHING
                    RETURNING 1 AS outcome
                    """, parameters: 9),
            ]
        case .postgreSQL:
            return [
                StoreStatement(
                    """
                    WITH consumed AS (
                        INSERT INTO consumed_tokens (id, until_time) VALUES ($1, $2)
                        ON CONFLICT (id) DO NOTHING
                        RETURNING id
                    ), inserted AS (
                        INSERT INTO attested_keys (\(columns))
                        SELECT $3::BYTEA, $4::BYTEA, $5::BIGINT, $6::BYTEA, $7::BYTEA, $8::BIGINT, $9::BIGINT FROM consumed
                        ON CONFLICT (key_id) DO NOTHING
                        RETURNING key_id
                    )
                    SELECT CASE
                        WHEN EXISTS (SELECT FROM inserted) THEN 1
                        WHEN EXISTS (SELECT FROM consumed) THEN 0
                        ELSE 2
                    END AS outcome
                    """, parameters: 9)
            ]
        }
    }

    /// Performs ``RelyingPartyStore/recordUse(from:to:at:consuming:)``. Parameters:
    /// ``/PureAttestServerCore/ConsumedToken/id``, ``/PureAttestServerCore/ConsumedToken/until``, key ID, serialized
    /// current key, counter of the next key, serialized next key, time. Comparing `record` makes the comparison of
    /// `counter` redundant.
    public var recordUse: [StoreStatement] {
        switch dialect {
        case .sqlite:
            return [
                StoreStatement(
                    "SELECT CASE WHEN EXISTS (SELECT 1 FROM consumed_tokens WHERE id = ?1) THEN 2 ELSE 0 END AS outcome",
                    parameters: 1),
                StoreStatement(
                    """
                    INSERT INTO consumed_tokens (id, until_time)
                    SELECT ?1, ?2 FROM attested_keys
                    WHERE key_id = ?3 AND record = ?4 AND counter <= ?5 AND revoked_at IS NULL
                    ON CONFLICT (id) DO NOTHING
                    """, parameters: 5),
                StoreStatement(
                    """
                    UPDATE attested_keys SET record = ?6, counter = ?5, last_used_at = ?7
                    WHERE key_id = ?3 AND changes() = 1
                    RETURNING 1 AS outcome
                    """, parameters: 7),
            ]
        case .postgreSQL:
            return [
                StoreStatement(
                    """
                    WITH current AS (
                        SELECT key_id FROM attested_keys
                        WHERE key_id = $3 AND record = $4 AND counter <= $5 AND revoked_at IS NULL
                        FOR UPDATE
                    ), consumed AS (
                        INSERT INTO consumed_tokens (id, until_time)
                        SELECT $1::BYTEA, $2::BIGINT FROM current
                        ON CONFLICT (id) DO NOTHING
                        RETURNING id
                    ), recorded AS (
                        UPDATE attested_keys SET record = $6, counter = $5, last_used_at = $7
                        FROM consumed
                        WHERE key_id = $3
                        RETURNING key_id
                    )
                    SELECT CASE
                        WHEN EXISTS (SELECT FROM recorded) THEN 1
                        WHEN EXISTS (SELECT FROM current) OR EXISTS (SELECT FROM consumed_tokens WHERE id = $1) THEN 2
                        ELSE 0
                    END AS outcome
                    """, parameters: 7)
            ]
        }
    }

    /// Performs ``RelyingPartyStore/revokeKey(_:at:)``. Parameters: key ID, time. Returns a row if
    /// the statement revoked the key.
    public var revokeKey: String {
        """
        UPDATE attested_keys SET revoked_at = \(p(2))
        WHERE key_id = \(p(1)) AND revoked_at IS NULL
        RETURNING key_id
        """
    }

    /// Performs ``RelyingPartyStore/keys(of:after:limit:)``. Parameters: account, the last key ID of the previous page
    /// (zero bytes long for the first page), limit.
    public var selectKeys: String {
        """
        SELECT \(columns) FROM attested_keys
        WHERE account = \(p(1)) AND key_id > \(p(2))
        ORDER BY key_id LIMIT \(p(3))
        """
    }

    /// Performs ``RelyingPartyStore/revokeKeys(of:at:)``. Parameters: account, time. Returns a row per revoked key.
    public var revokeKeys: String {
        """
        UPDATE attested_keys SET revoked_at = \(p(2))
        WHERE account = \(p(1)) AND revoked_at IS NULL
        RETURNING key_id
        """
    }

    /// Performs ``RelyingPartyStore/claimDueReceipts(of:at:until:limit:)``. Parameters: time, postponed time, limit,
    /// the bytes of the scope. Returns rows with the columns of ``selectKey``, in any order.
    public var claimDueReceipts: String {
        // Every scope contains the beginning of a record that is too short.
        let count = ReceiptScope.byteCountPerApp, app = "substr(record, 2, \(count))"
        let position = dialect == .sqlite ? "instr(?4, \(app))" : "position(\(app) in $4)"
        let due = """
            WHERE receipt_due_at <= \(p(1)) AND revoked_at IS NULL
                    AND length(record) > \(count) AND \(position) > 0
                ORDER BY receipt_due_at LIMIT \(p(3))
            """
        return switch dialect {
        case .sqlite:
            """
            UPDATE attested_keys SET receipt_due_at = ?2
            WHERE key_id IN (
                SELECT key_id FROM attested_keys
                \(due)
            )
            RETURNING \(columns)
            """
        case .postgreSQL:
            """
            WITH due AS (
                SELECT key_id AS due_id FROM attested_keys
                \(due) FOR UPDATE SKIP LOCKED
            )
            UPDATE attested_keys SET receipt_due_at = $2 FROM due WHERE key_id = due_id
            RETURNING \(columns)
            """
        }
    }

    /// Performs ``RelyingPartyStore/replaceReceipt(of:from:to:dueAt:)``. Parameters: key ID, current receipt, new
    /// receipt, time of the next query or NULL. Returns a row if it replaced the receipt.
    public var replaceReceipt: String {
        """
        UPDATE attested_keys SET receipt = \(p(3)), receipt_due_at = \(p(4))
        WHERE key_id = \(p(1)) AND receipt = \(p(2))
        RETURNING key_id
        """
    }

    /// Performs ``RelyingPartyStore/consume(_:)``. Parameters: ``/PureAttestServerCore/ConsumedToken/id``,
    /// ``/PureAttestServerCore/ConsumedToken/until``. Returns a row if it consumed the token.
    public var consume: String {
        """
        INSERT INTO consumed_tokens (id, until_time) VALUES (\(p(1)), \(p(2)))
        ON CONFLICT (id) DO NOTHING
        RETURNING id
        """
    }

    /// Performs ``RelyingPartyStore/isConsumed(_:)``. Parameter: ``/PureAttestServerCore/ConsumedToken/id``. Returns a
    /// row if the token is consumed.
    public var selectConsumed: String { "SELECT 1 FROM consumed_tokens WHERE id = \(p(1))" }

    /// Performs a part of ``RelyingPartyStore/removeExpired(at:)``, because databases limit the work of one statement.
    /// Repeat the statement until it returns fewer rows than the maximum. Parameters: time, maximum number of rows to
    /// delete. Returns a row for each deleted row.
    public var removeSomeExpired: String {
        """
        DELETE FROM consumed_tokens
        WHERE id IN (SELECT id FROM consumed_tokens WHERE until_time <= \(p(1)) ORDER BY until_time LIMIT \(p(2)))
        RETURNING until_time
        """
    }

    /// Performs ``RelyingPartyStore/spendBudget(_:in:upTo:at:)``. Parameters:
    /// ``/PureAttestServerCore/BudgetPeriod/holder``, end, units, limit on requests, limit on units. Returns a row with
    /// the new sums of requests and units if there was room.
    public var spendBudget: String {
        let values =
            switch dialect {
            case .sqlite: "?1, ?2, 1, ?3 WHERE ?4 >= 1 AND ?5 >= ?3"
            case .postgreSQL:
                "$1::BYTEA, $2::BIGINT, 1, $3::BIGINT WHERE $4::BIGINT >= 1 AND $5::BIGINT >= $3::BIGINT"
            }
        return """
            INSERT INTO budget_periods (holder, ends_at, requests, units)
            SELECT \(values)
            ON CONFLICT (holder, ends_at) DO UPDATE SET requests = budget_periods.requests + 1, units = budget_periods.units + \(p(3))
            WHERE budget_periods.requests + 1 <= \(p(4)) AND budget_periods.units + \(p(3)) <= \(p(5))
            RETURNING requests, units
            """
    }

    /// Performs ``RelyingPartyStore/settleBudget(_:reserved:used:)``. Parameters: holder, end, units reserved and used.
    public var settleBudget: String {
        let (least, greatest) = dialect == .sqlite ? ("min", "max") : ("LEAST", "GREATEST")
        return """
            UPDATE budget_periods SET units = \(least)(\(greatest)(units - \(p(3)) + \(p(4)), 0), \(BudgetAmount.maximum))
            WHERE holder = \(p(1)) AND ends_at = \(p(2))
            """
    }

    /// Performs ``RelyingPartyStore/usedBudget(in:)``. Parameters: holder, end. Returns a row with requests and units,
    /// if the period has a row.
    public var selectBudget: String {
        "SELECT requests, units FROM budget_periods WHERE holder = \(p(1)) AND ends_at = \(p(2))"
    }

    /// Performs a part of ``RelyingPartyStore/removeBudgets(endedAt:)``. Repeat the statement like
    /// ``removeSomeExpired``, which has the same parameters and result.
    public var removeSomeBudgets: String {
        """
        DELETE FROM budget_periods
        WHERE (holder, ends_at) IN (
            SELECT holder, ends_at FROM budget_periods WHERE ends_at <= \(p(1)) ORDER BY ends_at LIMIT \(p(2))
        )
        RETURNING ends_at
        """
    }

    /// The statements of each operation, by the operation's name, without the schema.
    public var operations: [(name: String, statements: [String])] {
        [
            ("selectKey", [selectKey]), ("insertKey", insertKey.map(\.sql)),
            ("recordUse", recordUse.map(\.sql)),
            ("revokeKey", [revokeKey]), ("selectKeys", [selectKeys]), ("revokeKeys", [revokeKeys]),
            ("claimDueReceipts", [claimDueReceipts]), ("replaceReceipt", [replaceReceipt]), ("consume", [consume]),
            ("selectConsumed", [selectConsumed]),
            ("removeSomeExpired", [removeSomeExpired]), ("spendBudget", [spendBudget]),
            ("settleBudget", [settleBudget]),
            ("selectBudget", [selectBudget]),
            ("removeSomeBudgets", [removeSomeBudgets]),
        ]
    }
}
