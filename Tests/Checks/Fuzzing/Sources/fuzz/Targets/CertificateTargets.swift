import PureDER
import PureECDSA
import PureSHA2

@testable import PureAttest
@testable import PureAttestTesting
@testable import PureX509
@testable import PureX509Paths

/// Fuzzes one certificate. The parsed certificate must encode to exactly the input.
let certificateTarget = Target(name: "certificate", form: .der) { bytes in
    guard let certificate = try? Certificate(derEncoded: bytes) else { return }
    let parts = try! SignedCertificate(bytes)
    let fields = try! CertificateFields(parts.tbsCertificate)
    require(certificate.derEncoded == bytes && certificate == (try! Certificate(derEncoded: [UInt8](bytes))), "bytes")
    require(certificate.tbsCertificate == parts.tbsCertificate, "the signed part")
    // The signed part is a slice of the input, so the signature covers exactly the parsed bytes.
    let signed = certificate.tbsCertificate.indices
    require(bytes.startIndex < signed.lowerBound && signed.upperBound <= bytes.endIndex, "no signed part inside")
    require(fields.serialNumber == certificate.serialNumber && certificate.serialNumber.count <= 20, "serial number")
    require(certificate.extensions.count <= Certificate.maximumExtensionCount, "extensions")
    require(
        Set(certificate.extensions.map(\.identifier)).count == certificate.extensions.count, "a duplicate extension")
    for name in [certificate.issuer, certificate.subject] {
        _ = try! DistinguishedName(derEncoded: name).attributes.map { $0.type.description }
    }
    for item in certificate.extensions {
        require(certificate.extension(item.identifier) == item, "an extension is lost")
    }
    _ = certificate.extendedKeyUsage?.purposes
    _ = try? TrustAnchor(certificate)
} seeds: {
    World.attestations.compactMap { try? certificates(of: $0) }.flatMap { $0 } + [World.authority.attestationRoot]
}

/// Fuzzes the signed parts of a leaf and two intermediates. The target signs the mutated parts, so that mutants pass
/// the signature check. A second implementation of RFC 5280 §6.1 checks each accepted path.
let chainTarget = Target(name: "chain", form: .parts([.der, .der, .der])) { bytes in
    let parts = Parts(decoding: bytes, count: 3).parts
    guard let leaf = try? Certificate(derEncoded: certificate(parts[0], signedBy: lowerKey)),
        let lower = try? Certificate(derEncoded: certificate(parts[1], signedBy: upperKey)),
        let upper = try? Certificate(derEncoded: certificate(parts[2], signedBy: chainRootKey))
    else { return }
    let path = try? chainVerifier.validate(leaf: leaf, intermediates: [lower, upper], at: World.time)
    let other = try? chainVerifier.validate(leaf: leaf, intermediates: [upper, leaf, lower, lower], at: World.time)
    require((path == nil) == (other == nil), "the verdict depends on the order of the intermediates")
    if let path { checkPath(path) }
    // App Attest's profile must not accept a path that the general rules reject.
    for chain in [[leaf, lower], [lower, upper]] {
        guard (try? appAttestChainVerifier.verify(chain[0], issuedBy: chain[1], at: World.time)) != nil else {
            continue
        }
        for identifier in constraining {
            require(
                chain.allSatisfy { $0.extension(identifier) == nil },
                "an extension that constrains the path, which App Attest's chains never have")
        }
        require(chain[0].keyUsage?.contains(.digitalSignature) == true, "a leaf that must not sign data")
        let general = try? chainVerifier.validate(leaf: chain[0], intermediates: [chain[1]], at: World.time)
        require(general != nil, "App Attest's profile accepts a chain that RFC 5280 rejects")
        if let general { checkPath(general) }
    }
} seeds: {
    let issuer = ExtensionDraft.issuerBasicConstraints
    let leaf = chainDraft(
        subject: "leaf", issuer: "lower", key: World.issuerKey(1), [.leafBasicConstraints, mayEverything])
    let lower = chainDraft(subject: "lower", issuer: "upper", key: lowerKey, [issuer(0), .issuerKeyUsage])
    let upper = chainDraft(subject: "upper", issuer: "root", key: upperKey, [issuer(1), .issuerKeyUsage])
    let narrow = chainDraft(subject: "upper", issuer: "root", key: upperKey, [issuer(0), .issuerKeyUsage])
    let bare = chainDraft(subject: "leaf", issuer: "lower", key: World.issuerKey(1), [.leafBasicConstraints])
    let selfIssued = chainDraft(subject: "root", issuer: "root", key: upperKey, [issuer(1)])
    let drafts = [
        [leaf, lower, upper], [leaf, upper, upper], [leaf, lower, selfIssued], [lower, lower, upper],
        [leaf, lower, narrow], [bare, lower, upper],
    ]
    return drafts.map { Parts($0.map { $0.signedPart() }).encoded } + CertificateFault.allCases.map(faultyChain)
}

