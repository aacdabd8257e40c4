import CertificateDrafts
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

@Suite struct PathSearchTests {
    static func authority(
        _ name: String, _ key: TestKey, by issuer: String, _ signer: TestKey, _ more: [UInt8]...
    ) -> TestCertificate {
        TestCertificate(name, key, issuer: issuer, signer: signer, extensions: TestExtension.authority + more)
    }

    struct Outcome {
        var path: [Certificate]?
        var error: PathError?
        var signatureChecks: Int
        var steps: Int
        var signatures: ListSignatures?
    }

    static func search(
        leaf: TestCertificate, _ intermediates: [TestCertificate], roots: [TestCertificate] = [TestChain.root],
        maximumPathLength: Int = CertificatePathVerifier.defaultMaximumPathLength,
        meeting requirements: PathRequirements = PathRequirements()
    ) throws -> Outcome {
        let verifier = CertificatePathVerifier(
            trustAnchors: try roots.map { try TrustAnchor(try $0.certificate()) }, maximumPathLength: maximumPathLength)
        var search = try PathSearch(
            verifier: verifier, leaf: try leaf.certificate(),
            intermediates: try intermediates.map { try $0.certificate() }, time: TestChain.now, meeting: requirements)
        let result = Result { () throws(PathError) in try search.run().certificates }
        let error: PathError? = if case .failure(let error) = result { error } else { nil }
        return Outcome(
            path: try? result.get(), error: error, signatureChecks: search.signatureChecks, steps: search.effort.steps,
            signatures: search.rules.revocation?.signatures)
    }

    /// root → A → B → C → leaf.
    static let line: [TestCertificate] = [
        authority("A", .p256(11), by: "Root", TestChain.rootKey),
        authority("B", .p256(12), by: "A", .p256(11)),
        authority("C", .p256(13), by: "B", .p256(12)),
    ]
    static let lineLeaf = TestCertificate("Leaf", .p256(14), issuer: "C", signer: .p256(13))

