import PureAttest

/// Values by identifier that are dropped when their time is over, oldest first.
struct ExpiringTable<Value> {
    private var entries: [[UInt8]: (value: Value, expiresAt: UnixTime)] = [:]
    /// Identifiers in the order of insertion from `head` on, removed ones among them.
    private var order: [[UInt8]] = []
    private var head = 0

    var count: Int { entries.count }

    func contains(_ id: [UInt8]) -> Bool { entries[id] != nil }

    /// Returns whether `id` was free; an entry that is there stays.
    mutating func insert(_ value: Value, id: [UInt8], expiresAt: UnixTime) -> Bool {
        guard entries[id] == nil else { return false }
        entries[id] = (value, expiresAt)
        order.append(id)
        // At most half of `order` is of removed entries (and 64 more), which makes this constant time on average.
        if order.count > 2 * entries.count + 64 { compact() }
        return true
    }

    mutating func remove(_ id: [UInt8]) -> Value? { entries.removeValue(forKey: id)?.value }

    /// Removes the oldest entry.
    mutating func removeFirst() {
        while head < order.count {
            defer { head += 1 }
            if entries.removeValue(forKey: order[head]) != nil { return }
        }
    }

    /// Removes the oldest entries for as long as they have expired.
    mutating func removeExpiredFirst(at time: UnixTime) {
        while head < order.count {
            if let entry = entries[order[head]] {
                guard entry.expiresAt <= time else { return }
                entries[order[head]] = nil
            }
            head += 1
        }
    }

    /// Removes every entry that has expired, in time proportional to their number.
    mutating func removeAllExpired(at time: UnixTime) {
        entries = entries.filter { $0.value.expiresAt > time }
        compact()
    }

    private mutating func compact() {
        order = order[head...].filter { entries[$0] != nil }
        head = 0
    }
}
