public import PureAttest
public import PureAttestServer
import Synchronization

/// Several instances of a store that share one database, as in servers with several processes. Each call goes to the
/// next instance.
///
/// A store that keeps a lock, a cache or a set of consumed tokens in its own memory breaks rules only with at least two
/// instances:
///
///     let violations = await StoreConformance {
///         let url = try emptyDatabase()
///         return StoreInstances([try MyStore(url), try MyStore(url)])
///     }.violations()
public final class StoreInstances<Store: Sendable>: Sendable {
    private let stores: [Store]
    private let calls = Atomic(0)

    /// Creates a store from at least one instance. All instances must use the same empty database.
    public init(_ stores: [Store]) {
        precondition(!stores.isEmpty, "no instances")
        self.stores = stores
    }

    private var next: Store {
        let (call, _) = calls.wrappingAdd(1, ordering: .relaxed)
        return stores[call % stores.count]
    }
}

extension StoreInstances: RelyingPartyStore where Store: RelyingPartyStore {
    /// The error that each instance throws.
    public typealias Failure = Store.Failure

    /// Calls the next instance.
    public func key(_ keyID: [UInt8]) async throws(Failure) -> KeyRecord? { try await next.key(keyID) }

    /// Calls the next instance.
    public func insertKey(
        _ record: KeyRecord, consuming token: ConsumedToken
    ) async throws(Failure) -> KeyInsertion { try await next.insertKey(record, consuming: token) }

    /// Calls the next instance.
    public func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) async throws(Failure) -> KeyUse {
        try await self.next.recordUse(from: current, to: next, at: time, consuming: token)
    }

    /// Calls the next instance.
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool {
        try await next.revokeKey(keyID, at: time)
    }

    /// Calls the next instance.
    public func keys(
        of account: AccountID, after keyID: [UInt8]?, limit: Int
    ) async throws(Failure) -> [KeyRecord] { try await next.keys(of: account, after: keyID, limit: limit) }

    /// Calls the next instance.
    public func revokeKeys(of account: AccountID, at time: UnixTime) async throws(Failure) -> Int {
        try await next.revokeKeys(of: account, at: time)
    }

    /// Calls the next instance.
    public func claimDueReceipts(
        at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws(Failure) -> [KeyRecord] {
        try await next.claimDueReceipts(at: time, until: postponed, limit: limit)
    }

    /// Calls the next instance.
    public func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(Failure) -> Bool {
        try await next.replaceReceipt(of: keyID, from: current, to: receipt, dueAt: dueAt)
    }

    /// Calls the next instance.
    public func consume(_ token: ConsumedToken) async throws(Failure) -> Bool { try await next.consume(token) }

    /// Calls the next instance.
    public func isConsumed(_ id: [UInt8]) async throws(Failure) -> Bool { try await next.isConsumed(id) }

    /// Calls the next instance.
    public func removeExpired(at time: UnixTime) async throws(Failure) { try await next.removeExpired(at: time) }

    /// Calls the next instance.
    public func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(Failure) -> BudgetAmount? {
        try await next.spendBudget(units, in: period, upTo: limit, at: time)
    }

    /// Calls the next instance.
    public func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async throws(Failure) {
        try await next.settleBudget(period, reserved: reserved, used: used)
    }

    /// Calls the next instance.
    public func usedBudget(in period: BudgetPeriod) async throws(Failure) -> BudgetAmount {
        try await next.usedBudget(in: period)
    }

    /// Calls the next instance.
    public func removeBudgets(endedAt time: UnixTime) async throws(Failure) {
        try await next.removeBudgets(endedAt: time)
    }
}

extension StoreInstances: PurchaseStore where Store: PurchaseStore {
    /// Calls the next instance.
    public func purchaseRow(_ name: [UInt8]) async throws(Store.Failure) -> [UInt8]? {
        try await next.purchaseRow(name)
    }

    /// Calls the next instance.
    public func replacePurchaseRow(
        _ name: [UInt8], from current: [UInt8]?, to next: [UInt8]
    ) async throws(Store.Failure) -> Bool {
        try await self.next.replacePurchaseRow(name, from: current, to: next)
    }
}
