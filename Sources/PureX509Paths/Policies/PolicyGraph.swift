import PureDER
import PureX509

/// valid_policy_graph of RFC 9618 §3. The graph replaces the policy tree of RFC 5280 §6.1, which can grow
/// exponentially. At each depth, a policy has at most one node, which may have several parents.
///
/// The anyPolicy nodes form a chain from the root, so only the node at the last depth is stored. Qualifiers are not
/// returned. Nodes without children are not deleted, because a walk from the last depth to the root never reaches them.
struct PolicyGraph {
    private struct Node {
        let policy: ASN1ObjectIdentifier
        /// Indices of the parents in the previous depth. If the array is empty, the parent is the anyPolicy node.
        let parents: [Int]
    }

    /// The nodes of each depth, sorted by policy.
    private var depths: [[Node]] = []
    /// The union of the expected_policy_sets at the last depth, without anyPolicy, sorted by policy. The parents of
    /// each entry are the nodes that expect the policy.
    private var expected: [Node] = []
    /// Whether the last depth has an anyPolicy node. The expected_policy_set of this node is {anyPolicy}.
    private var hasAnyPolicy = true

    private var isNull: Bool { expected.isEmpty && !hasAnyPolicy }

    /// Adds the policies of a certificate (§6.1.3 (d), (e)). `isAnyPolicyAllowed` is the second condition of (d)(2):
    /// inhibit_anyPolicy is above 0, or the certificate is self-issued and not the leaf.
    ///
    /// Returns whether the graph is not NULL (for step (f)). `budget`: the nodes and edges that may still be added.
    mutating func add(
        _ policies: [ASN1ObjectIdentifier]?, isAnyPolicyAllowed: Bool, budget: inout Int
    ) throws(PathError) -> Bool {
        guard let policies else {
            (depths, expected, hasAnyPolicy) = ([], [], false)
            return false
        }
        let sorted = policies.filter { $0 != .anyPolicy }.sorted(by: ASN1ObjectIdentifier.areInOrder)
        let isAny = isAnyPolicyAllowed && sorted.count < policies.count
        // (d)(2) creates a node for every expected policy. (d)(1)(i) creates nodes only for the expected policies that
        // the certificate lists.
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

    /// Applies mappings (§6.1.4 (b)), which must not contain anyPolicy. `isAllowed`: policy_mapping is above 0.
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

        // (b)(1): the node of a mapped policy expects the target policies of the mapping. Every other node expects its
        // own policy.
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

    /// Returns the user-constrained-policy-set (§6.1.5 (g)), or `nil` if graph and `initial` have a NULL intersection.
    func policies(within initial: CertificatePolicySet) -> CertificatePolicySet? {
        // If the last depth has an anyPolicy node, every policy is valid.
        if hasAnyPolicy { return initial.isEmpty ? nil : initial }
        // A node whose parent is anyPolicy has a policy of the anchor's domain.
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

    /// Appends `nodes` as the last depth. Each node expects its own policy.
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

    /// Returns the index of `policy` in the sorted `list`, or `nil` if `list` does not contain the policy.
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
