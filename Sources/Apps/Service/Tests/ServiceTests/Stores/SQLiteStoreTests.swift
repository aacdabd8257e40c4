import Foundation
import PureAttest
import PureAttestServer
import PureAttestStoreTesting
import ServiceClient
import Testing

@testable import SQLiteStore

@Suite struct SQLiteStoreTests {
    @Test func conforms() async throws {
        let folder = try TemporaryFolder()
        let violations = await StoreConformance(tasks: 16, rounds: 4) { [url = folder.url] in
            try SQLiteStore(path: url.appending(path: UUID().uuidString).path)
        }.violations()
        #expect(violations == [])
        let ofPurchases = await PurchaseStoreConformance(tasks: 16, rounds: 4) { [url = folder.url] in
            try SQLiteStore(path: url.appending(path: UUID().uuidString).path)
        }.violations()
        #expect(ofPurchases == [])
    }

    /// With a weaker setting than `FULL`, a power failure would lose acknowledged transactions, and no other test would
    /// notice.
    @Test func acknowledgedWritesAreDurable() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.database.path)
        #expect(try await store.synchronous == 2)
        #expect(try await store.consume(ConsumedToken(id: [1], until: UnixTime(secondsSince1970: 1))))
        // Without the write-ahead log, readers and writers would wait for each other.
        let log = try FileManager.default.attributesOfItem(atPath: folder.database.path + "-wal")
        #expect(log[.size] as? Int ?? 0 > 0)
        #expect(try SQLiteFile(folder.database).run("PRAGMA journal_mode") == [["wal"]])
    }

    @Test func anUnreadableRowDoesNotStopTheReceipts() async throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        try ServiceDevice(RunningService.device(seed: 9)).attest(over: service.connect())
        let file = try SQLiteFile(folder.database)
        try file.run("UPDATE attested_keys SET receipt_due_at = 1")
        try file.run(
            """
            INSERT INTO attested_keys (key_id, record, counter, receipt, receipt_due_at, registered_at)
            SELECT x'00', substr(record, 1, 34), 0, x'00', 0, 0 FROM attested_keys
            """)
        let store = try SQLiteStore(path: folder.database.path)
        let scope = ReceiptScope(apps: [RunningService.app], environment: .production)
        for round in 1...2 as ClosedRange<Int64> {
            let claimed = try await store.claimDueReceipts(
                of: scope, at: UnixTime(secondsSince1970: round), until: UnixTime(secondsSince1970: round + 1),
                limit: 10)
            #expect(claimed.count == 1)
        }
        try file.run("DELETE FROM attested_keys WHERE key_id <> x'00'")
        await #expect(throws: SQLiteFailure.foreignRow) {
            try await store.claimDueReceipts(
                of: scope, at: UnixTime(secondsSince1970: 3), until: UnixTime(secondsSince1970: 4), limit: 10)
        }
    }

    /// To SQLite, two stores in one process are like two processes.
    @Test func twoConnectionsAgree() async throws {
        let folder = try TemporaryFolder()
        let stores = [try SQLiteStore(path: folder.database.path), try SQLiteStore(path: folder.database.path)]
        for round in 0..<10 {
            let token = ConsumedToken(
                id: [UInt8](repeating: UInt8(round), count: 17), until: UnixTime(secondsSince1970: 60))
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for store in stores + stores { group.addTask { try await store.consume(token) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(winners == 1)
        }
    }

    /// Each caller learns the outcome of its own write.
    @Test func aWriteThatFailsTakesNothingOfTheOthersBack() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.database.path)
        try SQLiteFile(folder.database).run(
            """
            CREATE TRIGGER fail BEFORE INSERT ON consumed_tokens WHEN NEW.until_time % 2 = 1
            BEGIN SELECT RAISE(FAIL, 'odd'); END
            """)
        let done = await spendMany(store)
        #expect(done == Set(stride(from: 0, to: 64, by: 2)))
        for number in 0..<64 { #expect(try await store.isConsumed([UInt8(number)]) == (number % 2 == 0)) }
    }

    /// If SQLite rolls back a whole transaction, all writes in this transaction fail, and the next transaction
    /// succeeds.
    @Test func aTransactionThatIsGivenUpIsNobodysSuccess() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.database.path)
        try SQLiteFile(folder.database).run(
            """
            CREATE TRIGGER fail BEFORE INSERT ON consumed_tokens WHEN NEW.until_time = 13
            BEGIN SELECT RAISE(ROLLBACK, 'all'); END
            """)
        let cause = ConsumedToken(id: [13], until: UnixTime(secondsSince1970: 13))
        let failure = await #expect(throws: SQLiteFailure.self) { _ = try await store.consume(cause) }
        guard case .refused(_, "all") = failure else {
            Issue.record(failure ?? SQLiteFailure.takenBack)
            return
        }
        let done = await spendMany(store)
        #expect(!done.contains(13))
        for number in 0..<64 { #expect(try await store.isConsumed([UInt8(number)]) == done.contains(number)) }
        #expect(try await store.consume(ConsumedToken(id: [100], until: UnixTime(secondsSince1970: 100))))
    }

    /// While another process holds the lock, a bounded number of writes waits. All others fail immediately.
    @Test func aBoundedNumberOfWritesWaits() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.database.path, timeout: 60)
        let other = try SQLiteFile(folder.database)
        try other.run("BEGIN IMMEDIATE")
        // One transaction waits for the lock, with at most `capacity` writes, and as many writes wait behind it.
        let count = 2 * GroupCommit.capacity + 100
        let (accepted, overloaded) = await withTaskGroup(of: Bool?.self) { group in
            for number in 0..<count {
                group.addTask {
                    let id = [UInt8(number >> 8), UInt8(number & 0xFF)]
                    let token = ConsumedToken(id: id, until: UnixTime(secondsSince1970: 1))
                    do { return try await store.consume(token) } catch {
                        return error as? SQLiteFailure == .overloaded ? nil : false
                    }
                }
            }
            var (accepted, overloaded) = (0, 0)
            for await outcome in group {
                if let outcome { accepted += outcome ? 1 : 0 } else { overloaded += 1 }
                // Release the lock, so that the accepted writes succeed.
                if outcome == nil, overloaded == 100 { _ = try? other.run("COMMIT") }
            }
            return (accepted, overloaded)
        }
        #expect(overloaded >= 100 && accepted + overloaded == count)
        #expect(try await store.consume(ConsumedToken(id: [1], until: UnixTime(secondsSince1970: 1))))
    }

    /// The store rejects a database without a write-ahead log, in which readers would wait for writers. It also rejects
    /// a path for which each connection would open a separate database.
    @Test func needsAWriteAheadLog() {
        for path in [":memory:", ""] {
            let failure = #expect(throws: SQLiteFailure.self) { _ = try SQLiteStore(path: path) }
            guard case .noWriteAheadLog = failure else { Issue.record("\(path)"); continue }
        }
    }

    @Test func opensAFileThatAnotherProcessIsJustMaking() throws {
        let folder = try TemporaryFolder()
        let url = folder.database
        let isLocked = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            defer { isLocked.signal() }
            guard let other = try? SQLiteFile(url), (try? other.run("BEGIN IMMEDIATE")) != nil else {
                Issue.record("not locked")
                return
            }
            isLocked.signal()
            Thread.sleep(forTimeInterval: 0.3)
            _ = try? other.run("COMMIT")
        }
        isLocked.wait()
        _ = try SQLiteStore(path: url.path)
    }

    /// Concurrently consumes 64 tokens; each token's number is also its expiry. Returns the numbers of the tokens that
    /// the store reports as consumed.
    private func spendMany(_ store: SQLiteStore) async -> Set<Int> {
        await withTaskGroup(of: (Int, Bool).self) { group in
            for number in 0..<64 {
                group.addTask {
                    let token = ConsumedToken(
                        id: [UInt8(number)], until: UnixTime(secondsSince1970: Int64(number)))
                    return (number, (try? await store.consume(token)) ?? false)
                }
            }
            return await group.reduce(into: Set<Int>()) { if $1.1 { $0.insert($1.0) } }
        }
    }
}
