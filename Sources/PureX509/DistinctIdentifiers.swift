import PureDER

/// Identifiers of a list that must not contain duplicates.
///
/// The check needs n·log n comparisons instead of n². It allocates nothing for one identifier, as in genuine lists.
struct DistinctIdentifiers {
    private var first: ASN1ObjectIdentifier?
    private var others: [ASN1ObjectIdentifier] = []

    mutating func append(_ identifier: ASN1ObjectIdentifier) {
        if first == nil { first = identifier } else { others.append(identifier) }
    }

    /// Whether no identifier occurs twice. Heapsort, greatest first, makes duplicates adjacent. It is handwritten
    /// because the standard library's sort adds 5 KB of WebAssembly.
    var areDistinct: Bool {
        guard let first, !others.isEmpty else { return true }
        var heap = others + [first]
        for index in (0..<heap.count / 2).reversed() { Self.sift(&heap, from: index, end: heap.count) }
        for end in (1..<heap.count).reversed() {
            heap.swapAt(0, end)
            Self.sift(&heap, from: 0, end: end)
            if heap[0] == heap[end] { return false }
        }
        return true
    }

    /// Moves the identifier at `index` down among those before `end`, until no child is greater.
    private static func sift(_ heap: inout [ASN1ObjectIdentifier], from index: Int, end: Int) {
        var parent = index
        while 2 * parent + 1 < end {
            var child = 2 * parent + 1
            if child + 1 < end, ASN1ObjectIdentifier.areInOrder(heap[child], heap[child + 1]) { child += 1 }
            guard ASN1ObjectIdentifier.areInOrder(heap[parent], heap[child]) else { return }
            heap.swapAt(parent, child)
            parent = child
        }
    }
}
