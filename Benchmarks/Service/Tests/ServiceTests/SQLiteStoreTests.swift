import Foundation
import GRDB
import PureAttest
import PureAttestServer
import PureAttestStoreTesting
import SQLiteStore
import Testing

@Suite struct SQLiteStoreTests {
    @Test func conforms() async throws {
        let folder = try TemporaryFolder()
        let violations = await StoreConformance(tasks: 16, rounds: 4) { [url = folder.url] in
            try SQLiteStore(path: url.appending(path: UUID().uuidString).path)
        }.violations()
        #expect(violations == [])
    }

    /// Two processes on one file are two pools.
    @Test func twoConnectionsAgree() async throws {
        let folder = try TemporaryFolder()
        let stores = [try SQLiteStore(path: folder.database.path), try SQLiteStore(path: folder.database.path)]
        for round in 0..<10 {
            let challenge = Challenge(
                id: [UInt8](repeating: UInt8(round), count: 16), value: [UInt8](repeating: 1, count: 32),
                purpose: .assertion, keyID: [UInt8](repeating: 2, count: 32), account: nil,
                issuedAt: UnixTime(secondsSince1970: 0), expiresAt: UnixTime(secondsSince1970: 60))
            try await stores[0].insertChallenge(challenge)
            let winners = try await withThrowingTaskGroup(of: Challenge?.self) { group in
                for store in stores + stores { group.addTask { try await store.consumeChallenge(challenge.id) } }
                return try await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
            }
            #expect(winners == 1)
        }
    }

    /// SQLite accepts each statement, with the parameters that its comment lists.
    @Test func statementsCompile() throws {
        let expected = [
            "insertChallenge": 7, "consumeChallenge": 1, "insertKey": 7, "selectKey": 1, "advanceCounter": 4,
            "revokeKey": 2, "denyToken": 2, "selectToken": 1, "removeExpiredChallenges": 1, "removeExpiredTokens": 1,
        ]
        let sql = StoreSQL(.sqlite)
        #expect(sql.statements.count == expected.count)
        let queue = try DatabaseQueue()
        try queue.write { database in
            // Twice: the tables may be there.
            for statement in sql.schema + sql.schema { try database.execute(sql: statement) }
            for (name, text) in sql.statements {
                let statement = try database.makeStatement(sql: text)
                let arguments = StatementArguments([Int?](repeating: nil, count: expected[name] ?? 0))
                try statement.validateArguments(arguments)
            }
        }
    }
}
