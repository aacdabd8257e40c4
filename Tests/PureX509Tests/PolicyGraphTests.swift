import PureDER
import Testing

@testable import PureX509

/// RFC 9618 §3, a depth at a time, where chains of certificates are long.
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
        var budget = 0
        for depth in depths {
            _ = try graph.add(depth.policies, isAnyPolicyAllowed: true, budget: &budget)
            let mappings = depth.mappings.map {
                PolicyMapping(issuerDomainPolicy: policy($0), subjectDomainPolicy: policy($1))
            }
            try graph.map(mappings, isAllowed: depth.isMappingAllowed, budget: &budget)
        }
        return graph.policies(within: initial)
    }

    /// The depth that a mapping changes takes the place of the one before the change.
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

    /// A policy that is there already gets no second node below anyPolicy.
    @Test func mappedPolicyHasOneNode() throws {
        let (p, a, z) = (Self.policy(1), Self.policy(2), Self.policy(9))
        #expect(
            try Self.policies([
                Depth(policies: [.anyPolicy, p], mappings: [(1, 2)]),
                Depth(policies: [.anyPolicy, a], mappings: [(2, 9)]),
                Depth(policies: [z]),
            ]) == .only([p]))
    }

    /// Mappings that change the order of policies, and two to one.
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

    /// In a caller's list anyPolicy stands for every policy.
    @Test func initialAnyPolicy() throws {
        let a = Self.policy(1)
        #expect(try Self.policies([Depth(policies: [a])], within: .only([.anyPolicy])) == .only([a]))
        #expect(CertificatePolicySet.only([.anyPolicy]).contains(a) && !CertificatePolicySet.only([]).contains(a))
    }
}
