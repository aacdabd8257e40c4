import PureDER
import PureECDSA

@testable import PureAttestTesting
@testable import PureKeyAttestation
@testable import PureX509

/// Fuzzes an unsigned key description. Every policy must return a verdict. The standard policy must not accept a
/// description that a weaker policy rejects.
let keyDescriptionTarget = Target(name: "key-description", form: .der) { bytes in
    guard let description = try? KeyDescription(decoding: bytes) else { return }
    for list in [description.softwareEnforced, description.hardwareEnforced] {
        require(list.unknownTags.count <= AuthorizationList.maximumMemberCount, "more members than the limit")
    }
    let weak = KeyAttestationPolicy(
        minimumSecurityLevel: .software, requiresLockedDevice: false, acceptsAnyBootState: true,
        acceptsImportedKeys: true,
        maximumPatchAge: nil)
    let strong = KeyAttestationPolicy(minimumOSVersion: 1, minimumPatchLevel: 202_001, maximumCertificatesIssued: 1)
    for policy in [KeyAttestationPolicy.standard, strong] where accepts(policy, description) {
        require(accepts(weak, description), "a weaker policy rejects")
        require(description.hardwareEnforced.rootOfTrust?.isDeviceLocked == true, "an unlocked device")
        require(description.hardwareEnforced.origin == .generated, "a key from elsewhere")
    }
} seeds: {
    [description(challenge: [9]), description(challenge: [9], isExchanged: true)]
}

/// Returns a description that the standard policy accepts. With `isExchanged`, swaps the software and the hardware
/// list, so that the policy rejects the description.
private func description(challenge: [UInt8], isExchanged: Bool = false) -> [UInt8] {
    let root = der(.sequence, der(.octetString, [1]), derTrue, [0x0A, 1, 0], der(.octetString, [2]))
    let app = der(
        .sequence, der(.set, der(.sequence, der(.octetString, Array("a".utf8)), der(1))),
        der(.set, der(.octetString, [7])))
    let software = der(.sequence, der(.context(701), der(7)), der(.context(709), der(.octetString, app)))
    let hardware = der(
        .sequence, der(.context(1), der(.set, der(2))), der(.context(2), der(3)), der(.context(3), der(256)),
        der(.context(503), derNull), der(.context(702), der(0)), der(.context(704), root),
        der(.context(705), der(160_000)),
        der(.context(706), der(202_608)), der(.context(718), der(20_260_805)), der(.context(719), der(20_260_805)))
    let start = der(300) + [0x0A, 1, 1] + der(300) + [0x0A, 1, 1] + der(.octetString, challenge) + der(.octetString)
    return der(.sequence, start, isExchanged ? hardware + software : software + hardware)
}

/// Fuzzes the signed parts of a leaf and of the attestation key's certificate. The target signs both, and
/// appends the tests' intermediate and root. An accepted chain must have the expected challenge and app, and exactly
/// one key description, in the leaf. The report must name the same error as the verifier.
let keyAttestationTarget = Target(name: "key-attestation", form: .parts([.der, .der])) { bytes in
    let parts = Parts(decoding: bytes, count: 2).parts
    let leaf = certificate(parts[0], signedBy: attestationKey),
        attestation = certificate(parts[1], signedBy: factoryKey)
    let chain = [leaf, attestation, factoryCertificate, rootCertificate]
    let report = androidVerifier.explain(
        chain: chain, challenge: World.clientDataHash, at: World.time, revocation: .notChecked)
    do throws(KeyAttestationError) {
        let verified = try androidVerifier.verify(
            chain: chain, challenge: World.clientDataHash, at: World.time, revocation: .notChecked)
        require(report.error == nil, "the report rejects")
        require(verified.description.attestationChallenge == World.clientDataHash[...], "another challenge")
        require(verified.description.hardwareEnforced.rootOfTrust?.isDeviceLocked == true, "an unlocked device")
        require(verified.description.hardwareEnforced.origin == .generated, "a key from elsewhere")
        require(verified.app.packageNameUTF8 == Array("a".utf8), "another app")
        require(try! AttestedAndroidKey(serialized: verified.key.serialized) == verified.key, "a stored key")
        let issuer = try! Certificate(derEncoded: attestation[...])
        require(!issuer.extensions.contains { $0.identifier == .keyDescription }, "an issuer with a key description")
        require(issuer.notBefore <= World.time, "a certificate that is not yet valid")
        require(
            issuer.subjectPublicKeyInfo == IssuerSigningKey.p256(attestationKey).subjectPublicKeyInfo[...],
            "a leaf with another key's signature")
    } catch {
        require(report.error == error, "the report has another error")
    }
} seeds: {
    let leaf = androidDraft(
        [], by: attestationName, of: World.issuerKey(43),
        [
            ExtensionDraft(.keyUsage, critical: true, [0x03, 0x03, 0x07, 0x80, 0x00]),
            ExtensionDraft(.keyDescription, description(challenge: [UInt8](World.clientDataHash))),
        ])
    let exchanged = androidDraft(
        [], by: attestationName, of: World.issuerKey(43),
        [
            ExtensionDraft(.keyDescription, description(challenge: [UInt8](World.clientDataHash), isExchanged: true))
        ])
    let attestation = androidDraft(
        attestationName, by: factoryName, of: attestationKey, [.issuerBasicConstraints(), .issuerKeyUsage])
    let described = androidDraft(
        attestationName, by: factoryName, of: attestationKey,
        [.issuerBasicConstraints(), ExtensionDraft(.keyDescription, description(challenge: [1]))])
    return [(leaf, attestation), (exchanged, attestation), (leaf, described)].map {
        Parts([$0.0.signedPart(), $0.1.signedPart()]).encoded
    }
}

