import PureBytes

/// A CBOR map: entries in the order of the input, with distinct keys.
public struct CBORMap: Sendable {
    /// A key and its value.
    public struct Entry: Sendable {
        /// The key.
        public let key: CBORValue
        /// The value.
        public let value: CBORValue
    }

    /// The entries, in the order of the input.
    public let entries: [Entry]
    /// Indices of `entries` in ascending order of keys, or `nil` if `entries` is already sorted. Sorting finds
    /// duplicates in n·log n comparisons, even if an attacker chooses the keys. Hashing is not used, because it needs a
    /// random seed, which Embedded Swift may lack.
    private let sorted: [Int]?

    /// Rejects maps with two keys that are equal in the data model (RFC 8949 §5.3.1, §5.6).
    init(_ entries: [Entry]) throws(CBORError) {
        self.entries = entries
        // Most encoders write sorted keys. Such maps need no index.
        if entries.indices.dropFirst().allSatisfy({ entries[$0 - 1].key.compare(to: entries[$0].key) < 0 }) {
            sorted = nil
            return
        }
        sorted = sortedIndices(count: entries.count) { entries[$0].key < entries[$1].key }
        if sorted == nil { throw .duplicateMapKey }
    }

    /// Returns the index of the `rank`-th key in ascending order.
    private func index(rank: Int) -> Int { sorted?[rank] ?? rank }

    /// The number of entries.
    public var count: Int { entries.count }

    /// Looks up the value of `key` by binary search.
    public subscript(_ key: CBORValue) -> CBORValue? {
        var candidates = 0..<count
        while !candidates.isEmpty {
            let middle = candidates.lowerBound + candidates.count / 2
            let index = index(rank: middle)
            let result = key.compare(to: entries[index].key)
            if result == 0 { return entries[index].value }
            candidates = result < 0 ? candidates.lowerBound..<middle : middle + 1..<candidates.upperBound
        }
        return nil
    }

    /// Looks up the value of the text key `text` by linear search, without a heap allocation.
    public subscript(text text: StaticString) -> CBORValue? {
        // Uses indices, because iterating would copy each entry.
        entries.indices.first { entries[$0].key.isText(text) }.map { entries[$0].value }
    }

    /// Whether the keys are sorted as deterministic encoding requires (RFC 8949 §4.2.1). Ignores nested maps.
    public var isInDeterministicOrder: Bool { sorted == nil }

    func compare(to other: CBORMap) -> Int {
        guard count == other.count else { return count < other.count ? -1 : 1 }
        for rank in entries.indices {
            let (left, right) = (entries[index(rank: rank)], other.entries[other.index(rank: rank)])
            let key = left.key.compare(to: right.key)
            if key != 0 { return key }
            let value = left.value.compare(to: right.value)
            if value != 0 { return value }
        }
        return 0
    }
}
