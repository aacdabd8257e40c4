public import PureAttest
import Synchronization

/// The error that a full ``InMemoryStore`` throws if it may not delete any entry.
public struct InMemoryStoreFull: Error, Hashable, Sendable {}

extension InMemoryStoreFull: CustomStringConvertible {
    /// The reason in a sentence.
    public var description: String { "the store in memory has no room" }
}

/// A bounded store in the memory of one process, for tests and for servers that may lose keys on restart. After a
/// restart, each device attests a new key once. A full store throws an error. It never evicts an entry early, because
/// an early eviction would make a consumed value valid again.
public final class InMemoryStore: RelyingPartyStore, PurchaseStore {
    /// The error that a full store throws.
    public typealias Failure = InMemoryStoreFull

    /// The maximum length of a stored receipt in bytes: 6 KiB, one and a half times the largest genuine receipt. By
    /// default registration does not verify the receipt, so its length is limited only by
    /// ``/PureAttest/InputLimits/attestation``. The store drops a receipt of more than 6 KiB but stores the key, which
    /// works without a receipt. ``/PureAttestServerCore/Registration/attestation`` still contains the receipt.
    public static let maximumReceiptByteCount = 6_144

    private let capacity: (keys: Int, consumed: Int)
    private let state: Mutex<State>

    private struct State {
        var keys: [[UInt8]: KeyRecord] = [:]
        var keyIDs: [AccountID: Set<[UInt8]>] = [:]
        var consumed: [[UInt8]: UnixTime] = [:]
        var budgets: [BudgetPeriod: BudgetAmount] = [:]
        var purchaseRows: [[UInt8]: [UInt8]] = [:]
        /// The time of the last deletion of expired entries. A deletion runs at most once a second, because it visits
        /// all entries.
        var sweptConsumed, sweptBudgets: UnixTime?

        mutating func hasRoom(for capacity: Int, at time: UnixTime) -> Bool {
            if consumed.count >= capacity, sweptConsumed != time {
                sweptConsumed = time
                consumed = consumed.filter { $0.value > time }
            }
            return consumed.count < capacity
        }

        /// A row stays for ``/PureAttestServerCore/RelyingPartyConfiguration/clockMargin`` after its period, so a key
        /// may have two rows at a time.
        mutating func hasBudgetRoom(for keys: Int, at time: UnixTime) -> Bool {
            let (capacity, overflow) = keys.multipliedReportingOverflow(by: 2)
            guard !overflow, budgets.count >= capacity else { return true }
            if sweptBudgets != time {
                sweptBudgets = time
                removeBudgets(endedAt: time.adding(-RelyingPartyConfiguration.clockMargin))
            }
            return budgets.count < capacity
        }

        /// Compares only the ends of periods, so current periods of every length stay.
        mutating func removeBudgets(endedAt time: UnixTime) {
            budgets = budgets.filter { $0.key.end > time }
        }

        mutating func revoke(_ keyID: [UInt8], at time: UnixTime) -> Bool {
            guard let record = keys[keyID], record.revokedAt == nil else { return false }
            keys[keyID] = record.revoked(at: time)
            return true
        }
    }

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - keys: the maximum number of keys, at least 1. Each key occupies about 5 KB, mostly for the receipt of at most
    ///     ``maximumReceiptByteCount`` bytes.
    ///   - consumed: the maximum number of consumed challenges and tokens, at least 1, about 100 bytes each. The store
    ///     keeps a consumed challenge for at most the challenge's lifetime plus
    ///     ``/PureAttestServerCore/RelyingPartyConfiguration/clockMargin``, by default 360 seconds in total. The default
    ///     therefore suffices for 2,900 challenges a second.
    public init(keys: Int = 65_536, consumed: Int = 1_048_576) {
        capacity = (max(keys, 1), max(consumed, 1))
        state = Mutex(State())
    }

    /// The number of keys and consumed tokens, including those that ``removeExpired(at:)`` would delete.
    public var count: (keys: Int, consumed: Int) { state.withLock { ($0.keys.count, $0.consumed.count) } }

    /// Returns the record of a key, even if it is revoked.
    public func key(_ keyID: [UInt8]) -> KeyRecord? {
        state.withLock { $0.keys[keyID] }
    }

    /// Consumes the challenge, and stores the key if it is new.
    public func insertKey(_ record: KeyRecord, consuming token: ConsumedToken) throws(InMemoryStoreFull) -> KeyInsertion
    {
        try state.withLock { (state) throws(InMemoryStoreFull) in
            guard state.consumed[token.id] == nil else { return .alreadyConsumed }
            let existing = state.keys[record.key.keyID]
            guard state.hasRoom(for: capacity.consumed, at: record.registeredAt),
                existing != nil || state.keys.count < capacity.keys
            else {
                throw InMemoryStoreFull()
            }
            state.consumed[token.id] = token.until
            if let existing { return .existing(existing) }
            let fits = record.receipt.count <= Self.maximumReceiptByteCount
            state.keys[record.key.keyID] = fits ? record : record.replacingReceipt(with: [], dueAt: nil)
            if let account = record.account { state.keyIDs[account, default: []].insert(record.key.keyID) }
            return .inserted
        }
    }

