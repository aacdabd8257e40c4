import PureDER
import Testing

@testable import PureX509

/// A key verifies the same as a point, as a table, and in a prepared intermediate.
@Suite struct IssuerKeyTests {
    private static let keys = [TestKey.p256(51), .p384(52)]

    private func authority(_ key: TestKey) -> TestCertificate {
        PathTests.authority.changing { $0.publicKeyInfo = key.subjectPublicKeyInfo }
    }

    @Test(arguments: keys.indices)
    func forms(_ index: Int) throws {
        let key = Self.keys[index]
        let point = try #require(IssuerKey(authority(key).certificate().publicKey))
        let table = point.precomputed()
        // A table is not made twice.
        for form in [point, table, table.precomputed()] {
            for hash in [TestKey.Hash.sha256, .sha384, .sha512] {
                let signed = TestCertificate("Leaf", .p256(4), issuer: "CA", signer: key).changing { $0.hash = hash }
                #expect(form.hasSigned(try signed.certificate()))
                let other = signed.changing { $0.signer = .p256(53) }
                #expect(!form.hasSigned(try other.certificate()))
            }
        }
    }

    /// An intermediate that is part of the program, without a table of its key.
    @Test(arguments: keys.indices)
    func embeddedIntermediate(_ index: Int) throws {
        let key = Self.keys[index]
        let anchor = try TrustAnchor(try PathTests.root.certificate())
        let verifier = CertificatePathVerifier(trustAnchors: [anchor])
        let intermediate = try authority(key).certificate()
        let prepared = verifier.preparing(
            embedded: intermediate, key: IssuerKey(intermediate.publicKey), issuedBy: anchor)
        #expect(prepared.preparedCertificate(intermediate.derEncoded) == intermediate)
        let leaf = try PathTests.leaf.changing { $0.signer = key }.certificate()
        #expect(try prepared.validateAppAttestChain([leaf, intermediate], at: PathTests.now).leaf == leaf)
        let forged = try PathTests.leaf.changing { $0.signer = .p256(53) }.certificate()
        #expect(throws: X509Error.invalidSignature(certificate: 0)) {
            try prepared.validateAppAttestChain([forged, intermediate], at: PathTests.now)
        }
    }

    /// One whose key can't be used is not prepared, and so not trusted.
    @Test func embeddedIntermediateOfAnotherKey() throws {
        let rsa = TestKey.publicKeyInfo(
            algorithm: DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01), parameters: DER.null, point: [])
        let intermediate = try PathTests.authority.changing { $0.publicKeyInfo = rsa }.certificate()
        let anchor = try TrustAnchor(try PathTests.root.certificate())
        let prepared = CertificatePathVerifier(trustAnchors: [anchor]).preparing(
            embedded: intermediate, key: IssuerKey(intermediate.publicKey), issuedBy: anchor)
        #expect(prepared.preparedCertificate(intermediate.derEncoded) == nil)
        #expect(throws: X509Error.unsupportedPublicKey(certificate: 1)) {
            try prepared.validateAppAttestChain([PathTests.leaf.certificate(), intermediate], at: PathTests.now)
        }
    }
}
