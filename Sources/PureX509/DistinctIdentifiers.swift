import PureBytes
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

    /// Whether no identifier occurs twice.
    var areDistinct: Bool {
        guard let first, !others.isEmpty else { return true }
        let all = others + [first]
        return sortedIndices(count: all.count) { ASN1ObjectIdentifier.areInOrder(all[$0], all[$1]) } != nil
    }
}
