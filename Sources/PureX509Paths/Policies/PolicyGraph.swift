import PureDER
import PureX509

/// valid_policy_graph of RFC 9618 §3, in place of the tree of RFC 5280 §6.1, which grows exponentially: at each depth one node a
/// policy, with as many parents as it has.
///
/// Nodes of anyPolicy are a chain from the root on; whether the last depth has one is all that is kept of them. Qualifiers are not
/// returned. A node without children is not deleted but left unreached when the graph is walked from its last depth up.
struct PolicyGraph {
    private struct Node {
        let policy: ASN1ObjectIdentifier
        /// Nodes of the depth above, by their numbers; none: its parent is the node of anyPolicy.
        let parents: [Int]
    }

    /// The depths so far, each in the order of its policies.
    private var depths: [[Node]] = []
    /// The union of the expected_policy_sets of the last depth without anyPolicy, in order, and the nodes whose sets have them.
    private var expected: [Node] = []
    /// Whether the last depth has a node of anyPolicy, whose expected_policy_set is {anyPolicy}.
    private var hasAnyPolicy = true

    /// Whether the graph is NULL.
    private var isNull: Bool { expected.isEmpty && !hasAnyPolicy }

    /// §6.1.3 (d), (e): a certificate's policies. `isAnyPolicyAllowed` is the second condition of (d)(2).
    ///
    /// (f): whether something is left. `budget` is what the graphs of a validation may still have.
    mutating func add(
        _ policies: [ASN1ObjectIdentifier]?, isAnyPolicyAllowed: Bool, budget: inout Int
    ) throws(PathError) -> Bool {
        guard let policies else {
            (depths, expected, hasAnyPolicy) = ([], [], false)
            return false
        }
        let sorted = policies.filter { $0 != .anyPolicy }.sorted(by: ASN1ObjectIdentifier.areInOrder)
        let isAny = isAnyPolicyAllowed && sorted.count < policies.count
        // (d)(2) makes a node of every expected policy, and (d)(1)(i) of those that the certificate has.
        var nodes = isAny ? expected : expected.filter { Self.find($0.policy, in: sorted, { $0 }) != nil }
        if hasAnyPolicy {
            // (d)(1)(ii)
            for policy in sorted where Self.find(policy, in: expected, { $0.policy }) == nil {
                nodes.append(Node(policy: policy, parents: []))
            }
        }
        hasAnyPolicy = hasAnyPolicy && isAny
        try setLast(nodes, &budget)
        return !isNull
    }

    /// §6.1.4 (b): mappings, of which none is of anyPolicy. `isAllowed`: policy_mapping is greater than 0.
    mutating func map(_ mappings: [PolicyMapping], isAllowed: Bool, budget: inout Int) throws(PathError) {
        guard !mappings.isEmpty, let last = depths.last else { return }
        let pairs = mappings.sorted { ASN1ObjectIdentifier.areInOrder($0.issuerDomainPolicy, $1.issuerDomainPolicy) }
        func isMapped(_ node: Node) -> Bool { Self.find(node.policy, in: pairs, { $0.issuerDomainPolicy }) != nil }
        guard isAllowed else {
            // (b)(2)
            let rest = last.filter { !isMapped($0) }
            depths.removeLast()
            return try setLast(rest, &budget)
        }
        var nodes = last
        if hasAnyPolicy {
            var previous: ASN1ObjectIdentifier?
            for pair in pairs where pair.issuerDomainPolicy != previous {
                previous = pair.issuerDomainPolicy
                guard Self.find(pair.issuerDomainPolicy, in: last, { $0.policy }) == nil else { continue }
                nodes.append(Node(policy: pair.issuerDomainPolicy, parents: []))
            }
        }
        depths.removeLast()
        try setLast(nodes, &budget)

        // (b)(1): the expected policies of a mapped node are those of its mappings, and of the others their own.
        let mapped = depths[depths.count - 1]
        var edges: [(policy: ASN1ObjectIdentifier, parent: Int)] = []
        for index in mapped.indices where !isMapped(mapped[index]) { edges.append((mapped[index].policy, index)) }
        for pair in pairs {
            guard let index = Self.find(pair.issuerDomainPolicy, in: mapped, { $0.policy }) else { continue }
            edges.append((pair.subjectDomainPolicy, index))
        }
        edges.sort { ASN1ObjectIdentifier.areInOrder($0.policy, $1.policy) }
        try count(edges.count, &budget)
        expected = []
        var start = 0
        while start < edges.count {
            let end = edges[start...].firstIndex { $0.policy != edges[start].policy } ?? edges.count
            expected.append(Node(policy: edges[start].policy, parents: edges[start..<end].map { $0.parent }))
            start = end
        }
    }

    /// §6.1.5 (g): the user-constrained-policy-set; `nil` if the graph, or what is left of it, is NULL.
    func policies(within initial: CertificatePolicySet) -> CertificatePolicySet? {
        // anyPolicy at the last depth: every policy is valid, whatever else is there.
        if hasAnyPolicy { return initial.isEmpty ? nil : initial }
        // The policies in the domain of the anchor are those whose parent is anyPolicy.
        var valid: [ASN1ObjectIdentifier] = []
        var reached = depths.map { [Bool](repeating: false, count: $0.count) }
        for depth in depths.indices.reversed() {
            let isLast = depth == depths.count - 1
            for (index, node) in depths[depth].enumerated() where isLast || reached[depth][index] {
                if node.parents.isEmpty { valid.append(node.policy) }
                for parent in node.parents { reached[depth - 1][parent] = true }
            }
        }
        valid.sort(by: ASN1ObjectIdentifier.areInOrder)
        var distinct: [ASN1ObjectIdentifier] = []
        for policy in valid where distinct.last != policy && initial.contains(policy) { distinct.append(policy) }
        return distinct.isEmpty ? nil : .only(distinct)
    }

    /// Makes `nodes` the last depth, each with its own policy as the expected one.
    private mutating func setLast(_ nodes: [Node], _ budget: inout Int) throws(PathError) {
        let sorted = nodes.sorted { ASN1ObjectIdentifier.areInOrder($0.policy, $1.policy) }
        try count(sorted.reduce(0) { $0 + 1 + $1.parents.count }, &budget)
        depths.append(sorted)
        expected = sorted.indices.map { Node(policy: sorted[$0].policy, parents: [$0]) }
    }

    private func count(_ additional: Int, _ budget: inout Int) throws(PathError) {
        guard additional <= budget else { throw .policyGraphLimitReached }
        budget -= additional
    }

    /// Where `policy` is in `list`, which is in order.
    private static func find<Element>(
        _ policy: ASN1ObjectIdentifier, in list: [Element], _ key: (Element) -> ASN1ObjectIdentifier
    ) -> Int? {
        var range = 0..<list.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let found = key(list[middle])
            if found == policy { return middle }
            if ASN1ObjectIdentifier.areInOrder(found, policy) {
                range = (middle + 1)..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return nil
    }
}
