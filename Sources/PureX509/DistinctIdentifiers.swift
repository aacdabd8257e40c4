import PureDER

/// Collects the identifiers of a list, to check that the list contains no duplicates.
///
/// The check needs n·log n comparisons instead of n². It allocates no memory for one identifier, the usual case.
struct DistinctIdentifiers {
    private var first: ASN1ObjectIdentifier?
    private var others: [ASN1ObjectIdentifier] = []

    mutating func append(_ identifier: ASN1ObjectIdentifier) {
        if first == nil { first = identifier } else { others.append(identifier) }
    }

    /// Whether no identifier occurs twice. A heapsort from the greatest identifier down makes duplicates adjacent. The
    /// standard library's sort is not used, because it would add 5 KB to the WebAssembly module.
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

    /// Moves the identifier at `index` down in the heap until no child is greater. The heap ends before `end`.
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
