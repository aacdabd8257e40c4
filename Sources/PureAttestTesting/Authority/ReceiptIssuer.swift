import PureAttest
import PureDER
import PureECDSA
import PureX509

/// The authority for receipts: a P-384 root, a P-256 intermediate, and a P-256 receipt signer.
struct ReceiptIssuer: Sendable {
    let signerKey: SigningKey<P256>
    let signer: CertificateDraft
    let intermediateKey: IssuerSigningKey
    /// The DER certificates of the signer, the intermediate and the root, in the order in which receipts contain them.
    let certificates: [[UInt8]]

    var signerIdentifier: [UInt8] { Self.intermediateName + signer.serialNumber }

    init(seed: UInt64) {
        var random = TestRandom(seed: seed, purpose: "receipt authority")
        let rootKey = IssuerSigningKey.p384(SigningKey(from: &random))
        intermediateKey = IssuerSigningKey.p256(SigningKey(from: &random))
        signerKey = SigningKey(from: &random)
        let signerPublicKey = IssuerSigningKey.p256(signerKey)
        let intermediate = CertificateDraft(
            serialNumber: random.next(15), issuer: Self.rootName, subject: Self.intermediateName,
            subjectPublicKeyInfo: intermediateKey.subjectPublicKeyInfo, from: TestCertificateAuthority.start,
            to: TestCertificateAuthority.end, hash: .sha384,
            extensions: [
                .issuerBasicConstraints(), .authorityKeyIdentifier(of: rootKey), .ocspResponder("root"),
                .crlDistributionPoint, .subjectKeyIdentifier(of: intermediateKey), .issuerKeyUsage,
                ExtensionDraft(.apple(6, 2, 3), derNull),
            ])
        signer = CertificateDraft(
            serialNumber: random.next(15), issuer: Self.intermediateName, subject: Self.signerName,
            subjectPublicKeyInfo: signerPublicKey.subjectPublicKeyInfo, from: TestCertificateAuthority.start,
            to: TestCertificateAuthority.end, hash: .sha256,
            extensions: [
                .leafBasicConstraints, .authorityKeyIdentifier(of: intermediateKey), .ocspResponder("integration"),
                .receiptPolicies, .subjectKeyIdentifier(of: signerPublicKey),
                // digitalSignature.
                ExtensionDraft(.keyUsage, critical: true, der(.bitString, [7, 0x80])),
                ExtensionDraft(.receiptSigning, derNull),
            ])
        let root = TestCertificateAuthority.root(
            name: Self.rootName, key: rootKey, serialNumber: random.next(7),
            extensions: [.subjectKeyIdentifier(of: rootKey), .issuerBasicConstraints(), .issuerKeyUsage])
        certificates = [signer.encoded(signedBy: intermediateKey), intermediate.encoded(signedBy: rootKey), root]
    }

    static let rootName = der(name: [
        (.commonName, "Test Root CA - G3"), (.organizationalUnitName, "PureAttest Test Certification Authority"),
        (.organizationName, "PureAttest Test"), (.countryName, "ZZ"),
    ])
    static let intermediateName = der(name: [
        (.commonName, "Test Application Integration CA 5 - G1"),
        (.organizationalUnitName, "PureAttest Test Certification Authority"), (.organizationName, "PureAttest Test"),
        (.countryName, "ZZ"),
    ])
    static let signerName = der(name: [
        (.commonName, "Test Application Attestation Fraud Receipt Signing"), (.organizationName, "PureAttest Test"),
        (.countryName, "ZZ"),
    ])
}

extension ExtensionDraft {
    /// authorityInfoAccess (RFC 5280 §4.2.2.1). The host is in the domain "test", which RFC 2606 §2 reserves for tests.
    fileprivate static func ocspResponder(_ path: String) -> ExtensionDraft {
        let location = der(.contextPrimitive(6), Array("http://ocsp.test/\(path)".utf8))
        return ExtensionDraft(.authorityInformationAccess, der(.sequence, der(.sequence, der(.ocsp), location)))
    }

    /// cRLDistributionPoints (RFC 5280 §4.2.1.13).
    fileprivate static var crlDistributionPoint: ExtensionDraft {
        let uri = der(.contextPrimitive(6), Array("http://crl.test/root.crl".utf8))
        return ExtensionDraft(
            .cRLDistributionPoints,
            der(.sequence, der(.sequence, der(.context(0), der(.context(0), uri)))))
    }

    /// certificatePolicies (RFC 5280 §4.2.1.4) with both kinds of qualifiers, as in Apple's certificates.
    fileprivate static var receiptPolicies: ExtensionDraft {
        let notice = der(
            .sequence, der(.userNotice),
            der(.sequence, der(utf8: "Made for tests. Reliance on this certificate is a mistake.")))
        let statement = der(.sequence, der(.practiceStatement), der(.ia5String, Array("http://policy.test/".utf8)))
        return ExtensionDraft(
            .certificatePolicies,
            der(.sequence, der(.sequence, der(.apple(5, 1)), der(.sequence, notice, statement))))
    }
}
