public import PureAttest
import Synchronization

/// The store has no room, and nothing in it may be dropped.
public struct InMemoryStoreFull: Error, Hashable, Sendable {}

extension InMemoryStoreFull: CustomStringConvertible {
    /// The reason in a sentence.
    public var description: String { "the store in memory has no room" }
}

/// A store in the memory of one process, bounded: for tests, and for servers that may forget keys when they restart (devices
/// attest again once).
///
/// Nothing in it is ever pushed out before its time, as that would make what was used good again: what is full says so.
public final class InMemoryStore: RelyingPartyStore {
    /// Why a call fails.
    public typealias Failure = InMemoryStoreFull

    /// How much is kept.
    public struct Capacity: Hashable, Sendable {
        /// Keys, about 5 KB each, most of it the receipt, which is kept up to ``InMemoryStore/maximumReceiptByteCount``.
        public var keys: Int
        /// Consumed challenges and tokens, about 100 bytes each. A challenge stays for its lifetime and
        /// ``RelyingPartyConfiguration/clockMargin``, so that the default is enough for 2,900 of them a second.
        public var consumed: Int

        /// A capacity; at least 1 of each.
        public init(keys: Int = 65_536, consumed: Int = 1_048_576) {
            self.keys = max(keys, 1)
            self.consumed = max(consumed, 1)
        }
    }

    /// The longest receipt that is kept, in bytes: 6 KiB, half as much again as the largest genuine one. Nothing of a receipt is
    /// proved when its key is registered, so a device can send one of any length up to its attestation's. A longer one is dropped
    /// and the key kept without, as the key works all the same; ``Registration/attestation`` still has the receipt.
    public static let maximumReceiptByteCount = 6_144

    private let capacity: Capacity
    private let state: Mutex<State>

    fileprivate struct State {
        var keys: [[UInt8]: KeyRecord] = [:]
        var keyIDs: [AccountID: Set<[UInt8]>] = [:]
        var consumed: [[UInt8]: UnixTime] = [:]
        var budgets: [BudgetPeriod: BudgetAmount] = [:]
        /// When a full table was last searched for what has expired: at most once a second, as that takes time in proportion to how
        /// much there is.
        var sweptConsumed, sweptBudgets: UnixTime?

        /// Whether there is room for one more, at `time`.
        mutating func hasRoom(for capacity: Int, at time: UnixTime) -> Bool {
            if consumed.count >= capacity, sweptConsumed != time {
                sweptConsumed = time
                consumed = consumed.filter { $0.value > time }
            }
            return consumed.count < capacity
        }

        /// Whether there is room for one more row of a budget, at `time`. A key may have two: that of a period that has just ended stays
        /// for ``RelyingPartyConfiguration/clockMargin``.
        mutating func hasBudgetRoom(for keys: Int, at time: UnixTime) -> Bool {
            let (capacity, overflow) = keys.multipliedReportingOverflow(by: 2)
            guard !overflow, budgets.count >= capacity else { return true }
            if sweptBudgets != time {
                sweptBudgets = time
                removeBudgets(endedAt: time.minusClockMargin)
            }
            return budgets.count < capacity
        }

        /// Compares nothing but ends, so that a live period of another relying party stays, however long it is.
        mutating func removeBudgets(endedAt time: UnixTime) {
            budgets = budgets.filter { $0.key.end > time }
        }
    }

    /// An empty store.
    public init(capacity: Capacity = Capacity()) {
        self.capacity = capacity
        state = Mutex(State())
    }

    /// How many keys and consumed tokens there are, those that ``removeExpired(at:)`` would drop included.
    public var count: (keys: Int, consumed: Int) { state.withLock { ($0.keys.count, $0.consumed.count) } }

    /// The record of a key, the revoked ones included.
    public func key(_ keyID: [UInt8]) -> KeyRecord? {
        state.withLock { $0.keys[keyID] }
    }

