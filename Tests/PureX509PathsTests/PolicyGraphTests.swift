import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// Tests the policy graph of RFC 9618 §3 one depth at a time, for long chains.
@Suite struct PolicyGraphTests {
    /// 1.2.n
    private static func policy(_ n: UInt128) -> ASN1ObjectIdentifier { ASN1ObjectIdentifier(encodedAs: 0x2A00 | n) }

    private struct Depth {
        var policies: [ASN1ObjectIdentifier]
        var mappings: [(UInt128, UInt128)] = []
        var isMappingAllowed = true
    }

    private static func policies(_ depths: [Depth], within initial: CertificatePolicySet = .any) throws
        -> CertificatePolicySet?
    {
        var graph = PolicyGraph()
        var budget = CertificatePathVerifier.maximumPolicyGraphSize
        for depth in depths {
            _ = try graph.add(depth.policies, isAnyPolicyAllowed: true, budget: &budget)
            let mappings = depth.mappings.map {
                PolicyMapping(issuerDomainPolicy: policy($0), subjectDomainPolicy: policy($1))
            }
            try graph.map(mappings, isAllowed: depth.isMappingAllowed, budget: &budget)
        }
        return graph.policies(within: initial)
    }

    @Test func mappedDepthIsReplaced() throws {
        let (a, b, y) = (Self.policy(1), Self.policy(2), Self.policy(9))
        #expect(
            try Self.policies([
                Depth(policies: [a, b]), Depth(policies: [b], mappings: [(2, 9)]), Depth(policies: [y]),
            ])
                == .only([b]))
        #expect(
            try Self.policies([
                Depth(policies: [a, b]), Depth(policies: [a, b], mappings: [(1, 9)], isMappingAllowed: false),
                Depth(policies: [a, b]),
            ]) == .only([b]))
    }

    @Test func mappedPolicyHasOneNode() throws {
        let (p, a, z) = (Self.policy(1), Self.policy(2), Self.policy(9))
        #expect(
            try Self.policies([
                Depth(policies: [.anyPolicy, p], mappings: [(1, 2)]),
                Depth(policies: [.anyPolicy, a], mappings: [(2, 9)]),
                Depth(policies: [z]),
            ]) == .only([p]))
    }

    /// Two mappings lead to the same policy, and mappings change the order of policies.
    @Test func mappingsInAnyOrder() throws {
        let (a, b, y, z) = (Self.policy(1), Self.policy(2), Self.policy(8), Self.policy(9))
        let mapped = Depth(policies: [.anyPolicy, a, b], mappings: [(1, 9), (2, 8)])
        #expect(try Self.policies([mapped, Depth(policies: [z])]) == .only([a]))
        #expect(try Self.policies([mapped, Depth(policies: [y])]) == .only([b]))
        #expect(try Self.policies([mapped, Depth(policies: [y, z])]) == .only([a, b]))
        let joined = Depth(policies: [a, b], mappings: [(1, 9), (2, 8), (2, 9)])
        #expect(try Self.policies([joined, Depth(policies: [z])]) == .only([a, b]))
        #expect(try Self.policies([joined, Depth(policies: [z])], within: .only([b])) == .only([b]))
        #expect(try Self.policies([joined, Depth(policies: [a])]) == nil)
    }

    /// §6.1.4 (b)(2): a disallowed mapping deletes only nodes of its own depth. The paths of other policies through the
    /// previous depth remain valid.
    @Test func deletedNodes() throws {
        let (a, b, c) = (Self.policy(1), Self.policy(2), Self.policy(3))
        #expect(
            try Self.policies([
                Depth(policies: [a, b, c]), Depth(policies: [b, c], mappings: [(2, 9)], isMappingAllowed: false),
                Depth(policies: [c]),
            ]) == .only([c]))
    }

    @Test func policiesOfSeveralDepths() throws {
        let (a, b) = (Self.policy(1), Self.policy(2))
        #expect(try Self.policies([Depth(policies: [.anyPolicy, a]), Depth(policies: [a, b])]) == .only([a, b]))
        // The first depth maps its policy to a different policy, so the second depth creates its own node for the first
        // policy.
        #expect(
            try Self.policies([
                Depth(policies: [.anyPolicy, a], mappings: [(1, 2)]), Depth(policies: [a, b]),
            ]) == .only([a]))
    }

    @Test func noCertificatesAndNone() throws {
        #expect(try Self.policies([]) == .any)
        #expect(try Self.policies([], within: .only([])) == nil)
        #expect(try Self.policies([Depth(policies: [])]) == nil)
        #expect(try Self.policies([Depth(policies: []), Depth(policies: [.anyPolicy, Self.policy(1)])]) == nil)
    }

    /// The size budget counts nodes and edges, and mappings consume it too.
    @Test func size() throws {
        let (a, b) = (Self.policy(1), Self.policy(2))
        let mappings = [(1, 8), (1, 9), (3, 9)].map {
            PolicyMapping(issuerDomainPolicy: Self.policy($0), subjectDomainPolicy: Self.policy($1))
        }
        var budget = 100
        var graph = PolicyGraph()
        _ = try graph.add([.anyPolicy, a, b], isAnyPolicyAllowed: true, budget: &budget)
        #expect(budget == 98)
        try graph.map([], isAllowed: true, budget: &budget)
        #expect(budget == 98)
        // Adds three nodes (one below anyPolicy) and four edges: one per mapping, and one for the unmapped policy.
        try graph.map(mappings, isAllowed: true, budget: &budget)
        #expect(budget == 98 - 3 - 4)
        // If anyPolicy covers a policy, two mappings of this policy create one node.
        var other = PolicyGraph()
        _ = try other.add([.anyPolicy], isAnyPolicyAllowed: true, budget: &budget)
        try other.map(Array(mappings[..<2]), isAllowed: true, budget: &budget)
        #expect(budget == 98 - 3 - 4 - 1 - 2)
        // The remaining budget suffices exactly, and is then exceeded by one.
        budget = 2
        var last = PolicyGraph()
        _ = try last.add([a, b], isAnyPolicyAllowed: true, budget: &budget)
        #expect(budget == 0)
        budget = 1
        var tooLarge = PolicyGraph()
        #expect(throws: PathError.policyGraphLimitReached) {
            _ = try tooLarge.add([a, b], isAnyPolicyAllowed: true, budget: &budget)
        }
    }

    /// If the caller's list contains anyPolicy, every policy is allowed.
    @Test func initialAnyPolicy() throws {
        let a = Self.policy(1)
        #expect(try Self.policies([Depth(policies: [a])], within: .only([.anyPolicy])) == .only([a]))
        #expect(CertificatePolicySet.only([.anyPolicy]).contains(a) && !CertificatePolicySet.only([]).contains(a))
    }
}
