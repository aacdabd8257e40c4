import CertificateDrafts
import PureAttest
import PureSHA2
import PureX509

/// Issues test certificates of the same form as Apple's certificates.
struct TestAuthority: Sendable {
    static let notBefore: Int64 = 1_700_000_000  // 231114221320Z
    static let notAfter: Int64 = 1_700_259_200  // 231117221320Z
    static let time = UnixTime(secondsSince1970: 1_700_086_400)

    let key: TestKey
    let name: String
    let certificate: [UInt8]

    init(
        _ name: String, _ key: TestKey, issuer: TestAuthority? = nil,
        validity: (from: String, to: String) = ("231114221320Z", "231117221320Z")
    ) {
        self.key = key
        self.name = name
        let basicConstraints: [UInt8] = issuer == nil ? [0x01, 0x01, 0xff] : [0x01, 0x01, 0xff, 0x02, 0x01, 0x00]
        certificate = Self.certificate(
            subject: name, key, issuer: issuer?.name ?? name, issuer?.key ?? key, validity: validity,
            extensions: [
                DER.certificateExtension([0x55, 0x1d, 0x13], critical: true, DER.sequence(basicConstraints)),
                DER.certificateExtension([0x55, 0x1d, 0x0f], critical: true, [0x03, 0x02, 0x01, 0x06]),
            ])
    }

    static let root = TestAuthority("Test Root", TestKey(0x1234_5678_9abc_def1))
    static let intermediate = TestAuthority("Test CA 1", TestKey(0x2345_6789_abcd_ef12), issuer: root)

    static var anchors: [TrustAnchor] {
        get throws { [try TrustAnchor(Certificate(derEncoded: root.certificate))] }
    }

    static func certificate(
        subject: String, _ key: TestKey, issuer: String, _ issuerKey: TestKey,
        validity: (from: String, to: String) = ("231114221320Z", "231117221320Z"), extensions: [[UInt8]]
    ) -> [UInt8] {
        let signed = DER.sequence(
            DER.context(0, DER.integer(2)), DER.integer(1), TestCertificate.algorithm(.sha256), DER.name(issuer),
            DER.sequence(DER.utcTime(validity.from), DER.utcTime(validity.to)), DER.name(subject),
            key.subjectPublicKeyInfo, DER.context(3, DER.sequence(extensions.flatMap(\.self))))
        return DER.sequence(signed, TestCertificate.algorithm(.sha256), DER.bits(issuerKey.signature(of: signed)))
    }
}

