import CertificateDrafts
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// Tests the inputs and outputs of path validation that the published suites do not cover.
@Suite struct PathRequirementTests {
    private static func host(_ name: String) -> [UInt8] { DER.implicit(2, Array(name.utf8)) }

    private static func subtrees(_ number: UInt8, _ base: [UInt8]) -> [UInt8] {
        DER.sequence(DER.context(number, DER.sequence(base)))
    }

    private static func leaf(_ names: [UInt8]) -> TestCertificate {
        TestChain.leaf.changing { $0.extensions! += [TestExtension.standard(0x11, DER.sequence(names))] }
    }

    private static func report(
        leaf: TestCertificate = TestChain.leaf, intermediates: [TestCertificate] = [TestChain.authority],
        roots: [TestCertificate] = [TestChain.root], _ change: (inout PathRequirements) throws -> Void = { _ in }
    ) throws -> PathReport {
        var requirements = PathRequirements()
        try change(&requirements)
        let verifier = CertificatePathVerifier(trustAnchors: try roots.map { try TrustAnchor(try $0.certificate()) })
        return verifier.report(
            leaf: try leaf.certificate(), intermediates: try intermediates.map { try $0.certificate() },
            at: TestChain.now, meeting: requirements)
    }

    private static func rejection(
        leaf: TestCertificate = TestChain.leaf, intermediates: [TestCertificate] = [TestChain.authority],
        roots: [TestCertificate] = [TestChain.root], _ change: (inout PathRequirements) throws -> Void
    ) throws -> PathError? {
        switch try report(leaf: leaf, intermediates: intermediates, roots: roots, change).result {
        case .success: nil
        case .failure(let error): error
        }
    }

    @Test func defaults() {
        let requirements = PathRequirements()
        #expect(requirements.purposes.isEmpty && requirements.keyUsage.isEmpty && requirements.serverIdentity == nil)
        #expect(requirements.nameComparison == .encoding && requirements.initialPolicies == .any)
        #expect(!requirements.requiresExplicitPolicy && !requirements.inhibitsPolicyMapping)
        #expect(!requirements.inhibitsAnyPolicy && !requirements.acceptsNonCriticalNameConstraints)
        #expect(requirements.nameConstraints.isEmpty && requirements.revocation == nil)
    }

