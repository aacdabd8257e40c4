import DebugSampling
import PureAttest
import PureAttestStoreTesting
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

@Suite struct StoreConformanceTests {
    private static let tasks = debugSample(Array(1...32), every: 4, of: "tasks of a race").count

    @Test func inMemoryStoreConforms() async {
        let violations = await StoreConformance(tasks: Self.tasks) { InMemoryStore() }.violations()
        #expect(violations == [])
    }
    @Test(arguments: debugSample(BrokenStore.Mistake.allCases, every: 26, of: "mistakes of a store"))
    func mistakesAreFound(_ mistake: BrokenStore.Mistake) async {
        let violations = await StoreConformance(tasks: Self.tasks, rounds: 4) { BrokenStore(mistake) }.violations()
        #expect(Set(violations.map(\.rule)).isSuperset(of: mistake.brokenRules), "\(violations)")
        #expect(mistake.breaksNothing == violations.isEmpty)
        #expect(violations.allSatisfy { $0.unexpectedError == (mistake == .throwsAlways) })
    }

    /// Each of these mistakes is the reason for a rule, a sample value or a bound of the suite.
    @Test(
        arguments: debugSample(
            [
                BrokenStore.Mistake.cachesKeys, .usesStaleRecord, .revokesStaleRecord, .replacesReceiptOfStaleRecord,
                .neverAdvances, .comparesCounters, .comparesTokensWithoutCase, .comparesAccountsWithoutCase,
                .truncatesAccounts, .removesByItsClock,
            ], every: 3, of: "mistakes that rules are for"))
    func rulesHaveAStoreThatBreaksThem(_ mistake: BrokenStore.Mistake) async {
        let violations = await StoreConformance(tasks: 8, rounds: 4) { BrokenStore(mistake) }.violations()
        #expect(Set(violations.map(\.rule)).isSuperset(of: mistake.brokenRules), "\(violations)")
        #expect(mistake.breaksNothing == violations.isEmpty, "\(violations)")
    }

    /// An instance that checks only its own memory passes, unless another instance uses the same database.
    @Test func instancesOfOneDatabase() async {
        let alone = await StoreConformance(tasks: 8, rounds: 2) { BrokenStore(.consumesPerInstance) }.violations()
        #expect(alone == [])
        @Sendable func instances(_ mistake: BrokenStore.Mistake) -> StoreInstances<BrokenStore> {
            let database = BrokenStore.Database()
            return StoreInstances((0..<2).map { _ in BrokenStore(mistake, sharing: database) })
        }
        let together = await StoreConformance(tasks: 8, rounds: 4) { instances(.consumesPerInstance) }.violations()
        #expect(together.map(\.rule).contains(.isConsumedOnce))
        // By chance, one run may read every key from the other instance.
        var caching: [StoreViolation.Rule] = []
        for _ in 0..<4 where !caching.contains(.accountKeysAreRevokedTogether) {
            caching += await StoreConformance(tasks: 8) { instances(.cachesKeys) }.violations().map(\.rule)
        }
        #expect(caching.contains(.accountKeysAreRevokedTogether))
        let correct = await StoreConformance(tasks: 8, rounds: 2) { instances(.none) }.violations()
        #expect(correct == [])
        let ofPurchases = await PurchaseStoreConformance(tasks: 8, rounds: 2) {
            let store = InMemoryStore()
            return StoreInstances([store, store])
        }.violations()
        #expect(ofPurchases == [])
    }

    @Test func storeErrorsAreNotRejections() async throws {
        let party = relyingParty(store: BrokenStore(.throwsAlways))
        await #expect(throws: AttestServerError<BrokenStore.Failure>.store(BrokenStore.OutOfOrder())) {
            let client = Client()
            let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
            _ = try await party.authenticate(
                assertion: [], keyID: client.keyID, challenge: challenge.value, at: now)
        }
    }

    @Test func aFullInMemoryStoreForgetsNothing() async throws {
        let store = InMemoryStore(keys: 1, consumed: 3)
        let party = relyingParty(store: store)
        let client = Client()
        try await client.register(with: party)
        await #expect(throws: AttestServerError<InMemoryStoreFull>.store(InMemoryStoreFull())) {
            try await Client(makeDevice(seed: 8)).register(with: party)
        }
        func consumed(_ id: UInt8, _ seconds: Int64 = 1) -> ConsumedToken {
            ConsumedToken(id: [id], until: time(seconds))
        }
        #expect(try store.consume(consumed(1)) && store.consume(consumed(2, 400)))
        #expect(try !store.consume(consumed(1)))
        #expect(throws: InMemoryStoreFull()) { try store.consume(consumed(3)) }
        await #expect(throws: AttestServerError<InMemoryStoreFull>.store(InMemoryStoreFull())) {
            try await client.authenticate(with: party)
        }
        #expect(store.isConsumed([1]) && store.key(client.keyID)?.key.counter == 0)
        // A full store accepts a new entry only if another entry has expired by then.
        #expect(try await client.authenticate(with: party, at: time(1)).record.key.counter == 2)
        #expect(throws: InMemoryStoreFull()) { try store.consume(consumed(3)) }
        #expect(!store.isConsumed([1]) && store.isConsumed([2]))
        await #expect(throws: AttestServerError<InMemoryStoreFull>.store(InMemoryStoreFull())) {
            try await client.authenticate(with: party, at: time(2))
        }
    }

    /// The in-memory store uses at most about 5 KB for a key, even if the unverified receipt is much longer.
    @Test func receiptsInMemoryAreCapped() async throws {
        let store = InMemoryStore()
        let genuine = try await Client().register(with: relyingParty(store: store)).record
        #expect(store.key(genuine.key.keyID) == genuine && !genuine.receipt.isEmpty)
        let limit = InMemoryStore.maximumReceiptByteCount
        for (seed, length, kept) in [(8, limit, limit), (9, limit + 1, 0), (10, 60_000, 0)] as [(UInt64, Int, Int)] {
            let key = try await Client(makeDevice(seed: seed)).register(with: relyingParty()).record.key
            let record = KeyRecord(
                key: key, account: AccountID("user"), receipt: [UInt8](repeating: 1, count: length), receiptDueAt: now,
                registeredAt: now)
            let token = ConsumedToken(id: [UInt8(truncatingIfNeeded: seed)], until: time(1))
            #expect(try store.insertKey(record, consuming: token) == .inserted)
            let stored = try #require(store.key(key.keyID))
            #expect(stored.receipt.count == kept && (stored.receiptDueAt != nil) == (kept > 0))
            #expect(stored.key == key && stored.account == record.account && stored.registeredAt == now)
        }
    }
}
