import CertificateDrafts
import PureX509
import PureX509Paths
import Testing

@Suite struct LookalikeNameTests {
    /// Issuer names that look like the anchor's name but differ in bytes.
    static let lookalikes: [(anchor: [UInt8], issuer: [UInt8])] = [
        // The same characters in different Unicode normalization forms, which `String` compares as equal.
        (DER.name("caf\u{E9}"), DER.name("cafe\u{301}")),
        (DER.name("Root"), DER.name("root")),
        (DER.name("Root CA"), DER.name("Root  CA")),
        (DER.name("Root"), DER.name("Root\u{0}")),
        (DER.name("Root"), DER.name("Root\u{0}.example.com")),
        (DER.name("Root"), DER.sequence(DER.relativeName(DER.printable("Root")))),
        (DER.name("Root"), DER.sequence(DER.relativeName(DER.utf8("Root")), DER.relativeName(DER.utf8("Root")))),
        // An attribute type identifier with an arc of 2³² + 3 instead of 3.
        (
            DER.name("Root"),
            DER.sequence(DER.set(DER.sequence(DER.oid(0x55, 0x04, 0x90, 0x80, 0x80, 0x80, 0x03), DER.utf8("Root"))))
        ),
    ]

    @Test(arguments: lookalikes.indices) func lookalikesAreOtherNames(_ index: Int) throws {
        let (anchorName, issuer) = Self.lookalikes[index]
        let root = TestKey.p256(2)
        let anchor = try TrustAnchor(name: anchorName[...], subjectPublicKeyInfo: root.subjectPublicKeyInfo[...])
        let verifier = CertificatePathVerifier(trustAnchors: [anchor])
        var template = TestCertificate("Leaf", .p256(3), issuer: "", signer: root)
        template.issuer = issuer
        let leaf = try template.certificate()
        #expect(throws: PathError.issuerNotFound(certificate: 0)) {
            try verifier.validate(leaf: leaf, intermediates: [], at: TestChain.now)
        }
        template.issuer = anchorName
        _ = try verifier.validate(leaf: try template.certificate(), intermediates: [], at: TestChain.now)
    }
}
