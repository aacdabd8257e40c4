import Foundation
import PostgreSQLStore
import PureAttest
import PureAttestServer
import PureAttestStoreTesting
import ServiceClient
import Testing

@Suite(.withPostgreSQL) struct PostgreSQLStoreTests {
    @Test func conforms() async throws {
        let server = try PostgreSQLServer.shared.get()
        let violations = await StoreConformance(tasks: 16, rounds: 4) {
            try PostgreSQLStore(server.newSchema(), connections: 6)
        }.violations()
        #expect(violations == [])
        let ofPurchases = await PurchaseStoreConformance(tasks: 16, rounds: 4) {
            try PostgreSQLStore(server.newSchema(), connections: 6)
        }.violations()
        #expect(ofPurchases == [])
    }

    /// To the server, two pools in one process are like two processes.
    @Test func ofRacingPoolsOneWins() async throws {
        let server = try PostgreSQLServer.shared.get()
        let string = try server.newSchema()
        let stores = [
            try PostgreSQLStore(string, connections: 4), try PostgreSQLStore(string, connections: 4),
        ]
        for round in 0..<50 {
            let token = ConsumedToken(
                id: [UInt8](repeating: UInt8(round), count: 17), until: UnixTime(secondsSince1970: 100))
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<16 { group.addTask { try await stores[index % 2].consume(token) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(winners == 1)
        }
    }

    /// The messages do not contain the password.
    @Test(arguments: [
        (
            "postgresql://user:secret@db.example/app",
            "sslmode has to be in it for a server on another machine (verify-full, best)"
        ),
        ("postgresql://user:se/cret@db.example/app", "write @ and / in the user or password as %40 and %2F"),
        ("postgresql://u@h:99999999999/x?sslmode", "libpq can't read it"),
        ("postgresql://localhost/x?unknown=secret", "libpq can't read it"),
        ("nonsense", "libpq can't read it"),
    ])
    func connectionStringsAreCheckedBeforeUse(string: String, message: String) {
        #expect(throws: PostgreSQLFailure.connectionString(message)) { try PostgreSQLStore(string) }
    }

    /// PostgreSQL reports one of these codes if it rolls a transaction back because of a conflict with another
    /// transaction. The store then retries once.
    @Test(arguments: ["40001", "40P01"])
    func aTransactionThatWasTakenBackIsRunOnceMore(state: String) async throws {
        let server = try PostgreSQLServer.shared.get()
        let string = try server.newSchema()
        let schema = try #require(string.split(separator: "D").last.map(String.init))
        let store = try PostgreSQLStore(string, connections: 1)
        try server.sql(
            """
            CREATE SEQUENCE \(schema).calls;
            CREATE TABLE \(schema).failures (n BIGINT);
            INSERT INTO \(schema).failures VALUES (1);
            CREATE FUNCTION \(schema).fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('\(schema).calls') <= (SELECT max(n) FROM \(schema).failures)
                THEN RAISE EXCEPTION 'taken back' USING ERRCODE = '\(state)'; END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER fail BEFORE INSERT ON \(schema).consumed_tokens FOR EACH ROW EXECUTE FUNCTION \(schema).fail();
            """)
        let until = UnixTime(secondsSince1970: 100)
        #expect(try await store.consume(ConsumedToken(id: [1], until: until)))
        try server.sql("INSERT INTO \(schema).failures VALUES (10)")
        await #expect(throws: PostgreSQLFailure.refused(state: state, message: "taken back")) {
            try await store.consume(ConsumedToken(id: [2], until: until))
        }
        #expect(try server.sql("SELECT last_value FROM \(schema).calls") == "4")
    }

    /// The server sends a notice before it ends a connection. The next call uses a new connection.
    @Test func aConnectionThatTheServerEndedIsReplaced() async throws {
        let server = try PostgreSQLServer.shared.get()
        let store = try PostgreSQLStore(server.newSchema() + "&application_name=ended", connections: 1)
        for number in 1...3 as ClosedRange<UInt8> {
            #expect(try await store.consume(ConsumedToken(id: [number], until: UnixTime(secondsSince1970: 100))))
            let ended = "pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'ended'"
            #expect(try server.sql("SELECT " + ended) == "t")
        }
    }

    /// The statement waits too long for a lock. The server ends the statement, and the connection remains usable. The
    /// limit may be shorter than a second, and a store has at least one connection.
    @Test(arguments: [(1, 1_000), (0, 500)])
    func aStatementThatTakesTooLongIsEnded(connections: Int, milliseconds: Int) async throws {
        let server = try PostgreSQLServer.shared.get()
        let string = try server.newSchema()
        let schema = try #require(string.split(separator: "D").last.map(String.init))
        let store = try PostgreSQLStore(
            string + "&application_name=\(schema)", connections: connections,
            statementTimeout: .milliseconds(milliseconds))
        let token = ConsumedToken(id: [1], until: UnixTime(secondsSince1970: 100))
        async let held = server.sql("BEGIN; LOCK TABLE \(schema).consumed_tokens; SELECT pg_sleep(3); COMMIT")
        try await Task.sleep(for: .milliseconds(500))
        let start = ContinuousClock.now
        await #expect(throws: PostgreSQLFailure.timedOut) { try await store.consume(token) }
        #expect(ContinuousClock.now - start < .seconds(2))
        try await Task.sleep(for: .milliseconds(500))
        let running = "FROM pg_stat_activity WHERE application_name = '\(schema)' AND state = 'active'"
        #expect(try server.sql("SELECT count(*) \(running)") == "0")
        _ = try await held
        #expect(try await store.consume(token))
    }

    /// A single statement for all rows could exceed the server's time limit at each attempt. The table would then grow
    /// without bound.
    @Test func expiredRowsAreRemovedInBatches() async throws {
        let server = try PostgreSQLServer.shared.get()
        let string = try server.newSchema()
        let schema = try #require(string.split(separator: "D").last.map(String.init))
        let store = try PostgreSQLStore(string, connections: 1)
        try server.sql(
            """
            CREATE TABLE \(schema).removed (n BIGINT);
            CREATE FUNCTION \(schema).note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO \(schema).removed SELECT count(*) FROM gone;
                RETURN NULL;
            END $$;
            CREATE TRIGGER note AFTER DELETE ON \(schema).consumed_tokens REFERENCING OLD TABLE AS gone
                FOR EACH STATEMENT EXECUTE FUNCTION \(schema).note();
            INSERT INTO \(schema).consumed_tokens SELECT decode(lpad(to_hex(n), 8, '0'), 'hex'), n FROM generate_series(1, 2501) n
            """)
        try await store.removeExpired(at: UnixTime(secondsSince1970: 2_500))
        #expect(try server.sql("SELECT string_agg(n::text, ' ' ORDER BY n) FROM \(schema).removed") == "500 1000 1000")
        #expect(try server.sql("SELECT until_time FROM \(schema).consumed_tokens") == "2501")
    }

    /// A standby lags behind, so it could return a revoked key as valid. To a client, a standby is a read-only server.
    @Test func noConnectionReadsFromAStandby() async throws {
        let server = try PostgreSQLServer()
        // The string cannot permit a standby.
        let string = try server.newSchema() + "&target_session_attrs=any"
        let store = try PostgreSQLStore(string, connections: 1)
        func setReadOnly(_ isReadOnly: Bool) throws {
            try server.sql("ALTER SYSTEM SET default_transaction_read_only = \(isReadOnly ? "on" : "off")")
            try server.sql("SELECT pg_reload_conf()")
        }
        func token(_ number: UInt8) -> ConsumedToken {
            ConsumedToken(id: [number], until: UnixTime(secondsSince1970: 100))
        }
        #expect(try await store.consume(token(0)))
        try setReadOnly(true)
        // The server applies the setting some time later.
        var failure: PostgreSQLFailure?
        for number in 1...100 as ClosedRange<UInt8> where failure == nil {
            do { _ = try await store.consume(token(number)) } catch { failure = error }
            try await Task.sleep(for: .milliseconds(50))
        }
        guard case .refused(state: "25006", _) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        await #expect { try await store.isConsumed([1]) } throws: { error in
            if case .unreachable = error as? PostgreSQLFailure { true } else { false }
        }
        #expect {
            try PostgreSQLStore(string, connections: 1)
        } throws: { error in
            if case .unreachable = error as? PostgreSQLFailure { true } else { false }
        }
        try setReadOnly(false)
        var isBack = false
        for _ in 0..<100 where !isBack {
            isBack = (try? await store.consume(token(200))) != nil
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(isBack)
    }

    /// Uses a separate server, because this test ends the server.
    @Test func theStoreIsOutOfOrderWhileTheServerIsAndRecovers() throws {
        let server = try PostgreSQLServer()
        let service = try RunningService(database: server.connectionString())
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 700))
        try device.attest(over: connection)
        let token = try device.session(over: connection)
        let request = try device.signedSessionRequest(over: connection)
        try server.kill()
        Thread.sleep(forTimeInterval: 0.5)
        for _ in 0..<20 {
            let answer = try connection.send("POST", "/session", json: request)
            #expect(answer.status == 503 && answer.body["error"] == "serverUnavailable")
        }
        #expect(try connection.send("GET", "/protected", token: token).status == 503)
        #expect(try connection.send("GET", "/health").status == 503)
        try server.start()
        // The last answer of the health check expires after a second.
        Thread.sleep(forTimeInterval: 1.1)
        #expect(try connection.send("GET", "/health").status == 200)
        // The service has not decided on the request, so the device repeats it unchanged.
        #expect(try connection.send("POST", "/session", json: request).status == 200)
        #expect(try connection.send("POST", "/session", json: request).status == 409)
        #expect(try connection.send("GET", "/protected", token: token).status == 200)
    }
}