private let attestationKey = World.issuerKey(42)
private let factoryKey = World.issuerKey(41)
private let rootKey = World.issuerKey(40)
private let rootName: [(ASN1ObjectIdentifier, String)] = [(.commonName, "root")]
private let factoryName: [(ASN1ObjectIdentifier, String)] = [(.serialNumber, "41")]
private let attestationName: [(ASN1ObjectIdentifier, String)] = [(.title, "TEE")]

private let factoryCertificate = certificate(
    androidDraft(factoryName, by: rootName, of: factoryKey, [.issuerBasicConstraints(), .issuerKeyUsage]).signedPart(),
    signedBy: rootKey)
private let rootCertificate = certificate(
    androidDraft(rootName, by: rootName, of: rootKey, [.issuerBasicConstraints(), .issuerKeyUsage]).signedPart(),
    signedBy: rootKey)
private let androidVerifier = KeyAttestationVerifier(
    apps: [AndroidApp(packageName: "a", signingDigests: [[7]])], policy: .standard,
    roots: [
        ChainRoot(
            name: der(name: rootName), key: .p256(try! P256.Signing.PublicKey(x963Representation: rootKey.x963)))
    ])

private func androidDraft(
    _ subject: [(ASN1ObjectIdentifier, String)], by issuer: [(ASN1ObjectIdentifier, String)], of key: SigningKey<P256>,
    _ extensions: [ExtensionDraft]
) -> CertificateDraft {
    CertificateDraft(
        serialNumber: [1], issuer: der(name: issuer), subject: der(name: subject),
        subjectPublicKeyInfo: IssuerSigningKey.p256(key).subjectPublicKeyInfo, from: TestCertificateAuthority.start,
        to: TestCertificateAuthority.end, hash: .sha256, extensions: extensions)
}

private func accepts(_ policy: KeyAttestationPolicy, _ description: KeyDescription) -> Bool {
    do throws(KeyAttestationError) {
        try policy.checkSecurityLevel(description)
        try policy.checkBoot(description)
        try policy.checkKey(description)
        try policy.checkSystem(description, at: World.time)
        return true
    } catch {
        return false
    }
}

/// Fuzzes Google's status list. Looking up a serial number in the list must never trap.
let statusListTarget = Target(name: "status-list", form: .bytes) { bytes in
    guard let list = try? RevocationStatusList(json: bytes) else { return }
    require(list.count <= bytes.count / 20, "more entries than the bytes can hold")
    let status = list.status(ofSerialNumber: bytes.suffix(20))
    require(list.count > 0 || status == nil, "a status from an empty list")
} seeds: {
    [
        Array(#"{"entries":{"1f":{"status":"REVOKED","reason":"KEY_COMPROMISE"},"2":{"status":"SUSPENDED"}}}"#.utf8),
        Array(#"{ "a": [1, -2.5e3, "\u00e9", null, true, {}], "entries": {} }"#.utf8),
    ]
}

/// Fuzzes a stored Android key. Each value must have exactly one encoding.
let androidKeyTarget = Target(name: "android-key", form: .bytes) { bytes in
    guard let key = try? AttestedAndroidKey(serialized: bytes) else { return }
    require(key.serialized.elementsEqual(bytes), "two encodings of one key")
    require(!key.publicKey.isValidSignature(bytes, for: World.clientData), "a forged signature")
} seeds: {
    let head: [UInt8] = [1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0x61]
    let rsa: [UInt8] = [3, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0x80] + [UInt8](repeating: 1, count: 255)
    return [head + [1] + World.issuerKey(3).x963, head + rsa]
}
