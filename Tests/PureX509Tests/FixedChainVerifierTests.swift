import CertificateDrafts
import Testing

@testable import PureX509

/// Tests rules that each profile adds, and the look-up of anchors. `AppAttestChainTests` tests the other rules.
@Suite struct FixedChainVerifierTests {
    private func rejection(
        _ profile: FixedChainVerifier.Profile, root: TestCertificate = TestChain.root,
        authority: TestCertificate = TestChain.authority
    ) throws -> X509Error? {
        let leaf = try TestChain.leaf.certificate(), intermediate = try authority.certificate()
        let verifier = FixedChainVerifier(trustAnchors: [try TrustAnchor(try root.certificate())], profile: profile)
        do throws(X509Error) {
            try verifier.verify(leaf, issuedBy: intermediate, at: TestChain.now, checkLeaf: { _ in })
            return nil
        } catch { return error }
    }

    private static let noncritical = [
        TestExtension.basicConstraints(ca: true, critical: false), TestExtension.certificateSigning,
    ]

    /// RFC 5280 §4.2.1.9 requires CAs to make basicConstraints critical. §6.1.4 (k) does not check it.
    @Test func criticalBasicConstraints() throws {
        let root = TestChain.root.changing { $0.extensions = Self.noncritical }
        let authority = TestChain.authority.changing { $0.extensions = Self.noncritical }
        #expect(try rejection(.strict) == nil)
        #expect(try rejection(.rfc5280) == nil)
        #expect(try rejection(.strict, authority: authority) == .wrongCriticality(.basicConstraints, certificate: 1))
        #expect(try rejection(.strict, root: root) == .wrongCriticality(.basicConstraints, certificate: 2))
        #expect(try rejection(.rfc5280, root: root, authority: authority) == nil)
    }

    /// RFC 5280 §6.1.4 (n) checks keyUsage only if it is present.
    @Test func absentKeyUsage() throws {
        let authority = TestChain.authority.changing {
            $0.extensions = [TestExtension.basicConstraints(ca: true)]
        }
        #expect(try rejection(.strict, authority: authority) == .keyCertSignMissing(certificate: 1))
        #expect(try rejection(.rfc5280, authority: authority) == nil)
    }

    /// An anchor's certificate is found by its complete encoding. An anchor from a name and a key has no certificate.
    @Test func anchorCertificates() throws {
        let certificates = try [TestChain.root, TestChain.authority].map { try $0.certificate() }
        let leaf = try TestChain.leaf.certificate()
        let bare = try TrustAnchor(name: leaf.subject, subjectPublicKeyInfo: leaf.subjectPublicKeyInfo)
        let verifier = FixedChainVerifier(trustAnchors: [bare] + (try certificates.map { try TrustAnchor($0) }))
        for certificate in certificates {
            #expect(verifier.anchorCertificate(certificate.derEncoded) === certificate)
            #expect(verifier.anchorCertificate(certificate.derEncoded.dropLast()) == nil)
        }
        #expect(verifier.anchorCertificate(leaf.derEncoded) == nil)
        #expect(verifier.anchorCertificate([]) == nil)
        #expect(FixedChainVerifier(trustAnchors: [bare]).anchorCertificate(leaf.derEncoded) == nil)
    }
}