    /// Replaces `current` by `next` and consumes the challenge, or changes nothing.
    public func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) throws(InMemoryStoreFull) -> KeyUse {
        try state.withLock { (state) throws(InMemoryStoreFull) in
            guard state.consumed[token.id] == nil else { return .alreadyConsumed }
            guard let record = state.keys[current.keyID], record.key == current, record.revokedAt == nil,
                next.keyID == current.keyID
            else { return .keyChanged }
            guard state.hasRoom(for: capacity.consumed, at: time) else { throw InMemoryStoreFull() }
            state.consumed[token.id] = token.until
            state.keys[current.keyID] = record.used(at: time, as: next)
            return .recorded
        }
    }

    /// Revokes a key. Returns whether this call revoked the key.
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) -> Bool {
        state.withLock { $0.revoke(keyID, at: time) }
    }

    /// Returns the keys of an account after `keyID`, ordered by identifier.
    public func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) -> [KeyRecord] {
        state.withLock { state in
            state.keyIDs[account, default: []]
                .filter { id in keyID.map { $0.lexicographicallyPrecedes(id) } ?? true }
                .sorted { $0.lexicographicallyPrecedes($1) }
                .prefix(max(limit, 1)).compactMap { state.keys[$0] }
        }
    }

    /// Revokes the keys of an account. Returns how many keys this call revoked.
    public func revokeKeys(of account: AccountID, at time: UnixTime) -> Int {
        state.withLock { state in
            var count = 0
            for keyID in state.keyIDs[account, default: []] where state.revoke(keyID, at: time) { count += 1 }
            return count
        }
    }

    /// Postpones due receipts and returns their records, in time proportional to the number of keys.
    public func claimDueReceipts(
        of scope: ReceiptScope, at time: UnixTime, until postponed: UnixTime, limit: Int
    ) -> [KeyRecord] {
        state.withLock { state in
            let due = state.keys.values.compactMap { record in
                record.revokedAt == nil ? record.receiptDueAt.map { (dueAt: $0, record: record) } : nil
            }.filter { $0.dueAt <= time && scope.contains($0.record.key) }
            return due.sorted { $0.dueAt < $1.dueAt }.prefix(max(limit, 1)).map {
                _, record in
                let claimed = record.replacingReceipt(with: record.receipt, dueAt: postponed)
                state.keys[record.key.keyID] = claimed
                return claimed
            }
        }
    }

    /// Replaces the receipt of a key, if the record holds `current`. Keeps the `current` receipt if the new receipt is
    /// longer than ``maximumReceiptByteCount``.
    public func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) -> Bool {
        state.withLock { state in
            guard let record = state.keys[keyID], record.receipt == current else { return false }
            let kept = receipt.count <= Self.maximumReceiptByteCount ? receipt : current
            state.keys[keyID] = record.replacingReceipt(with: kept, dueAt: dueAt)
            return true
        }
    }

    /// Consumes a token. Returns `true` if the token was not consumed before.
    public func consume(_ token: ConsumedToken) throws(InMemoryStoreFull) -> Bool {
        try state.withLock { (state) throws(InMemoryStoreFull) in
            guard state.consumed[token.id] == nil else { return false }
            guard state.consumed.count < capacity.consumed else { throw InMemoryStoreFull() }
            state.consumed[token.id] = token.until
            return true
        }
    }

    /// Returns whether the identifier is consumed.
    public func isConsumed(_ id: [UInt8]) -> Bool {
        state.withLock { $0.consumed[id] != nil }
    }

    /// Deletes expired consumed tokens, in time proportional to the number of all consumed tokens.
    public func removeExpired(at time: UnixTime) {
        state.withLock { state in state.consumed = state.consumed.filter { $0.value > time } }
    }

    /// Charges a request and units to a budget, if there is room.
    public func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) throws(InMemoryStoreFull) -> BudgetAmount? {
        try state.withLock { (state) throws(InMemoryStoreFull) in
            let used = state.budgets[period]
            // Each number is at most 2⁵³ − 1, so the sums cannot overflow.
            let (requests, sum) = ((used?.requests ?? 0) + 1, (used?.units ?? 0) + units)
            guard requests <= limit.requests, sum <= limit.units else { return nil }
            guard used != nil || state.hasBudgetRoom(for: capacity.keys, at: time) else { throw InMemoryStoreFull() }
            let amount = BudgetAmount(requests: requests, units: sum)
            state.budgets[period] = amount
            return amount
        }
    }

    /// Replaces the reserved units of a period by the used units.
    public func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) {
        state.withLock { state in
            guard let amount = state.budgets[period] else { return }
            state.budgets[period] = BudgetAmount(requests: amount.requests, units: amount.units - reserved + used)
        }
    }

    /// Returns the requests and units charged to a period.
    public func usedBudget(in period: BudgetPeriod) -> BudgetAmount {
        state.withLock { $0.budgets[period] ?? BudgetAmount(requests: 0, units: 0) }
    }

    /// Deletes past periods, in time proportional to the number of rows.
    public func removeBudgets(endedAt time: UnixTime) {
        state.withLock { $0.removeBudgets(endedAt: time) }
    }

    /// Returns the bytes of the row of a purchase or key.
    public func purchaseRow(_ name: [UInt8]) -> [UInt8]? {
        state.withLock { $0.purchaseRows[name] }
    }

    /// Writes the row of a purchase or key, if the row holds `current`. The store has room for four rows per key of its
    /// capacity: two key rows (one for each App Store environment) and two purchases.
    public func replacePurchaseRow(
        _ name: [UInt8], from current: [UInt8]?, to next: [UInt8]
    ) throws(InMemoryStoreFull) -> Bool {
        try state.withLock { (state) throws(InMemoryStoreFull) in
            guard state.purchaseRows[name] == current else { return false }
            guard current != nil || state.purchaseRows.count / 4 < capacity.keys else { throw InMemoryStoreFull() }
            state.purchaseRows[name] = next
            return true
        }
    }
}
