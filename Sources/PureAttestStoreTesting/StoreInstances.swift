public import PureAttest
public import PureAttestServer

/// Several instances of a store that share one database, as in servers with several processes. Each call goes to a
/// random instance. If the instances took turns, the reads before and after a change could always use different
/// instances, which would hide a stale cache.
///
/// Some stores keep a lock, a cache or a set of consumed tokens in their own memory. Such a store breaks rules only
/// with at least two instances:
///
///     let violations = await StoreConformance {
///         let url = try emptyDatabase()
///         return StoreInstances([try MyStore(url), try MyStore(url)])
///     }.violations()
public final class StoreInstances<Store: Sendable>: Sendable {
    private let stores: [Store]

    /// Creates a store from at least one instance. All instances must use the same empty database.
    public init(_ stores: [Store]) {
        precondition(!stores.isEmpty, "no instances")
        self.stores = stores
    }

    private var instance: Store { stores[Int.random(in: stores.indices)] }
}

extension StoreInstances: RelyingPartyStore where Store: RelyingPartyStore {
    /// The error that each instance throws.
    public typealias Failure = Store.Failure

    /// Calls a random instance.
    public func key(_ keyID: [UInt8]) async throws(Failure) -> KeyRecord? { try await instance.key(keyID) }

    /// Calls a random instance.
    public func insertKey(
        _ record: KeyRecord, consuming token: ConsumedToken
    ) async throws(Failure) -> KeyInsertion { try await instance.insertKey(record, consuming: token) }

    /// Calls a random instance.
    public func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) async throws(Failure) -> KeyUse {
        try await instance.recordUse(from: current, to: next, at: time, consuming: token)
    }

    /// Calls a random instance.
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool {
        try await instance.revokeKey(keyID, at: time)
    }

    /// Calls a random instance.
    public func keys(
        of account: AccountID, after keyID: [UInt8]?, limit: Int
    ) async throws(Failure) -> [KeyRecord] { try await instance.keys(of: account, after: keyID, limit: limit) }

    /// Calls a random instance.
    public func revokeKeys(of account: AccountID, at time: UnixTime) async throws(Failure) -> Int {
        try await instance.revokeKeys(of: account, at: time)
    }

    /// Calls a random instance.
    public func claimDueReceipts(
        of scope: ReceiptScope, at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws(Failure) -> [KeyRecord] {
        try await instance.claimDueReceipts(of: scope, at: time, until: postponed, limit: limit)
    }

    /// Calls a random instance.
    public func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(Failure) -> Bool {
        try await instance.replaceReceipt(of: keyID, from: current, to: receipt, dueAt: dueAt)
    }

    /// Calls a random instance.
    public func consume(_ token: ConsumedToken) async throws(Failure) -> Bool { try await instance.consume(token) }

    /// Calls a random instance.
    public func isConsumed(_ id: [UInt8]) async throws(Failure) -> Bool { try await instance.isConsumed(id) }

    /// Calls a random instance.
    public func removeExpired(at time: UnixTime) async throws(Failure) { try await instance.removeExpired(at: time) }

    /// Calls a random instance.
    public func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(Failure) -> BudgetAmount? {
        try await instance.spendBudget(units, in: period, upTo: limit, at: time)
    }

    /// Calls a random instance.
    public func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async throws(Failure) {
        try await instance.settleBudget(period, reserved: reserved, used: used)
    }

    /// Calls a random instance.
    public func usedBudget(in period: BudgetPeriod) async throws(Failure) -> BudgetAmount {
        try await instance.usedBudget(in: period)
    }

    /// Calls a random instance.
    public func removeBudgets(endedAt time: UnixTime) async throws(Failure) {
        try await instance.removeBudgets(endedAt: time)
    }
}

extension StoreInstances: PurchaseStore where Store: PurchaseStore {
    /// Calls a random instance.
    public func purchaseRow(_ name: [UInt8]) async throws(Store.Failure) -> [UInt8]? {
        try await instance.purchaseRow(name)
    }

    /// Calls a random instance.
    public func replacePurchaseRow(
        _ name: [UInt8], from current: [UInt8]?, to next: [UInt8]
    ) async throws(Store.Failure) -> Bool {
        try await instance.replacePurchaseRow(name, from: current, to: next)
    }
}
