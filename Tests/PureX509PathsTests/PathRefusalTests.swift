import CertificateDrafts
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// If no path is valid, the error comes from the first of the rejected candidates that are farthest from the leaf.
@Suite struct PathRefusalTests {
    private static let serverOnly = TestExtension.extendedKeyUsage(DER.oid(0x2B, 6, 1, 5, 5, 7, 3, 1))
    private static let wrongKey = TestKey.p384(9).subjectPublicKeyInfo

    private static let restrictedRoot = TestChain.root.changing { $0.extensions! += [serverOnly] }
    private static let rootOfOtherKey = TestChain.root.changing { $0.publicKeyInfo = wrongKey }
    private static let authorityOfOtherKey = TestChain.authority.changing { $0.publicKeyInfo = wrongKey }
    private static let notAuthority = TestChain.authority.changing { $0.extensions = [] }
    private static let notSigning = TestChain.authority.changing {
        $0.extensions = [TestExtension.basicConstraints(ca: true), TestExtension.digitalSignature]
    }

    private func expect(
        _ error: PathError, leaf: TestCertificate = TestChain.leaf, _ intermediates: [TestCertificate],
        roots: [TestCertificate] = [TestChain.root], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let rejection = PathTests.rejection(
            leaf: leaf, intermediates: intermediates, roots: roots, purpose: .clientAuthentication)
        #expect(rejection == error, sourceLocation: sourceLocation)
    }

    /// An anchor that may not issue certificates is reported in preference to an invalid signature on the leaf.
    @Test func anchorBeyondSignature() {
        let direct = TestCertificate("Leaf", .p256(4), issuer: "Root", signer: TestChain.rootKey)
        for roots in [[Self.rootOfOtherKey, Self.restrictedRoot], [Self.restrictedRoot, Self.rootOfOtherKey]] {
            expect(.extendedKeyUsageMissing(certificate: 1), leaf: direct, [], roots: roots)
        }
    }

    @Test func intermediateBeyondSignature() {
        expect(.notCertificationAuthority(certificate: 1), [Self.authorityOfOtherKey, Self.notAuthority])
        expect(.notCertificationAuthority(certificate: 1), [Self.notAuthority, Self.authorityOfOtherKey])
    }

    @Test func secondIssuerBeyondFirst() {
        expect(
            .extendedKeyUsageMissing(certificate: 2), [Self.notAuthority, TestChain.authority],
            roots: [Self.restrictedRoot])
        expect(
            .extendedKeyUsageMissing(certificate: 2), [TestChain.authority, Self.notAuthority],
            roots: [Self.restrictedRoot])
        let restrictedAnchor = Self.restrictedRoot.changing { $0.subject = DER.name("CA") }
        let second = Self.notAuthority.changing { $0.subject = DER.name("Root") }
        expect(.notCertificationAuthority(certificate: 2), [TestChain.authority, second], roots: [restrictedAnchor])
    }

    @Test func firstOfSeveral() {
        expect(.notCertificationAuthority(certificate: 1), [Self.notAuthority, Self.notSigning])
        expect(.keyCertSignMissing(certificate: 1), [Self.notSigning, Self.notAuthority])
    }
}