    /// Consumes the challenge and keeps a key unless it is there. Of a receipt longer than ``maximumReceiptByteCount`` nothing is kept.
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
            state.keys[record.key.keyID] = record.keepingReceipt(upTo: Self.maximumReceiptByteCount)
            if let account = record.account { state.keyIDs[account, default: []].insert(record.key.keyID) }
            return .inserted
        }
    }

    /// Replaces `current` by `next` and consumes the challenge, if the record holds `current` and the challenge is not consumed.
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

    /// Marks a key as revoked; returns whether this call did.
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) -> Bool {
        state.withLock { $0.revoke(keyID, at: time) }
    }

    /// The keys of an account in the order of their identifiers, from after `keyID` on.
    public func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) -> [KeyRecord] {
        state.withLock { state in
            state.keyIDs[account, default: []]
                .filter { id in keyID.map { $0.lexicographicallyPrecedes(id) } ?? true }
                .sorted { $0.lexicographicallyPrecedes($1) }
                .prefix(max(limit, 1)).compactMap { state.keys[$0] }
        }
    }

    /// Marks the keys of an account as revoked; returns how many this call did.
    public func revokeKeys(of account: AccountID, at time: UnixTime) -> Int {
        state.withLock { state in
            var count = 0
            for keyID in state.keyIDs[account, default: []] where state.revoke(keyID, at: time) { count += 1 }
            return count
        }
    }

    /// Puts due receipts off and returns their records. Takes time in proportion to the number of keys.
    public func claimDueReceipts(at time: UnixTime, until postponed: UnixTime, limit: Int) -> [KeyRecord] {
        state.withLock { state in
            let due = state.keys.values.compactMap { record in
                record.revokedAt == nil ? record.receiptDueAt.map { (dueAt: $0, record) } : nil
            }
            return due.filter { $0.dueAt <= time }.sorted { $0.dueAt < $1.dueAt }.prefix(max(limit, 1)).map {
                _, record in
                let claimed = record.replacingReceipt(with: record.receipt, dueAt: postponed)
                state.keys[record.key.keyID] = claimed
                return claimed
            }
        }
    }

    /// Replaces the receipt of a key, if `current` is what the record holds; keeps `current` in place of a longer one than
    /// ``maximumReceiptByteCount``.
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

    /// Remembers a token as consumed; returns whether it was not consumed before.
    public func consume(_ token: ConsumedToken) throws(InMemoryStoreFull) -> Bool {
        try state.withLock { (state) throws(InMemoryStoreFull) in
            guard state.consumed[token.id] == nil else { return false }
            guard state.consumed.count < capacity.consumed else { throw InMemoryStoreFull() }
            state.consumed[token.id] = token.until
            return true
        }
    }

    /// Whether the identifier is remembered.
    public func isConsumed(_ id: [UInt8]) -> Bool {
        state.withLock { $0.consumed[id] != nil }
    }

    /// Deletes expired consumed tokens, in time proportional to their number.
    public func removeExpired(at time: UnixTime) {
        state.withLock { state in state.consumed = state.consumed.filter { $0.value > time } }
    }

    /// Adds to what is used, if there is room for it.
    public func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) throws(InMemoryStoreFull) -> BudgetAmount? {
        try state.withLock { (state) throws(InMemoryStoreFull) in
            let used = state.budgets[period]
            // Two numbers up to 2⁵³ − 1.
            let (requests, sum) = ((used?.requests ?? 0) + 1, (used?.units ?? 0) + units)
            guard requests <= limit.requests, sum <= limit.units else { return nil }
            guard used != nil || state.hasBudgetRoom(for: capacity.keys, at: time) else { throw InMemoryStoreFull() }
            let amount = BudgetAmount(requests: requests, units: sum)
            state.budgets[period] = amount
            return amount
        }
    }

    /// Takes what was reserved from what is used, and adds what it came to.
    public func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) {
        state.withLock { state in
            guard let amount = state.budgets[period] else { return }
            state.budgets[period] = BudgetAmount(requests: amount.requests, units: amount.units - reserved + used)
        }
    }

    /// What is used in a period.
    public func usedBudget(in period: BudgetPeriod) -> BudgetAmount {
        state.withLock { $0.budgets[period] ?? BudgetAmount(requests: 0, units: 0) }
    }

    /// Deletes past periods, in time proportional to how many rows there are.
    public func removeBudgets(endedAt time: UnixTime) {
        state.withLock { $0.removeBudgets(endedAt: time) }
    }
}

extension InMemoryStore.State {
    fileprivate mutating func revoke(_ keyID: [UInt8], at time: UnixTime) -> Bool {
        guard let record = keys[keyID], record.revokedAt == nil else { return false }
        keys[keyID] = record.revoked(at: time)
        return true
    }
}

extension KeyRecord {
    fileprivate func keepingReceipt(upTo limit: Int) -> KeyRecord {
        receipt.count <= limit ? self : replacingReceipt(with: [], dueAt: nil)
    }
}
