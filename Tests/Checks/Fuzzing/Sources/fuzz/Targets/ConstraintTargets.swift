import PureDER
import PureECDSA
import PureSHA2

@testable import PureAttestTesting
@testable import PureX509
@testable import PureX509Paths

/// Fuzzes the signed parts of a leaf, two intermediates and the lower intermediate's revocation list. The target signs
/// the mutated parts. The seeds contain name constraints, policies and revoked serial numbers. With an additional
/// requirement, the verifier must not accept a path that it rejects without the requirement.
let constraintTarget = Target(name: "constraints", form: .parts([.der, .der, .der, .der])) { bytes in
    let parts = Parts(decoding: bytes, count: 4).parts
    guard let leaf = try? Certificate(derEncoded: certificate(parts[0], signedBy: lowerKey)),
        let lower = try? Certificate(derEncoded: certificate(parts[1], signedBy: upperKey)),
        let upper = try? Certificate(derEncoded: certificate(parts[2], signedBy: chainRootKey))
    else { return }
    let list = try? CertificateRevocationList(derEncoded: certificate(parts[3], signedBy: lowerKey))
    func isAccepted(_ change: (inout PathRequirements) -> Void) -> Bool {
        var requirements = PathRequirements()
        requirements.acceptsNonCriticalNameConstraints = true
        change(&requirements)
        let report = chainVerifier.report(
            leaf: leaf, intermediates: [lower, upper], at: World.time, meeting: requirements)
        if case .success(let path) = report.result {
            checkPath(path.chain)
            return true
        }
        return false
    }
    let plain = isAccepted { _ in }
    for change: @Sendable (inout PathRequirements) -> Void in [
        { $0.acceptsNonCriticalNameConstraints = false }, { $0.requiresExplicitPolicy = true },
        { $0.inhibitsPolicyMapping = true }, { $0.inhibitsAnyPolicy = true },
        { $0.nameConstraints = [everythingExcluded] }, { $0.serverIdentity = ServerIdentity(dNSName: "x".utf8) },
        { $0.revocation = RevocationPolicy(lists: [], allowsUnknownStatus: false) },
    ] { require(plain || !isAccepted(change), "stricter requirements accept more") }
    // Constraints that exclude every name must exclude every non-empty subject.
    require(leaf.subject.count == 2 || !isAccepted { $0.nameConstraints = [everythingExcluded] }, "an excluded subject")
    if let list {
        require(list.derEncoded.starts(with: [0x30]), "bytes")
        require(
            plain || !isAccepted { $0.revocation = RevocationPolicy(lists: [list], allowsUnknownStatus: true) },
            "a revocation list makes more chains acceptable")
    }
} seeds: {
    let issuer = ExtensionDraft.issuerBasicConstraints
    let names = ExtensionDraft(
        .nameConstraints, critical: true, [0x30, 12, 0xA0, 5, 0x30, 3, 0x82, 1, 0x78, 0xA1, 3, 0x30, 1, 0x82])
    let permitted = ExtensionDraft(.nameConstraints, critical: true, [0x30, 7, 0xA0, 5, 0x30, 3, 0x82, 1, 0x78])
    let host = ExtensionDraft(.subjectAlternativeName, [0x30, 3, 0x82, 1, 0x78])
    let mail = ExtensionDraft(.subjectAlternativeName, [0x30, 7, 0x81, 5, 0x61, 0x40, 0x62, 0x2E, 0x63])
    let one = ExtensionDraft(.certificatePolicies, [0x30, 6, 0x30, 4, 6, 2, 0x2A, 3])
    let any = ExtensionDraft(.certificatePolicies, [0x30, 8, 0x30, 6, 6, 4, 0x55, 0x1D, 0x20, 0])
    let two = ExtensionDraft(.certificatePolicies, [0x30, 6, 0x30, 4, 6, 2, 0x2A, 4])
    let mapping = ExtensionDraft(.policyMappings, critical: true, [0x30, 10, 0x30, 8, 6, 2, 0x2A, 3, 6, 2, 0x2A, 4])
    let explicit = ExtensionDraft(.policyConstraints, critical: true, [0x30, 3, 0x80, 1, 0])
    let inhibit = ExtensionDraft(.inhibitAnyPolicy, critical: true, [2, 1, 0])
    func chain(_ leaf: [ExtensionDraft], _ lower: [ExtensionDraft], _ upper: [ExtensionDraft], revoked: [UInt8])
        -> [UInt8]
    {
        let drafts = [
            chainDraft(
                subject: "leaf", issuer: "lower", key: World.issuerKey(1),
                [.leafBasicConstraints, mayEverything] + leaf),
            chainDraft(subject: "lower", issuer: "upper", key: lowerKey, [issuer(0), .issuerKeyUsage] + lower),
            chainDraft(subject: "upper", issuer: "root", key: upperKey, [issuer(1), .issuerKeyUsage] + upper),
        ]
        return Parts(drafts.map { $0.signedPart() } + [revocationList(revoked)]).encoded
    }
    return [
        chain([host], [names], [permitted], revoked: []), chain([mail], [permitted], [], revoked: [1]),
        chain([two], [one, mapping, explicit], [any, inhibit], revoked: [2, 3]),
        chain([one], [any], [one, explicit], revoked: [7]),
    ]
}

private let everythingExcluded = try! NameConstraints(
    derEncoded: [0x30, 12, 0xA1, 10, 0x30, 2, 0x82, 0, 0x30, 4, 0xA4, 2, 0x30, 0])

private func revocationList(_ serialNumbers: [UInt8]) -> [UInt8] {
    let entries = serialNumbers.map { der(.sequence, [2, 1, $0], der(TestCertificateAuthority.start)) }
    let number = der(.sequence, [6, 3, 0x55, 0x1D, 0x14], der(.octetString, [2, 1, 1]))
    return der(
        .sequence, [2, 1, 1], SignatureHash.sha256.algorithmIdentifier, chainName("lower"),
        der(TestCertificateAuthority.start),
        der(TestCertificateAuthority.end), entries.isEmpty ? [] : der(.sequence, entries.flatMap { $0 }),
        der(.context(0), der(.sequence, number)))
}