    @Test func anyOrder() throws {
        let expected = try [Self.lineLeaf, Self.line[2], Self.line[1], Self.line[0]].map { try $0.certificate() }
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 0, 1, 1, 2, 2]] {
            let outcome = try Self.search(leaf: Self.lineLeaf, order.map { Self.line[$0] })
            #expect(outcome.path == expected && outcome.signatureChecks == 4)
        }
        // Adds certificates that the path does not need: the leaf, the root, and certificates of a different PKI.
        let others = [Self.lineLeaf, TestChain.root, TestChain.authority, TestChain.leaf]
        #expect(try Self.search(leaf: Self.lineLeaf, others + Self.line).path == expected)
        for missing in 0..<3 {
            let outcome = try Self.search(leaf: Self.lineLeaf, (0..<3).filter { $0 != missing }.map { Self.line[$0] })
            #expect(outcome.error == .issuerNotFound(certificate: 2 - missing))
        }
    }

    @Test func trustedIntermediate() throws {
        let outcome = try Self.search(
            leaf: Self.lineLeaf, Self.line + [TestChain.root], roots: [TestChain.root, Self.line[1]])
        #expect(outcome.path?.count == 2)
    }

    /// Several candidates have the issuer's name. All except one have a different key, are expired, or may not issue
    /// certificates.
    @Test func severalIssuers() throws {
        let good = TestChain.authority
        let others = [
            good.changing { $0.publicKeyInfo = TestKey.p384(21).subjectPublicKeyInfo },
            good.changing { $0.publicKeyInfo = TestKey.p256(22).subjectPublicKeyInfo },
            good.changing { $0.validity = DER.sequence(DER.utcTime("500101000000Z"), DER.utcTime("500102000000Z")) },
            good.changing { $0.extensions = [] },
            good.changing { $0.issuer = DER.name("Nobody") },
            good.changing { $0.signer = TestChain.leafKey },
        ]
        let expected = try [TestChain.leaf, good].map { try $0.certificate() }
        #expect(try Self.search(leaf: TestChain.leaf, others + [good]).path == expected)
        #expect(try Self.search(leaf: TestChain.leaf, [good] + others).path == expected)
        #expect(try Self.search(leaf: TestChain.leaf, others).path == nil)
    }

    /// Two roots have the same name, two roots sign the same CA, or an anchor is also given as an expired intermediate.
    @Test func severalAnchors() throws {
        let other = TestChain.root.changing { $0.publicKeyInfo = TestKey.p384(23).subjectPublicKeyInfo }
        for roots in [[other, TestChain.root], [TestChain.root, other]] {
            #expect(try Self.search(leaf: TestChain.leaf, [TestChain.authority], roots: roots).path?.count == 2)
        }
        let secondRoot = Self.authority("Root 2", .p384(24), by: "Root 2", .p384(24))
        let crossSigned = Self.authority("CA", TestChain.authorityKey, by: "Root 2", .p384(24))
        for intermediates in [[crossSigned, TestChain.authority], [TestChain.authority, crossSigned]] {
            for root in [TestChain.root, secondRoot] {
                #expect(try Self.search(leaf: TestChain.leaf, intermediates, roots: [root]).path?.count == 2)
            }
        }
        let expired = TestChain.root.changing {
            $0.issuer = DER.name("Root 2")
            $0.validity = DER.sequence(DER.utcTime("500101000000Z"), DER.utcTime("500102000000Z"))
        }
        let outcome = try Self.search(
            leaf: TestChain.leaf, [expired, TestChain.authority], roots: [TestChain.root, secondRoot])
        #expect(outcome.path?.count == 2)
    }

    /// RFC 5280 §6.1: a path does not contain a certificate twice.
    @Test func cycles() throws {
        // X and Y sign each other. In the first search, the root signs neither X nor Y. In the second, it signs Y.
        let x = Self.authority("X", .p256(31), by: "Y", .p256(32))
        let y = Self.authority("Y", .p256(32), by: "X", .p256(31))
        let leaf = TestCertificate("Leaf", .p256(33), issuer: "X", signer: .p256(31))
        let outcome = try Self.search(leaf: leaf, [x, y])
        #expect(outcome.error == .repeatedCertificate(certificate: 3) && outcome.signatureChecks == 2)
        let way = Self.authority("Y", .p256(32), by: "Root", TestChain.rootKey)
        #expect(try Self.search(leaf: leaf, [x, y, way]).path?.count == 3)

        // Two keys of one CA sign each other.
        let first = Self.authority("Z", .p256(34), by: "Z", .p256(35))
        let second = Self.authority("Z", .p256(35), by: "Z", .p256(34))
        let underFirst = TestCertificate("Leaf", .p256(33), issuer: "Z", signer: .p256(34))
        let same = try Self.search(leaf: underFirst, [first, second])
        #expect(same.path == nil && same.signatureChecks < 10)
    }

    /// For an untrusted root, the error is `issuerNotFound`, not `repeatedCertificate`.
    @Test func unknownRoot() throws {
        let key = TestKey.p256(36)
        let root = Self.authority("S", key, by: "S", key)
        let underRoot = TestCertificate("Leaf", .p256(33), issuer: "S", signer: key)
        let notFound = PathError.issuerNotFound(certificate: 1)
        #expect(try Self.search(leaf: underRoot, [root]).error == notFound)
        // The certificates contain the root twice, and a reissued root with different dates.
        let renewed = root.changing {
            $0.validity = DER.sequence(DER.utcTime("210101000000Z"), DER.utcTime("310101000000Z"))
        }
        #expect(try Self.search(leaf: underRoot, [root, root]).error == notFound)
        #expect(try Self.search(leaf: underRoot, [root, renewed]).error == notFound)
        let authority = Self.authority("A", .p256(37), by: "S", key)
        let leaf = TestCertificate("Leaf", .p256(33), issuer: "A", signer: .p256(37))
        let outcome = try Self.search(leaf: leaf, [authority, root])
        #expect(outcome.error == .issuerNotFound(certificate: 2) && outcome.signatureChecks == 2)
        #expect(try Self.search(leaf: leaf, [authority, root], roots: [root]).path?.count == 2)
        #expect(try Self.search(leaf: root, [root]).error == .issuerNotFound(certificate: 0))
        // This anchor has the untrusted root's name, but did not sign this root.
        let other = Self.authority("S", .p256(38), by: "S", .p256(38))
        #expect(
            try Self.search(leaf: underRoot, [root], roots: [other]).error == .invalidSignature(certificate: 1))
        // A certificate with the issuer's name is a candidate even if its key is different.
        #expect(try Self.search(leaf: underRoot, [root, other]).error == .invalidSignature(certificate: 1))
    }

    /// RFC 4158 §2.4.2: two certificates are the same only if both their names and their keys are equal.
    @Test func sameNameOrSameKey() throws {
        let (rootKey, key, otherKey) = (TestChain.rootKey, TestKey.p256(37), TestKey.p256(38))
        let authority = Self.authority("A", key, by: "Root", rootKey)
        let sameKey = Self.authority("B", key, by: "A", key)
        let otherName = TestCertificate("Leaf", otherKey, issuer: "B", signer: key)
        #expect(try Self.search(leaf: otherName, [authority, sameKey]).path?.count == 3)
        let sameName = Self.authority("A", otherKey, by: "A", key)
        let underSameName = TestCertificate("Leaf", .p256(39), issuer: "A", signer: otherKey)
        #expect(try Self.search(leaf: underSameName, [authority, sameName]).path?.count == 3)
        let leafOfSameName = TestCertificate("A", otherKey, issuer: "A", signer: key)
        #expect(try Self.search(leaf: leafOfSameName, [authority]).path?.count == 2)
        let leafOfSameKey = TestCertificate("Leaf", key, issuer: "A", signer: key)
        #expect(try Self.search(leaf: leafOfSameKey, [authority]).path?.count == 2)
        let leafOfBoth = TestCertificate("A", key, issuer: "A", signer: key)
        #expect(try Self.search(leaf: leafOfBoth, [authority]).error == .repeatedCertificate(certificate: 1))
    }

    /// A matching authorityKeyIdentifier avoids signature checks, and a wrong one only causes more of them.
    @Test func keyIdentifiers() throws {
        let keys = (0..<20).map { TestKey.p256(UInt64(41 + $0)) }
        let issuers = keys.enumerated().map { index, key in
            Self.authority(
                "CA", key, by: "Root", TestChain.rootKey, TestExtension.subjectKeyIdentifier([UInt8(index)]))
        }
        for (named, checks) in [(19, 2), (0, 21)] {
            let leaf = TestCertificate(
                "Leaf", .p256(14), issuer: "CA", signer: keys[19],
                extensions: [TestExtension.authorityKeyIdentifier([UInt8(named)])])
            let outcome = try Self.search(leaf: leaf, issuers)
            #expect(outcome.path?.count == 2 && outcome.signatureChecks == checks)
        }
    }

    /// If all CAs sign each other, the number of possible paths grows factorially.
    @Test func signatureCheckLimit() throws {
        let keys = (0..<5).map { TestKey.p256(UInt64(61 + $0)) }
        var graph: [TestCertificate] = []
        for (i, key) in keys.enumerated() {
            for (j, signer) in keys.enumerated() where i != j {
                graph.append(Self.authority("N\(i)", key, by: "N\(j)", signer))
            }
        }
        let leaf = TestCertificate("Leaf", .p256(14), issuer: "N0", signer: keys[0])
        let outcome = try Self.search(leaf: leaf, graph)
        #expect(outcome.error == .signatureCheckLimitReached)
        #expect(outcome.signatureChecks == CertificatePathVerifier.maximumSignatureChecks)
    }

    @Test func manyCandidates() throws {
        let wrongKey = TestChain.authority.changing { $0.publicKeyInfo = TestKey.p256(2).subjectPublicKeyInfo }
        let outcome = try Self.search(leaf: TestChain.leaf, [TestCertificate](repeating: wrongKey, count: 1_000))
        #expect(outcome.error == .signatureCheckLimitReached)
        #expect(outcome.signatureChecks == CertificatePathVerifier.maximumSignatureChecks)
    }

    @Test func steps() throws {
        let useless = TestChain.authority.changing { $0.subject = DER.name("Useless") }
        var counts: [Int] = []
        for count in [10, 100, 1_000] {
            let outcome = try Self.search(
                leaf: Self.lineLeaf, Self.line + [TestCertificate](repeating: useless, count: count))
            #expect(outcome.path?.count == 4 && outcome.signatureChecks == 4)
            counts.append(outcome.steps)
        }
        // For each of four certificates, the search tries one anchor and makes two passes over the intermediates.
        for (steps, count) in zip(counts, [10, 100, 1_000]) { #expect(steps <= 4 * (1 + 2 * (count + 3))) }
        // The steps grow linearly: 900 more candidates cost ten times as many steps as 90 more.
        #expect((counts[1] - counts[0]) * 10 == counts[2] - counts[1])
    }

    /// An anchor costs one step, and an intermediate one step in each of two passes. The first pass tries intermediates
    /// with a matching key identifier, and the second pass tries all others.
    @Test func everyCandidateIsAStep() throws {
        let useless = TestChain.authority.changing { $0.subject = DER.name("Useless") }
        for count in 0...3 {
            let outcome = try Self.search(
                leaf: TestChain.leaf, [TestCertificate](repeating: useless, count: count),
                roots: [TestCertificate](repeating: TestChain.root, count: count))
            #expect(outcome.error == .issuerNotFound(certificate: 0) && outcome.steps == count + 2 * count)
        }
        // The leaf does not name the issuer's key, so the second pass finds the issuer in step 3. The root is step 4.
        let outcome = try Self.search(leaf: TestChain.leaf, [TestChain.authority])
        #expect(outcome.path?.count == 2 && outcome.steps == 4)
        // The leaf names the issuer's key, so the issuer is found in the first pass.
        let issuer = TestChain.authority.changing { $0.extensions! += [TestExtension.subjectKeyIdentifier([1])] }
        let leaf = TestChain.leaf.changing { $0.extensions = [TestExtension.authorityKeyIdentifier([1])] }
        #expect(try Self.search(leaf: leaf, [issuer]).steps == 3)
    }

    @Test func stepLimit() throws {
        let certificate = try TestChain.authority.changing { $0.subject = DER.name("Useless") }.certificate()
        let many = [Certificate](repeating: certificate, count: CertificatePathVerifier.maximumSteps / 2 - 1)
        let anchor = try TrustAnchor(try TestChain.root.certificate())
        let leaf = try TestChain.leaf.certificate()
        for (anchors, error) in [(2, PathError.issuerNotFound(certificate: 0)), (3, .stepLimitReached)] {
            let verifier = CertificatePathVerifier(trustAnchors: [TrustAnchor](repeating: anchor, count: anchors))
            #expect(throws: error) { try verifier.validate(leaf: leaf, intermediates: many, at: TestChain.now) }
        }
    }

    /// A path that exceeds the limit on name comparisons ends the search, although a cheaper path is valid.
    @Test func comparisonLimitEndsTheSearch() throws {
        // The limit counts 1,024 · 1,100 > 2²⁰ comparisons. The verifier performs few of them, because the first
        // subtree permits each name.
        let name = DER.implicit(2, Array("h".utf8))
        let alternative = DER.element(0x30, [[UInt8]](repeating: name, count: 1_024).flatMap { $0 })
        let subtrees = [[UInt8]](repeating: DER.sequence(name), count: 1_100).flatMap { $0 }
        let permitted = DER.sequence(DER.context(0, subtrees))
        let leaf = TestChain.leaf.changing { $0.extensions! += [TestExtension.standard(0x11, alternative)] }
        let costly = TestChain.authority.changing {
            $0.extensions! += [TestExtension.standard(0x1E, critical: true, permitted)]
        }
        #expect(try Self.search(leaf: leaf, [TestChain.authority]).path?.count == 2)
        #expect(try Self.search(leaf: leaf, [costly, TestChain.authority]).error == .nameComparisonLimitReached)
    }

    /// The error of a whole path outranks the errors of its certificates and anchors, even if the path is the longest.
    @Test func errorOfTheLongestPath() throws {
        let limit = CertificatePathVerifier.maximumIntermediateCount
        let key = { (index: Int) in TestKey.p256(UInt64(100 + index)) }
        let intermediates = (0..<limit).map { (index: Int) -> TestCertificate in
            let (issuer, signer) = index == 0 ? ("Root", TestChain.rootKey) : ("N\(index - 1)", key(index - 1))
            return Self.authority("N\(index)", key(index), by: issuer, signer)
        }
        let leaf = TestCertificate("Leaf", .p256(14), issuer: "N\(limit - 1)", signer: key(limit - 1))
        // The search rejects the first root, then ends the path at the second root, and then examines the decoy.
        let shortRoot = TestChain.root.changing {
            $0.extensions = [TestExtension.basicConstraints(ca: true, pathLength: 0), TestExtension.certificateSigning]
        }
        let decoy = Self.authority("Root", .p256(15), by: "Root", TestChain.rootKey)
        var requirements = PathRequirements()
        requirements.requiresExplicitPolicy = true
        let outcome = try Self.search(
            leaf: leaf, intermediates + [decoy], roots: [shortRoot, TestChain.root], maximumPathLength: limit,
            meeting: requirements)
        #expect(outcome.error == .policyMissing(certificate: limit))
        // Without the second root, no path reaches an anchor, and the first root's error remains.
        let unreached = try Self.search(
            leaf: leaf, intermediates + [decoy], roots: [shortRoot], maximumPathLength: limit, meeting: requirements)
        #expect(unreached.error == .certificate(.pathLengthExceeded(certificate: limit + 1)))
    }

    /// Self-issued certificates count towards `maximumIntermediateCount`, but not towards path length constraints.
    @Test func depth() throws {
        let limit = CertificatePathVerifier.maximumIntermediateCount
        let key = { (index: Int) in TestKey.p256(UInt64(100 + index)) }
        let path = { (count: Int) -> [TestCertificate] in
            (0..<count).map { (index: Int) -> TestCertificate in
                let name = UInt8(100 + index)
                let (issuer, signer) = index == 0 ? ("Root", TestChain.rootKey) : ("CA", key(index - 1))
                return Self.authority(
                    "CA", key(index), by: issuer, signer, TestExtension.subjectKeyIdentifier([name]),
                    TestExtension.authorityKeyIdentifier([name - 1]))
            }
        }
        let leaf = { (count: Int) -> TestCertificate in
            TestCertificate(
                "Leaf", .p256(14), issuer: "CA", signer: key(count - 1),
                extensions: [TestExtension.authorityKeyIdentifier([UInt8(99 + count)])])
        }
        let longest = try Self.search(leaf: leaf(limit), path(limit), maximumPathLength: 1)
        #expect(longest.path?.count == limit + 1)
        let longer = try Self.search(leaf: leaf(limit + 1), path(limit + 1), maximumPathLength: 1)
        #expect(longer.path == nil)
    }
}