    /// §6.1.1 (h), (i): the caller's subtrees apply. A name must be within every set of permitted subtrees.
    @Test func initialSubtrees() throws {
        let leaf = Self.leaf(Self.host("www.example.com"))
        for (number, base, error): (UInt8, String, PathError?) in [
            (0, "example.com", nil), (0, "example.org", .nameNotPermitted(certificate: 0)), (1, "example.org", nil),
            (1, "www.example.com", .nameExcluded(certificate: 0)),
        ] {
            let constraints = try NameConstraints(derEncoded: Self.subtrees(number, Self.host(base))[...])
            #expect(try Self.rejection(leaf: leaf) { $0.nameConstraints = [constraints] } == error)
            let any = try NameConstraints(derEncoded: Self.subtrees(0, Self.host(""))[...])
            #expect(try Self.rejection(leaf: leaf) { $0.nameConstraints = [any, constraints] } == error)
        }
        #expect(throws: PathError.invalidValue(.nameConstraints)) {
            try NameConstraints(derEncoded: Self.subtrees(0, Self.host(".example.com"))[...])
        }
        #expect(throws: PathError.emptyList(.nameConstraints)) { try NameConstraints(derEncoded: [0x30, 0][...]) }
    }

    @Test func reportOfCandidates() throws {
        let constrained = TestChain.authority.changing {
            $0.serial = DER.integer(9)
            $0.extensions! += [
                TestExtension.standard(0x1E, critical: true, Self.subtrees(0, Self.host("example.org")))
            ]
        }
        let expired = TestChain.authority.changing {
            $0.validity = DER.sequence(DER.utcTime("200101000000Z"), DER.utcTime("210101000000Z"))
        }
        let leaf = Self.leaf(Self.host("www.example.com"))
        let report = try Self.report(leaf: leaf, intermediates: [expired, constrained, TestChain.authority])
        let path = try report.result.get()
        #expect(path.chain.certificates[1] == (try TestChain.authority.certificate()))
        #expect(path.policies == .only([]))
        let end = UnixTime(secondsSince1970: 1_609_459_200)
        #expect(
            report.refused.map(\.error)
                == [.expired(certificate: 1, notAfter: end, at: TestChain.now), .nameNotPermitted(certificate: 0)])
        #expect(report.refused[0].certificates == (try [leaf, expired].map { try $0.certificate() }))
        #expect(report.refused[0].trustAnchor == nil)
        #expect(report.refused[1].certificates == (try [leaf, constrained].map { try $0.certificate() }))
        #expect(report.refused[1].trustAnchor?.name == (try TestChain.root.certificate().subject))

        let none = try Self.report(leaf: leaf, intermediates: [expired, constrained])
        #expect(throws: PathError.nameNotPermitted(certificate: 0)) { try none.result.get() }
        #expect(none.refused.count == 2)
        // The leaf itself is rejected, so the report lists no rejected candidates.
        let leafAlone = try Self.report { $0.keyUsage = .keyAgreement }
        #expect(throws: PathError.keyUsageMissing(certificate: 0)) { try leafAlone.result.get() }
        #expect(leafAlone.refused.isEmpty)
        let many = try Self.report(leaf: leaf, intermediates: [TestCertificate](repeating: expired, count: 300))
        #expect(many.refused.count == PathReport.maximumCandidateCount)
    }

    /// §6.3.3: an unknown status is an error unless the policy allows it.
    @Test func unknownStatus() throws {
        #expect(
            try Self.rejection { $0.revocation = RevocationPolicy(lists: []) }
                == .revocationStatusUnknown(certificate: 1))
        #expect(try Self.rejection { $0.revocation = RevocationPolicy(lists: [], allowsUnknownStatus: true) } == nil)
    }

    /// §4.2.1.12: a certificate must allow all required purposes.
    @Test func purposes() throws {
        let server = TestExtension.extendedKeyUsage(DER.oid(0x2B, 6, 1, 5, 5, 7, 3, 1))
        let leaf = TestChain.leaf.changing { $0.extensions! += [server] }
        #expect(try Self.rejection(leaf: leaf) { $0.purposes = [.serverAuthentication] } == nil)
        #expect(
            try Self.rejection(leaf: leaf) { $0.purposes = [.serverAuthentication, .clientAuthentication] }
                == .extendedKeyUsageMissing(certificate: 0))
    }

    /// RFC 5937 §3: the extensions of an anchor apply in the same way as the extensions of an intermediate.
    @Test func purposesOfAnchors() throws {
        let client = TestExtension.extendedKeyUsage(DER.oid(0x2B, 6, 1, 5, 5, 7, 3, 2))
        let root = TestChain.root.changing { $0.extensions! += [client] }
        #expect(
            try Self.rejection(roots: [root]) { $0.purposes = [.serverAuthentication] }
                == .extendedKeyUsageMissing(certificate: 2))
        #expect(try Self.rejection(roots: [root]) { $0.purposes = [.clientAuthentication] } == nil)
    }

    /// By the CA/Browser Forum's exception to §4.2.1.10, non-critical name constraints are processed too.
    @Test func constraintsThatAreNotCritical() throws {
        for (base, error): (String, PathError?) in [
            ("example.com", nil), ("example.org", .nameNotPermitted(certificate: 0)),
        ] {
            let authority = TestChain.authority.changing {
                $0.extensions! += [TestExtension.standard(0x1E, Self.subtrees(0, Self.host(base)))]
            }
            let leaf = Self.leaf(Self.host("www.example.com"))
            for accepts in [true, false] {
                let found = try Self.rejection(leaf: leaf, intermediates: [authority]) {
                    $0.acceptsNonCriticalNameConstraints = accepts
                }
                #expect(found == (accepts ? error : .wrongCriticality(.nameConstraints, certificate: 1)))
            }
        }
    }

    /// §4.2.1.11, §4.2.1.14: "MUST be critical" is a rule for CAs. Non-critical extensions are processed too.
    @Test(arguments: [true, false])
    func criticalityOfPolicyConstraints(_ isCritical: Bool) throws {
        let policies = { (identifier: [UInt8]) in TestExtension.standard(0x20, DER.sequence(DER.sequence(identifier))) }
        let any = DER.oid(0x55, 0x1D, 0x20, 0)
        for (arc, value, isRequired, error): (UInt8, [UInt8], Bool, PathError?) in [
            (0x24, DER.sequence(DER.implicit(0, [0])), false, .policyMissing(certificate: 0)),
            (0x24, DER.sequence(DER.implicit(0, [2])), false, nil),
            (0x24, DER.sequence(DER.implicit(1, [0])), true, nil),
            (0x36, [2, 1, 0], true, .policyMissing(certificate: 0)), (0x36, [2, 1, 1], true, nil),
            (0x36, [2, 1, 0], false, nil),
        ] {
            let authority = TestChain.authority.changing {
                $0.extensions! += [
                    policies(DER.oid(0x2A, 3)), TestExtension.standard(arc, critical: isCritical, value),
                ]
            }
            let leaf = TestChain.leaf.changing { if isRequired || arc == 0x36 { $0.extensions! += [policies(any)] } }
            let found = try Self.rejection(leaf: leaf, intermediates: [authority]) {
                $0.requiresExplicitPolicy = isRequired
            }
            #expect(found == error, "\(arc), \(value), \(isRequired)")
        }
    }

    /// As in BetterTLS, excluded subtrees take precedence, and a subtree restricts only names of its own form.
    @Test func combinations() throws {
        let hosts = [Self.host("test.localhost"), Self.host("bad.example.com")]
        let hostBases = [Self.host("localhost"), Self.host("example.com")]
        let addresses = [DER.implicit(7, [127, 0, 0, 1]), DER.implicit(7, [1, 1, 1, 1])]
        let addressBases = [[127, 0, 0, 0], [1, 1, 1, 0]].map { DER.implicit(7, $0 + [255, 255, 255, 0]) }
        let choices = [nil, 0, 1]
        var count = 0
        for host in choices {
            for address in choices {
                let names = (host.map { hosts[$0] } ?? []) + (address.map { addresses[$0] } ?? [])
                let leaf = try (names.isEmpty ? TestChain.leaf : Self.leaf(names)).certificate()
                for index in 0..<81 {
                    let chosen = [index / 27, index / 9 % 3, index / 3 % 3, index % 3].map { choices[$0] }
                    let permitted =
                        (chosen[0].map { DER.sequence(hostBases[$0]) } ?? [])
                        + (chosen[1].map { DER.sequence(addressBases[$0]) } ?? [])
                    let excluded =
                        (chosen[2].map { DER.sequence(hostBases[$0]) } ?? [])
                        + (chosen[3].map { DER.sequence(addressBases[$0]) } ?? [])
                    var state = NameConstraintState()
                    if index > 0 {
                        state.add(
                            try NameConstraints(
                                derEncoded: DER.sequence(
                                    permitted.isEmpty ? [] : DER.context(0, permitted),
                                    excluded.isEmpty ? [] : DER.context(1, excluded))[...]))
                    }
                    var comparisons = 0
                    let isRefused: Bool
                    do {
                        try state.check(leaf, position: 0, comparisons: &comparisons)
                        isRefused = false
                    } catch { isRefused = true }
                    func violates(_ name: Int?, _ permitted: Int?, _ excluded: Int?) -> Bool {
                        name != nil && (excluded == name || permitted != nil && permitted != name)
                    }
                    #expect(
                        isRefused == (violates(host, chosen[0], chosen[2]) || violates(address, chosen[1], chosen[3])),
                        "\(String(describing: host)) \(String(describing: address)) \(chosen)")
                    count += 1
                }
            }
        }
        #expect(count == 729)
    }

    /// The work is proportional to the number of names times the number of subtrees, and to the number of policies.
    @Test func workIsLinear() throws {
        func comparisons(names: Int, subtrees: Int) throws -> Int {
            let hosts = (0..<names).flatMap { Self.host("h\($0).test") }
            let leaf = try Self.leaf(hosts).certificate()
            var state = NameConstraintState()
            let bases = (0..<subtrees).flatMap { DER.sequence(Self.host("x\($0).test")) }
            state.add(try NameConstraints(derEncoded: DER.sequence(DER.context(1, bases))[...]))
            var count = 0
            try state.check(leaf, position: 0, comparisons: &count)
            return count
        }
        for count in [10, 100, 1_000] {
            #expect(try comparisons(names: count, subtrees: 10) == 10 * count)
            #expect(try comparisons(names: 10, subtrees: count) == 10 * count)
        }
        for count in [10, 100, 1_000] {
            let policies = try (0..<count).map { (number: Int) in
                try ASN1ObjectIdentifier(contents: [0x2A, UInt8(0x81 + number / 128), UInt8(number % 128)])
            }
            var graph = PolicyGraph()
            var budget = CertificatePathVerifier.maximumPolicyGraphSize
            // Six certificates contain all policies and map each policy to itself, which doubles the nodes and edges.
            for _ in 0..<6 {
                #expect(try graph.add(policies, isAnyPolicyAllowed: true, budget: &budget))
                try graph.map(
                    policies.map { PolicyMapping(issuerDomainPolicy: $0, subjectDomainPolicy: $0) }, isAllowed: true,
                    budget: &budget)
            }
            #expect(budget == CertificatePathVerifier.maximumPolicyGraphSize - (5 * 5 + 3) * count)
            #expect(graph.policies(within: .any) == .only(policies.sorted(by: ASN1ObjectIdentifier.areInOrder)))
            #expect(graph.policies(within: .only([policies[3]])) == .only([policies[3]]))
        }
    }
}
