import CertificateDrafts
import PureX509
import Testing

@testable import PureAttest

@Suite struct PreparedIntermediateTests {
    private typealias TestKey = CertificateDrafts.TestKey

    /// An embedded intermediate can be used without a table of its key.
    @Test(arguments: [CertificateDrafts.TestKey.p256(51), .p384(52)])
    func embeddedIntermediate(_ key: CertificateDrafts.TestKey) throws {
        let anchor = try TrustAnchor(try TestChain.root.certificate())
        let verifier = FixedChainVerifier(trustAnchors: [anchor])
        let intermediate = try TestChain.authority.changing { $0.publicKeyInfo = key.subjectPublicKeyInfo }
            .certificate()
        let prepared = verifier.preparing(
            embedded: intermediate, key: IssuerKey(intermediate.publicKey))
        #expect(prepared.preparedCertificate(intermediate.derEncoded) == intermediate)
        let leaf = try TestChain.leaf.changing { $0.signer = key }.certificate()
        try prepared.verify(leaf, issuedBy: intermediate, at: TestChain.now)
        let forged = try TestChain.leaf.changing { $0.signer = .p256(53) }.certificate()
        #expect(throws: X509Error.invalidSignature(certificate: 0)) {
            try prepared.verify(forged, issuedBy: intermediate, at: TestChain.now)
        }
    }

    /// An intermediate with an unsupported key is neither prepared nor trusted.
    @Test func embeddedIntermediateOfAnotherKey() throws {
        let rsa = TestKey.publicKeyInfo(
            algorithm: DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01), parameters: DER.null, point: [])
        let intermediate = try TestChain.authority.changing { $0.publicKeyInfo = rsa }.certificate()
        let anchor = try TrustAnchor(try TestChain.root.certificate())
        let prepared = FixedChainVerifier(trustAnchors: [anchor]).preparing(
            embedded: intermediate, key: IssuerKey(intermediate.publicKey))
        #expect(prepared.preparedCertificate(intermediate.derEncoded) == nil)
        #expect(throws: X509Error.unsupportedPublicKey(certificate: 1)) {
            try prepared.verify(TestChain.leaf.certificate(), issuedBy: intermediate, at: TestChain.now)
        }
    }
}
