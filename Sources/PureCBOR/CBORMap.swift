/// A CBOR map: entries in the order of the input, no two with the same key.
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
    /// Indices of `entries`, their keys ascending. Sorting finds duplicates in n·log n comparisons whatever the keys are,
    /// where hashing would rely on a seed that Embedded Swift may not have.
    private let sorted: [Int]

    /// RFC 8949 §5.3.1, §5.6: no two keys are one value of the data model.
    init(_ entries: [Entry]) throws(CBORError) {
        let sorted = entries.indices.sorted { entries[$0].key < entries[$1].key }
        for (left, right) in zip(sorted, sorted.dropFirst()) where entries[left].key == entries[right].key {
            throw .duplicateMapKey
        }
        self.entries = entries
        self.sorted = sorted
    }

    /// The number of entries.
    public var count: Int { entries.count }

    /// The value of `key`; binary search.
    public subscript(_ key: CBORValue) -> CBORValue? {
        var candidates = sorted[...]
        while let middle = candidates.indices.dropFirst(candidates.count / 2).first {
            let entry = entries[candidates[middle]]
            let result = key.compare(to: entry.key)
            if result == 0 { return entry.value }
            candidates = result < 0 ? candidates[..<middle] : candidates[(middle + 1)...]
        }
        return nil
    }

    /// The value of the text key `text`; linear search without a heap allocation.
    public subscript(text text: StaticString) -> CBORValue? {
        entries.first { $0.key.isText(text) }?.value
    }

    /// Whether the keys come in the order of deterministic encoding (RFC 8949 §4.2.1); nested maps are not looked at.
    public var isInDeterministicOrder: Bool { sorted.elementsEqual(entries.indices) }

    func compare(to other: CBORMap) -> Int {
        guard count == other.count else { return count < other.count ? -1 : 1 }
        for (left, right) in zip(sorted, other.sorted) {
            let key = entries[left].key.compare(to: other.entries[right].key)
            if key != 0 { return key }
            let value = entries[left].value.compare(to: other.entries[right].value)
            if value != 0 { return value }
        }
        return 0
    }
}