/// Creates attestations and assertions under the test authority, by default like a genuine device. If a test changes a
/// property, the other parts stay consistent with it, so the object has exactly one fault.
struct TestDevice: Sendable {
    static let key = TestKey(0x3456_789a_bcde_f123)
    static let production: [UInt8] = [UInt8]("appattest".utf8) + [UInt8](repeating: 0, count: 7)
    static let development = [UInt8]("appattestdevelop".utf8)
    static let leafExtensions = [
        DER.certificateExtension([0x55, 0x1d, 0x13], critical: true, DER.sequence()),
        DER.certificateExtension([0x55, 0x1d, 0x0f], critical: true, [0x03, 0x02, 0x04, 0xf0]),
    ]
    static let nonceIdentifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x08, 0x02]
    static let accessControlIdentifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x08, 0x06]

    var appID = AppID(teamID: "ABCDE12345", bundleID: "com.example.test")
    var challenge = [UInt8]("a challenge of the server".utf8)
    var flags: UInt8 = 0x40
    var counter: UInt32 = 0
    var aaguid = production
    var credentialID = key.keyID
    var credentialKey = coseKey(key.x963)
    /// The bytes after the credential data of an attestation, or after the counter of an assertion.
    var extensions: [UInt8] = []
    /// If not `nil`, replaces the whole authenticator data.
    var authenticatorData: [UInt8]?
    /// Returns the extensions that contain the nonce: by default one extension, as on a genuine device.
    var nonceExtensions: @Sendable ([UInt8]) -> [[UInt8]] = {
        [DER.certificateExtension(nonceIdentifier, DER.sequence(DER.context(1, DER.octets($0))))]
    }
    var moreLeafExtensions: [[UInt8]] = []
    var format = "apple-appattest"
    var receipt: [UInt8] = [0x30, 0x80, 0x00, 0x00]

    static func coseKey(_ x963: [UInt8]) -> [UInt8] {
        CBOR.map([
            (CBOR.unsigned(1), CBOR.unsigned(2)), (CBOR.unsigned(3), CBOR.negative(-7)),
            (CBOR.negative(-1), CBOR.unsigned(1)), (CBOR.negative(-2), CBOR.bytes(x963[1...32])),
            (CBOR.negative(-3), CBOR.bytes(x963[33...])),
        ])
    }

    var head: [UInt8] {
        appID.rpIDHash + [flags] + (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) }
    }

    func leaf(nonce: [UInt8]) -> [UInt8] {
        TestAuthority.certificate(
            subject: "leaf", Self.key, issuer: TestAuthority.intermediate.name, TestAuthority.intermediate.key,
            extensions: Self.leafExtensions + nonceExtensions(nonce) + moreLeafExtensions)
    }

    var attestedData: [UInt8] {
        authenticatorData ?? head + aaguid + [0, UInt8(credentialID.count)] + credentialID + credentialKey + extensions
    }

    var attestation: [UInt8] {
        let data = attestedData
        let nonce = [UInt8](SHA256.hash(data: data + SHA256.hash(data: challenge)))
        return Self.object(
            format: format, certificates: [leaf(nonce: nonce), TestAuthority.intermediate.certificate],
            receipt: receipt,
            authenticatorData: data)
    }

    static func object(
        format: String = "apple-appattest", certificates: [[UInt8]], receipt: [UInt8], authenticatorData: [UInt8]
    ) -> [UInt8] {
        CBOR.map([
            (CBOR.text("fmt"), CBOR.text(format)),
            (
                CBOR.text("attStmt"),
                CBOR.map([
                    (CBOR.text("x5c"), CBOR.array(certificates.map { CBOR.bytes($0) })),
                    (CBOR.text("receipt"), CBOR.bytes(receipt)),
                ])
            ),
            (CBOR.text("authData"), CBOR.bytes(authenticatorData)),
        ])
    }

    func verifier(
        environment: PureAttest.Environment = .production, launchPolicy: LaunchPolicy = .reportOnly,
        counterPolicy: CounterPolicy = .strict, clockSkew: UInt32 = 0
    ) throws -> AppAttestVerifier {
        AppAttestVerifier(
            apps: [appID], environment: environment, launchPolicy: launchPolicy, counterPolicy: counterPolicy,
            clockSkew: clockSkew
        ).trusting(testAnchors: try TestAuthority.anchors)
    }

    func verify(_ verifier: AppAttestVerifier? = nil) throws -> VerifiedAttestation {
        try (verifier ?? self.verifier()).verifyAttestation(
            attestation, keyID: Self.key.keyID, challenge: challenge, at: TestAuthority.time)
    }

    func storedKey(counter: UInt32 = 0) throws -> AttestedKey {
        try AttestedKey(trustingStoredKey: Self.key.x963, appID: appID, environment: .production, counter: counter)
    }

    var assertion: [UInt8] {
        let data = authenticatorData ?? head + extensions
        let nonce = [UInt8](SHA256.hash(data: data + SHA256.hash(data: challenge)))
        return Self.assertion(signature: Self.key.signature(of: nonce), authenticatorData: data)
    }

    static func assertion(signature: some Collection<UInt8>, authenticatorData: some Collection<UInt8>) -> [UInt8] {
        CBOR.map([
            (CBOR.text("signature"), CBOR.bytes(signature)),
            (CBOR.text("authenticatorData"), CBOR.bytes(authenticatorData)),
        ])
    }

    func verifyAssertion(_ verifier: AppAttestVerifier? = nil, key: AttestedKey? = nil) throws -> VerifiedAssertion {
        try (verifier ?? self.verifier()).verifyAssertion(
            assertion, challenge: challenge, key: key ?? storedKey())
    }
}
