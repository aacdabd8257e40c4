import Foundation
import PureAttestServer
import Testing

/// The statements on PostgreSQL, through `psql`. Run where `PUREATTEST_POSTGRES` is a connection string to an empty database.
@Suite(
    .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["PUREATTEST_POSTGRES"] != nil, "PUREATTEST_POSTGRES is not set"))
struct PostgreSQLTests {
    private let sql = StoreSQL(.postgreSQL)

    @Test func statementsDoWhatTheySay() throws {
        try setUp()
        let (id, key) = (bytes("00ff27"), bytes("5c00"))
        let values = [id, bytes("01"), "1", key, "NULL", "10", "70"]
        #expect(try run(sql.insertChallenge, values) == [])
        #expect(try run(sql.consumeChallenge, [id]) == [#"\x00ff27|\x01|1|\x5c00||10|70"#])
        #expect(try run(sql.consumeChallenge, [id]) == [])

        let record = [key, bytes("aa"), "0", bytes("75"), bytes(""), "10", "NULL"]
        #expect(try run(sql.insertKey, record) == [#"\x5c00"#])
        #expect(try run(sql.insertKey, [key, bytes("bb"), "9", "NULL", bytes(""), "11", "NULL"]) == [])
        #expect(try run(sql.selectKey, [key]) == [#"\xaa|\x75|\x|10|"#])
        // The greatest counter, above what 32 bits with a sign hold.
        #expect(try run(sql.advanceCounter, [key, bytes("aa"), bytes("ab"), "4294967295"]) == [#"\x5c00"#])
        #expect(try run(sql.advanceCounter, [key, bytes("aa"), bytes("ac"), "4294967295"]) == [])
        #expect(try run(sql.advanceCounter, [key, bytes("ab"), bytes("ac"), "1"]) == [])
        #expect(try run(sql.revokeKey, [key, "20"]) == [#"\x5c00"#])
        #expect(try run(sql.revokeKey, [key, "21"]) == [])
        #expect(try run(sql.advanceCounter, [key, bytes("ab"), bytes("ad"), "4294967295"]) == [])
        #expect(try run(sql.selectKey, [key]) == [#"\xab|\x75|\x|10|20"#])

        #expect(try run(sql.selectToken, [id]) == [])
        #expect(try run(sql.denyToken, [id, "100"]) == [#"\x00ff27"#])
        #expect(try run(sql.denyToken, [id, "200"]) == [])
        #expect(try run(sql.selectToken, [id]) == ["1"])

        #expect(try run(sql.insertChallenge, values) == [])
        #expect(try run(sql.removeExpiredChallenges, ["69"]) == [] && run(sql.removeExpiredTokens, ["99"]) == [])
        #expect(try run(sql.selectToken, [id]) == ["1"])
        #expect(try run(sql.removeExpiredChallenges, ["70"]) == [] && run(sql.removeExpiredTokens, ["100"]) == [])
        #expect(try run(sql.selectToken, [id]) == [] && run(sql.consumeChallenge, [id]) == [])
    }

    /// Sessions that all wait for the same moment and then run one statement.
    @Test func ofRacingSessionsOneWins() throws {
        try setUp()
        for round in 0..<3 {
            let id = bytes("0\(round)")
            _ = try run(sql.insertChallenge, [id, bytes("01"), "2", bytes("02"), "NULL", "10", "70"])
            #expect(try winners(sql.consumeChallenge) { _ in [id] } == 1)
            #expect(
                try winners(sql.insertKey) { [id, bytes("a\($0)"), "0", "NULL", bytes(""), "10", "NULL"] } == 1)
            let record = try run(sql.selectKey, [id])[0].split(separator: "|")[0].dropFirst(2)
            #expect(
                try winners(sql.advanceCounter) { [id, bytes(String(record)), bytes("b\($0)"), "\($0 + 1)"] } == 1)
            #expect(try winners(sql.denyToken) { _ in [id, "100"] } == 1)
            #expect(try winners(sql.revokeKey) { [id, "\($0)"] } == 1)
        }
    }

    private func bytes(_ hex: String) -> String { "'\\x\(hex)'::bytea" }

    private func setUp() throws {
        let tables = ["challenges", "attested_keys", "denied_tokens"].map { "DROP TABLE IF EXISTS \($0);" }
        // Twice: the tables may be there.
        _ = try psql((tables + (sql.schema + sql.schema).map { $0 + ";" }).joined(separator: "\n"))
    }

    private func run(_ statement: String, _ parameters: [String]) throws -> [String] {
        try psql(prepared(statement, parameters))
    }

    private func prepared(_ statement: String, _ parameters: [String]) -> String {
        "PREPARE statement AS \(statement);\nEXECUTE statement(\(parameters.joined(separator: ", ")));"
    }

    private func winners(_ statement: String, _ parameters: (Int) -> [String]) throws -> Int {
        let moment = Date().addingTimeInterval(1.5).timeIntervalSince1970
        let processes = try (0..<6).map { index in
            try start(
                "DO $$ BEGIN PERFORM pg_sleep(greatest(0, \(moment) - extract(epoch FROM clock_timestamp()))); END $$;\n"
                    + prepared(statement, parameters(index)))
        }
        return try processes.map(lines).filter { !$0.isEmpty }.count
    }

    private func psql(_ script: String) throws -> [String] { try lines(start(script)) }

    private func start(_ script: String) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "psql", "-XqAt", "-v", "ON_ERROR_STOP=1",
            ProcessInfo.processInfo.environment["PUREATTEST_POSTGRES"] ?? "",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["PGOPTIONS": "-c client_min_messages=warning"]) { $1 }
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(Data(script.utf8))
        try input.fileHandleForWriting.close()
        return (process, output)
    }

    private func lines(_ running: (Process, Pipe)) throws -> [String] {
        let text = try running.1.fileHandleForReading.readToEnd() ?? Data()
        running.0.waitUntilExit()
        try #require(running.0.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
