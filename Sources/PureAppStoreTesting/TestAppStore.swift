import PureAttestTesting
import PureBytes
import PureDER
import PureECDSA
import PureSHA2
import PureX509

/// An App Store with its own root, which signs all kinds of data as Apple's App Store does.
///
/// **For tests only**: anybody can derive the private keys from the seed. A verifier accepts the data only if ``root``
/// is one of its test roots. Certificates have Apple's key types, algorithms and marking extensions. Issuers are valid
/// from 2020 to the end of 2049.
public struct TestAppStore: Sendable {
    /// The root: a DER certificate with a P-384 key.
    public let root: [UInt8]
    let rootKey: IssuerSigningKey
    let intermediateKey: IssuerSigningKey
    let leafKey: SigningKey<P256>
    let intermediate: CertificateDraft
    let leaf: CertificateDraft
    private let signedIntermediate, signedLeaf: [UInt8]

    /// Creates an App Store. The same seed gives the same keys and certificates.
    public init(seed: UInt64) {
        var random = TestRandom(seed: seed, purpose: "App Store")
        rootKey = .p384(SigningKey(from: &random))
        intermediateKey = .p384(SigningKey(from: &random))
        leafKey = SigningKey(from: &random)
        let leafPublicKey = IssuerSigningKey.p256(leafKey)
        let (start, end) = (TestCertificateAuthority.start, TestCertificateAuthority.end)
        root = TestCertificateAuthority.root(
            name: Self.rootName, key: rootKey, serialNumber: random.next(7),
            extensions: [.subjectKeyIdentifier(of: rootKey), .issuerBasicConstraints(), .issuerKeyUsage])
        intermediate = CertificateDraft(
            serialNumber: random.next(15), issuer: Self.rootName, subject: Self.intermediateName,
            subjectPublicKeyInfo: intermediateKey.subjectPublicKeyInfo, from: start, to: end, hash: .sha384,
            extensions: [
                .issuerBasicConstraints(pathLength: 0), .authorityKeyIdentifier(of: rootKey),
                .subjectKeyIdentifier(of: intermediateKey), .issuerKeyUsage,
                ExtensionDraft(Self.intermediateMark, derNull),
            ])
        leaf = CertificateDraft(
            serialNumber: random.next(15), issuer: Self.intermediateName, subject: Self.leafName,
            subjectPublicKeyInfo: leafPublicKey.subjectPublicKeyInfo, from: start, to: end, hash: .sha384,
            extensions: [
                .leafBasicConstraints, .authorityKeyIdentifier(of: intermediateKey),
                .subjectKeyIdentifier(of: leafPublicKey), ExtensionDraft.signerKeyUsage,
                ExtensionDraft(Self.leafMark, derNull),
            ])
        signedIntermediate = intermediate.encoded(signedBy: rootKey)
        signedLeaf = leaf.encoded(signedBy: intermediateKey)
    }

    /// Signs JSON, and returns the JWS in compact serialization, in ASCII.
    public func sign(_ json: some Collection<UInt8>) -> [UInt8] { draft([UInt8](json)).encoded() }

    /// Signs JSON with one broken rule.
    public func sign(_ json: some Collection<UInt8>, fault: SignedDataFault) -> [UInt8] {
        var draft = draft([UInt8](json))
        fault.apply(to: &draft)
        return draft.encoded()
    }

    func draft(_ payload: [UInt8]) -> SignedDataDraft {
        SignedDataDraft(
            payload: payload, leaf: leaf, intermediate: intermediate, signedLeaf: signedLeaf,
            signedIntermediate: signedIntermediate, root: root, leafKey: leafKey, intermediateKey: intermediateKey,
            rootKey: rootKey)
    }

    static let rootName = der(name: [(.commonName, "Test Root CA - G3"), (.organizationName, "PureAttest Test")])
    static let intermediateName = der(name: [
        (.commonName, "Test Worldwide Developer Relations Certification Authority"),
        (.organizationName, "PureAttest Test"),
    ])
    static let leafName = der(name: [
        (.commonName, "Test Mac App Store and iTunes Store Receipt Signing"), (.organizationName, "PureAttest Test"),
    ])
    /// 1.2.840.113635.100.6.11.1
    static var leafMark: ASN1ObjectIdentifier { .apple(6, 11, 1) }
    /// 1.2.840.113635.100.6.2.1
    static var intermediateMark: ASN1ObjectIdentifier { .apple(6, 2, 1) }
}

extension ExtensionDraft {
    /// The keyUsage extension of a signer: critical, with digitalSignature.
    static var signerKeyUsage: ExtensionDraft {
        ExtensionDraft(.keyUsage, critical: true, der(.bitString, [7, 0x80]))
    }
}
