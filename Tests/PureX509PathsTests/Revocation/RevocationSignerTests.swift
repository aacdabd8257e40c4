import CertificateDrafts
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// RFC 5280 §6.3.3 (f), (g): tests the signers of revocation lists, and the cost of finding a signer.
@Suite struct RevocationSignerTests {
    private static let signerKey = TestKey.p256(21), stranger = TestKey.p256(22)
    private static let ofRoot = TestRevocationList("Root", TestChain.rootKey)
    private static let ofAuthority = TestRevocationList("CA", TestChain.authorityKey)
    /// cRLSign.
    private static let listSigning = TestExtension.standard(0x0F, critical: true, DER.bits([0x02], unused: 1))
    /// A certificate for signing revocation lists, which the root issued under the CA's name.
    private static let signer = TestCertificate(
        "CA", signerKey, issuer: "Root", signer: TestChain.rootKey, extensions: [listSigning])
    private static let bySigner = TestRevocationList("CA", signerKey)

    private static let point = DER.context(0, DER.context(0, DER.implicit(6, Array("http://a.test/".utf8))))
    /// A certificate for signing revocation lists, which the CA issued under its own name. The lists of the CA for this
    /// certificate have a distribution point.
    private static let own = TestCertificate(
        "CA", signerKey, issuer: "CA", signer: TestChain.authorityKey,
        extensions: [listSigning, TestExtension.standard(0x1F, DER.sequence(DER.sequence(point)))])
    private static let ofSigner = ofAuthority.changing {
        $0.extensions.append(TestExtension.standard(0x1C, critical: true, DER.sequence(point)))
    }

    private func search(
        _ lists: [TestRevocationList], _ others: [TestCertificate] = [],
        authority: TestCertificate = TestChain.authority, leaf: TestCertificate = TestChain.leaf,
        _ change: (inout PathRequirements) throws -> Void = { _ in }
    ) throws -> PathSearchTests.Outcome {
        var requirements = PathRequirements()
        requirements.revocation = RevocationPolicy(lists: try lists.map { try $0.list() })
        try change(&requirements)
        return try PathSearchTests.search(leaf: leaf, [authority] + others, meeting: requirements)
    }

    /// Signature checks on revocation lists do not count towards the limit on signature checks of paths.
    @Test func listsDoNotCount() throws {
        let noise = [TestRevocationList](repeating: TestRevocationList("CA", Self.stranger), count: 101)
        let outcome = try search([Self.ofRoot] + noise + [Self.ofAuthority])
        #expect(outcome.error == nil && outcome.signatureChecks == 2)
        let separate = try search([Self.ofRoot] + noise + [Self.bySigner], [Self.signer])
        #expect(separate.error == nil && separate.signatureChecks == 3)
    }

    @Test func comparisonsOfTheSignerCount() throws {
        func names(_ tag: String, _ count: Int) -> [[UInt8]] {
            (0..<count).map { DER.implicit(2, Array("\(tag)\($0)".utf8)) }
        }
        let alternative = TestExtension.standard(0x11, DER.element(0x30, names("h", 1_024).flatMap { $0 }))
        let excluded = DER.sequence(DER.context(1, names("x", 600).flatMap { DER.sequence($0) }))
        let signer = Self.signer.changing { $0.extensions! += [alternative] }
        let leaf = TestChain.leaf.changing { $0.extensions! += [alternative] }
        let outcome = try search([Self.ofRoot, Self.bySigner], [signer], leaf: leaf) {
            $0.nameConstraints = [try NameConstraints(derEncoded: excluded[...])]
        }
        #expect(outcome.error == .nameComparisonLimitReached)
    }

    @Test func verdicts() throws {
        let key = try TestChain.authority.certificate().subjectPublicKeyInfo
        let other = try Self.signer.certificate().subjectPublicKeyInfo
        let outcome = try search([Self.ofRoot, TestRevocationList("CA", Self.stranger), Self.ofAuthority])
        let signatures = try #require(outcome.signatures)
        #expect(signatures.verdict(1, key) == false && signatures.verdict(2, key) == true)
        #expect(signatures.verdict(2, other) == nil)
    }

