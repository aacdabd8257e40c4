import DebugSampling
import Foundation
import PureAttest
import PureAttestServer
import PureAttestStoreTesting
import PureDER
import Testing

/// Compares the SQL statements in the article, word for word, with the statements that the store runs.
@Suite struct StoreSQLTests {
    private static let article = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/PureAttestServer/PureAttestServer.docc/SQLStores.md").standardized

    @Test func articleHasTheStatements() throws {
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        var expected: [String] = []
        for dialect in StoreSQL.Dialect.allCases {
            let sql = StoreSQL(dialect)
            for statements in [sql.schema, sql.migration, sql.budgetMigration] + sql.operations.map(\.statements) {
                expected.append(statements.map { $0 + ";" }.joined(separator: "\n"))
            }
            expected += ([sql.purchaseSchema] + sql.purchaseOperations.map(\.statement)).map { $0 + ";" }
        }
        let shown = text.components(separatedBy: "```sql\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
        #expect(shown == expected)
        #expect(expected.count == 44)
    }

    /// Runs the unchanged SQL statements on SQLite, with one transaction per store operation.
    @Test func statementsConformOnSQLite() async throws {
        let rounds = debugSample([1, 2], every: 2, of: "rounds of the races").count
        let tasks = debugSample(Array(1...8), every: 2, of: "tasks of a race").count
        let violations = await StoreConformance(tasks: tasks, rounds: rounds) { try PythonSQLiteStore() }.violations()
        #expect(violations == [])
        let sql = StoreSQL(.sqlite)
        let ofPurchases = await PurchaseStoreConformance(tasks: tasks, rounds: rounds) {
            try PythonSQLiteStore(schema: [sql.purchaseSchema])
        }.violations()
        #expect(ofPurchases == [])
    }

    @Test func migrationKeepsKeysAndTokens() async throws {
        let former = [
            """
            CREATE TABLE challenges (id BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL, purpose INTEGER NOT NULL CHECK (purpose IN
            (1, 2)), key_id BLOB NOT NULL, account BLOB, issued_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT
            """,
            "CREATE INDEX challenges_by_expiry ON challenges (expires_at)",
            """
            CREATE TABLE attested_keys (key_id BLOB PRIMARY KEY NOT NULL, record BLOB NOT NULL, counter INTEGER NOT NULL, account
            BLOB, receipt BLOB NOT NULL, registered_at INTEGER NOT NULL, revoked_at INTEGER) STRICT
            """,
            "CREATE INDEX attested_keys_by_account ON attested_keys (account)",
            "CREATE TABLE denied_tokens (id BLOB PRIMARY KEY NOT NULL, until_time INTEGER NOT NULL) STRICT",
            "CREATE INDEX denied_tokens_by_time ON denied_tokens (until_time)",
        ]
        let record = try await Client().register(with: relyingParty(), account: AccountID("user")).record
        let key = record.key
        let store = try PythonSQLiteStore(schema: former)
        _ = try store.run([
            ("INSERT INTO challenges VALUES (x'01', x'02', 1, x'03', NULL, 1, 2)", []),
            (
                "INSERT INTO attested_keys VALUES (?1, ?2, 0, ?3, ?4, ?5, NULL)",
                [
                    .bytes(key.keyID), .bytes(key.serialized), .bytes(Array("user".utf8)), .bytes(record.receipt),
                    .integer(now.secondsSince1970),
                ]
            ),
            ("INSERT INTO denied_tokens VALUES (x'07', 900)", []),
        ])
        let sql = StoreSQL(.sqlite)
        _ = try store.run((sql.migration + sql.schema).map { ($0, []) })
        #expect(try await store.key(key.keyID) == record.replacingReceipt(with: record.receipt, dueAt: nil))
        #expect(try await store.isConsumed([7]))
        #expect(try await !store.isConsumed([8]))
        #expect(try await store.keys(of: AccountID("user"), after: nil, limit: 2).count == 1)
        func tables(_ store: PythonSQLiteStore) throws -> [String] {
            try store.run([("SELECT CAST(type || ' ' || name AS BLOB) FROM sqlite_schema ORDER BY 1", [])])[0].map {
                "\($0)"
            }
        }
        #expect(try tables(store) == tables(PythonSQLiteStore()))
        // In the schema version after `former`, budget rows contained the number of the period.
        let numbered = try PythonSQLiteStore()
        for statement in [
            """
            CREATE TABLE budgets (holder BLOB NOT NULL, period INTEGER NOT NULL, requests INTEGER NOT NULL, units INTEGER NOT NULL,
            PRIMARY KEY (holder, period)) STRICT
            """,
            "CREATE INDEX budgets_by_period ON budgets (period)", "INSERT INTO budgets VALUES (x'01', 20000, 1, 1)",
        ] { _ = try numbered.run([(statement, [])]) }
        _ = try numbered.run((sql.budgetMigration + sql.schema).map { ($0, []) })
        #expect(try tables(numbered) == tables(PythonSQLiteStore()))
        func columns(_ store: PythonSQLiteStore, _ table: String) throws -> Set<String> {
            Set(
                try store.run([
                    (
                        "SELECT CAST(name || ' ' || type || ' ' || \"notnull\" AS BLOB) FROM pragma_table_info(?1)",
                        [.text(table)]
                    )
                ])[0]
                .map { "\($0)" })
        }
        for table in ["attested_keys", "consumed_tokens", "budget_periods"] {
            #expect(try columns(store, table) == columns(PythonSQLiteStore(), table))
        }
    }
}
