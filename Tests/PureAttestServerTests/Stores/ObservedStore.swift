import PureAttest
import PureAttestServer
import Synchronization

final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    func add() { value.add(1, ordering: .relaxed) }
}

/// A store that announces each call to an observer before the call, and waits until the observer returns.
final class ObservedStore: RelyingPartyStore {
    typealias Failure = InMemoryStoreFull

    let store: InMemoryStore
    private let before: @Sendable () async -> Void

    init(_ store: InMemoryStore, before: @escaping @Sendable () async -> Void) {
        self.store = store
        self.before = before
    }

    func key(_ keyID: [UInt8]) async -> KeyRecord? {
        await before()
        return store.key(keyID)
    }

    func insertKey(_ record: KeyRecord, consuming token: ConsumedToken) async throws(InMemoryStoreFull) -> KeyInsertion
    {
        await before()
        return try store.insertKey(record, consuming: token)
    }

    func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) async throws(InMemoryStoreFull) -> KeyUse {
        await before()
        return try store.recordUse(from: current, to: next, at: time, consuming: token)
    }

    func revokeKey(_ keyID: [UInt8], at time: UnixTime) async -> Bool {
        await before()
        return store.revokeKey(keyID, at: time)
    }

    func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) async -> [KeyRecord] {
        await before()
        return store.keys(of: account, after: keyID, limit: limit)
    }

    func revokeKeys(of account: AccountID, at time: UnixTime) async -> Int {
        await before()
        return store.revokeKeys(of: account, at: time)
    }

    func claimDueReceipts(
        of scope: ReceiptScope, at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async -> [KeyRecord] {
        await before()
        return store.claimDueReceipts(of: scope, at: time, until: postponed, limit: limit)
    }

    func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async -> Bool {
        await before()
        return store.replaceReceipt(of: keyID, from: current, to: receipt, dueAt: dueAt)
    }

    func consume(_ token: ConsumedToken) async throws(InMemoryStoreFull) -> Bool {
        await before()
        return try store.consume(token)
    }

    func isConsumed(_ id: [UInt8]) async -> Bool {
        await before()
        return store.isConsumed(id)
    }

    func removeExpired(at time: UnixTime) async {
        await before()
        store.removeExpired(at: time)
    }

    func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(InMemoryStoreFull) -> BudgetAmount? {
        await before()
        return try store.spendBudget(units, in: period, upTo: limit, at: time)
    }

    func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async {
        await before()
        store.settleBudget(period, reserved: reserved, used: used)
    }

    func usedBudget(in period: BudgetPeriod) async -> BudgetAmount {
        await before()
        return store.usedBudget(in: period)
    }

    func removeBudgets(endedAt time: UnixTime) async {
        await before()
        store.removeBudgets(endedAt: time)
    }
}