    /// A second certificate for the CA's key is not a separate signer.
    @Test func sameKeyIsNoOtherSigner() throws {
        let again = TestChain.authority.changing { $0.serial = DER.integer(9) }
        let outcome = try search([Self.ofRoot, TestRevocationList("CA", Self.stranger)], [again])
        // Two signature checks for the path, one for the second certificate, and one for the leaf below that
        // certificate.
        #expect(outcome.error == .revocationStatusUnknown(certificate: 0) && outcome.signatureChecks == 4)
    }

    /// All lists and paths under one anchor share one search for signers. This search counts towards the limits.
    @Test func searchForASigner() throws {
        let lists = [Self.ofRoot] + [TestRevocationList](repeating: TestRevocationList("CA", Self.stranger), count: 3)
        let outcome = try search(lists + [Self.bySigner], [Self.signer])
        #expect(outcome.error == nil && outcome.signatureChecks == 3)
        let invalid = Self.signer.changing { $0.signer = Self.stranger }
        let refused = try search(lists + [Self.bySigner], [invalid])
        #expect(refused.error == .revocationStatusUnknown(certificate: 0))
        #expect(refused.signatureChecks == 3)
    }

    @Test func listsOfTheSigner() throws {
        let outcome = try search([Self.ofRoot, Self.bySigner, Self.ofSigner], [Self.own])
        let key = try TestChain.authority.certificate().subjectPublicKeyInfo
        #expect(outcome.error == nil)
        #expect(try #require(outcome.signatures).verdict(2, key) == true)
    }

    /// The validation ends if the search for a signer reaches a limit.
    @Test func limit() throws {
        let many = (0..<100).map { number in
            Self.signer.changing {
                $0.serial = DER.integer(1, UInt8(number))
                $0.signer = Self.stranger
            }
        }
        let outcome = try search([Self.ofRoot, Self.bySigner], many)
        #expect(outcome.error == .signatureCheckLimitReached)
        #expect(outcome.signatureChecks == CertificatePathVerifier.maximumSignatureChecks)
    }

    /// The CA issued this signer certificate under the root's name. It cannot revoke the CA.
    @Test func signerBelowTheCertificate() throws {
        let below = Self.signer.changing {
            $0.subject = DER.name("Root")
            $0.issuer = DER.name("CA")
            $0.signer = TestChain.authorityKey
        }
        let list = TestRevocationList("Root", Self.signerKey).changing {
            $0.entries = DER.sequence(TestRevocationList.entry(1))
        }
        let allowing = { (requirements: inout PathRequirements) in requirements.revocation!.allowsUnknownStatus = true }
        #expect(try search([list], [below], allowing).error == nil)
        // A signer certificate from the root can revoke the CA.
        let above = below.changing {
            $0.issuer = DER.name("Root")
            $0.signer = TestChain.rootKey
        }
        #expect(try search([list], [above], allowing).error == .revoked(certificate: 1, .unspecified))
    }

    /// The caller's subtrees apply to a signer's certificate too. As in paths, the certificates above the signer may
    /// have non-critical name constraints.
    @Test func requirements() throws {
        func constraints(_ number: UInt8, critical: Bool = false) -> [UInt8] {
            DER.sequence(DER.context(number, DER.sequence(DER.implicit(2, Array("a.test".utf8)))))
        }
        let named = Self.signer.changing {
            $0.extensions! += [TestExtension.standard(0x11, DER.sequence(DER.implicit(2, Array("a.test".utf8))))]
        }
        let lists = [Self.ofRoot, Self.bySigner]
        #expect(try search(lists, [named]).error == nil)
        let excluded = try search(lists, [named]) {
            $0.nameConstraints = [try NameConstraints(derEncoded: constraints(1)[...])]
        }
        #expect(excluded.error == .revocationStatusUnknown(certificate: 0))

        let constrained = TestChain.authority.changing {
            $0.extensions! += [TestExtension.standard(0x1E, constraints(1))]
        }
        let below = try search([Self.ofRoot, Self.bySigner, Self.ofSigner], [Self.own], authority: constrained) {
            $0.acceptsNonCriticalNameConstraints = true
        }
        #expect(below.error == nil)
    }
}
