public import PureDER
import PureX509

/// Two test authorities, modelled on Apple's authorities for App Attest: one for attestations, and one for receipts.
///
/// **For tests only**: the private keys are derived from the seed. The certificates have the same key types,
/// algorithms, fields and extensions as Apple's certificates, in the same order. The names in the certificates contain
/// "Test". The certificates of issuers are valid from 2020 to the end of 2049, so that tests do not fail in 2030.
public struct TestCertificateAuthority: Sendable {
    /// The root for attestations: a DER certificate with a P-384 key. The server under test must trust this root.
    public let attestationRoot: [UInt8]
    /// The root for receipts: a DER certificate with a P-384 key.
    public let receiptRoot: [UInt8]

    let attestationRootKey: IssuerSigningKey
    let intermediate: CertificateDraft
    let intermediateKey: IssuerSigningKey
    let receiptIssuer: ReceiptIssuer
    /// The intermediate that issues the leaves: a DER certificate with a P-384 key.
    public let attestationIntermediate: [UInt8]

    /// Creates an authority. The same seed always produces the same keys and certificates.
    public init(seed: UInt64) {
        var random = TestRandom(seed: seed, purpose: "attestation authority")
        let rootKey = IssuerSigningKey.p384(SigningKey(from: &random))
        let intermediateKey = IssuerSigningKey.p384(SigningKey(from: &random))
        attestationRootKey = rootKey
        self.intermediateKey = intermediateKey
        attestationRoot = Self.root(
            name: Self.rootName, key: rootKey, serialNumber: random.next(15),
            extensions: [.issuerBasicConstraints(), .subjectKeyIdentifier(of: rootKey), .issuerKeyUsage])
        intermediate = CertificateDraft(
            serialNumber: random.next(15), issuer: Self.rootName, subject: Self.intermediateName,
            subjectPublicKeyInfo: intermediateKey.subjectPublicKeyInfo, from: Self.start, to: Self.end, hash: .sha384,
            extensions: [
                .issuerBasicConstraints(pathLength: 0), .authorityKeyIdentifier(of: rootKey),
                .subjectKeyIdentifier(of: intermediateKey), .issuerKeyUsage,
            ])
        attestationIntermediate = intermediate.encoded(signedBy: rootKey)
        receiptIssuer = ReceiptIssuer(seed: seed)
        receiptRoot = receiptIssuer.certificates[2]
    }

    /// 2020-03-18T18:32:53Z, the notBefore date of Apple's root.
    package static let start = UnixTime(secondsSince1970: 1_584_556_373)
    /// 2049-12-31T23:59:59Z, the last second that UTCTime can represent. All dates in Apple's certificates are UTCTime.
    package static let end = UnixTime(secondsSince1970: 2_524_607_999)

    /// The validity period of the issuers' certificates. Verifiers reject objects that are created outside this period.
    public static let validity = start...end

    static let rootName = der(name: [
        (.commonName, "Test App Attestation Root CA"), (.organizationName, "PureAttest Test"), (.stateName, "Testing"),
    ])
    static let intermediateName = der(name: [
        (.commonName, "Test App Attestation CA 1"), (.organizationName, "PureAttest Test"), (.stateName, "Testing"),
    ])

    package static func root(
        name: [UInt8], key: IssuerSigningKey, serialNumber: [UInt8], extensions: [ExtensionDraft]
    ) -> [UInt8] {
        CertificateDraft(
            serialNumber: serialNumber, issuer: name, subject: name, subjectPublicKeyInfo: key.subjectPublicKeyInfo,
            from: start, to: end, hash: .sha384, extensions: extensions
        ).encoded(signedBy: key)
    }
}

extension ExtensionDraft {
    /// The critical basicConstraints of an issuer (RFC 5280 §4.2.1.9).
    package static func issuerBasicConstraints(pathLength: UInt32? = nil) -> ExtensionDraft {
        ExtensionDraft(.basicConstraints, critical: true, der(.sequence, derTrue, pathLength.map { der($0) } ?? []))
    }

    package static var leafBasicConstraints: ExtensionDraft {
        ExtensionDraft(.basicConstraints, critical: true, der(.sequence))
    }

    /// The critical keyUsage of an issuer: keyCertSign and cRLSign (RFC 5280 §4.2.1.3).
    package static var issuerKeyUsage: ExtensionDraft {
        ExtensionDraft(.keyUsage, critical: true, der(.bitString, [1, 0x06]))
    }

    package static func subjectKeyIdentifier(of key: IssuerSigningKey) -> ExtensionDraft {
        ExtensionDraft(.subjectKeyIdentifier, der(.octetString, key.keyIdentifier))
    }

    package static func authorityKeyIdentifier(of key: IssuerSigningKey) -> ExtensionDraft {
        ExtensionDraft(.authorityKeyIdentifier, der(.sequence, der(.contextPrimitive(0), key.keyIdentifier)))
    }
}