private func faultyChain(_ fault: CertificateFault) -> [UInt8] {
    var attestation = World.device.attestationDraft(
        of: World.key, clientDataHash: World.clientDataHash, at: World.time)
    fault.definition(at: World.time).apply(&attestation)
    attestation.leaf.issuer = chainName("lower")
    attestation.intermediate.subject = chainName("lower")
    attestation.intermediate.issuer = chainName("root")
    attestation.intermediate.subjectPublicKeyInfo = IssuerSigningKey.p256(lowerKey).subjectPublicKeyInfo
    let intermediate = attestation.intermediate.signedPart()
    return Parts([attestation.leaf.signedPart(), intermediate, intermediate]).encoded
}

let lowerKey = World.issuerKey(2)
let upperKey = World.issuerKey(3)
let chainRootKey = World.issuerKey(4)
private let chainAnchor = try! TrustAnchor(
    name: chainName("root")[...], subjectPublicKeyInfo: IssuerSigningKey.p256(chainRootKey).subjectPublicKeyInfo[...])
let chainVerifier = CertificatePathVerifier(trustAnchors: [chainAnchor])
private let appAttestChainVerifier = FixedChainVerifier(trustAnchors: [chainAnchor])

/// The keyUsage extension of App Attest's leaves: the first four bits are set.
let mayEverything = ExtensionDraft(.keyUsage, critical: true, der(.bitString, [4, 0xF0]))

func chainName(_ name: String) -> [UInt8] { der(name: [(.commonName, name)]) }

func chainDraft(
    subject: String, issuer: String, key: SigningKey<P256>, _ extensions: [ExtensionDraft]
) -> CertificateDraft {
    CertificateDraft(
        serialNumber: [1], issuer: chainName(issuer), subject: chainName(subject),
        subjectPublicKeyInfo: IssuerSigningKey.p256(key).subjectPublicKeyInfo, from: TestCertificateAuthority.start,
        to: TestCertificateAuthority.end, hash: .sha256, extensions: extensions)
}

/// Checks a path from the anchor to the leaf by RFC 5280 §6.1.3 to §6.1.5 and §4.2.1.9.
func checkPath(_ path: ValidatedCertificateChain) {
    var issuerName = path.trustAnchor.name
    var issuerKey = IssuerKey(try! CertificatePublicKey(subjectPublicKeyInfo: path.trustAnchor.subjectPublicKeyInfo))!
    var pathLength = CertificatePathVerifier.defaultMaximumPathLength
    for (index, certificate) in path.certificates.enumerated().reversed() {
        require(certificate.issuer == issuerName, "the name of the issuer")
        require(
            issuerKey.isValidSignature(
                certificate.signature, algorithm: certificate.signatureAlgorithm, message: certificate.tbsCertificate),
            "the signature")
        require(certificate.notBefore <= World.time && World.time <= certificate.notAfter, "the validity")
        for item in certificate.extensions where item.isCritical {
            require(processed.contains(item.identifier), "a critical extension that is not processed")
        }
        guard index > 0 else { continue }
        require(certificate.basicConstraints?.isCertificationAuthority == true, "an issuer that is not a CA")
        require(certificate.keyUsage?.contains(.keyCertSign) != false, "a key that must not sign certificates")
        if certificate.issuer != certificate.subject {
            require(pathLength > 0, "the path is too long")
            pathLength -= 1
        }
        pathLength = min(pathLength, certificate.basicConstraints?.pathLength ?? pathLength)
        issuerName = certificate.subject
        issuerKey = IssuerKey(certificate.publicKey)!
    }
}

private let processed: [ASN1ObjectIdentifier] = [
    .basicConstraints, .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .certificatePolicies, .nameConstraints,
    .policyMappings, .policyConstraints, .inhibitAnyPolicy,
]
private let constraining: [ASN1ObjectIdentifier] = [
    .nameConstraints, .policyMappings, .policyConstraints, .inhibitAnyPolicy,
]
