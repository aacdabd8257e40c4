@testable import PureAttestTesting
import PureDER
@testable import PureKeyAttestationTesting
import PureX509
import RSATestKeys
import ReferenceModel
import Synchronization

@testable import PureKeyAttestation

extension AndroidSigningKey {
    static func rsa(_ key: TestKey) -> AndroidSigningKey {
        .rsa(
            RSASigningKey(n: key.n.bigEndianBytes, e: key.e) { encoded in
                ModelSignatures.shared.signature(of: encoded, by: key)
            })
    }

    var isRSA: Bool { if case .rsa = self { true } else { false } }
}

/// Caches RSA signatures, because the model takes a second for each in a debug build.
private final class ModelSignatures: Sendable {
    static let shared = ModelSignatures()
    private let made = Mutex<[[UInt8]: [UInt8]]>([:])

    func signature(of encoded: [UInt8], by key: TestKey) -> [UInt8] {
        let name = Array(key.name.utf8) + encoded
        if let signature = made.withLock({ $0[name] }) { return signature }
        let signature = key.sign(encoded: encoded)
        made.withLock { $0[name] = signature }
        return signature
    }
}

extension LinkDraft {
    static let validity = UnixTime(secondsSince1970: 1_770_000_000)...UnixTime(secondsSince1970: 1_790_000_000)

    mutating func claim(algorithm contents: [UInt8]) { algorithmIdentifier = der(.sequence, contents) }
}

extension ChainDraft {
    private init(_ links: [LinkDraft]) {
        self.init(links: links, description: KeyDescriptionDraft())
        for i in self.links.indices.dropFirst() {
            (self.links[i].notBefore, self.links[i].notAfter) =
                (LinkDraft.validity.lowerBound, LinkDraft.validity.upperBound)
        }
    }

    /// The root keys that the tests trust in place of Google's keys.
    static let roots: [AndroidSigningKey] = [.p384(1), .rsa(.highest2048)]

    static let trustedRoots = zip([remote, factory], roots).map { chain, key in
        ChainRoot(name: der(name: chain.links[chain.links.count - 1].subject), key: key.chainKey)
    }

    static let time = UnixTime(secondsSince1970: 1_780_000_000)

    private static let leaf = LinkDraft(
        subject: [(.commonName, "Android Keystore Key")], notBefore: UnixTime(secondsSince1970: 0),
        notAfter: UnixTime(secondsSince1970: 100), key: .p256(5),
        extensions: [ExtensionDraft(.keyUsage, critical: true, [0x03, 0x02, 0x07, 0x80])])

    /// A remotely provisioned chain that contains only elliptic curve keys.
    static let remote: ChainDraft = {
        var attestation = LinkDraft(
            serialNumber: [4, 4], subject: [(.organizationName, "TEE"), (.commonName, "0404")], key: .p256(4))
        attestation.extensions.append(ExtensionDraft(.provisioningInformation, [0xA1, 0x01, 0x18, 0x40]))
        return ChainDraft([
            leaf, attestation,
            LinkDraft(
                serialNumber: [3, 3], subject: [(.commonName, "Droid CA3"), (.organizationName, "Google LLC")],
                key: .p256(3)),
            LinkDraft(
                serialNumber: [2, 2], subject: [(.commonName, "Droid CA2"), (.organizationName, "Google LLC")],
                key: .p384(2), extensions: LinkDraft.extensionsOfAuthority(2)),
            LinkDraft(serialNumber: [1, 1], subject: [(.commonName, "Key Attestation CA1")], key: roots[0]),
        ])
    }()

    /// A factory chain with an RSA root and intermediate, and a P-256 attestation key.
    static let factory = ChainDraft([
        leaf,
        LinkDraft(serialNumber: [4, 4], subject: [(.title, "TEE"), (.serialNumber, "0404")], key: .p256(4)),
        LinkDraft(serialNumber: [3, 3], subject: [(.title, "TEE"), (.serialNumber, "0303")], key: .rsa(.bits2048)),
        LinkDraft(serialNumber: [1, 1], subject: [(.serialNumber, "f92009e853b6b045")], key: roots[1]),
    ])

    static var app: AndroidApp {
        AndroidApp(packageName: KeyDescriptionDraft.package, signingDigests: [KeyDescriptionDraft.digest])
    }

    static func verifier(_ policy: KeyAttestationPolicy = .standard, apps: [AndroidApp] = [app])
        -> KeyAttestationVerifier
    {
        KeyAttestationVerifier(apps: apps, policy: policy, roots: trustedRoots)
    }

    /// Debug builds compare the report and the verdict for every fourth rejection, optimized builds for all of them.
    private static func takesReport() -> Bool {
        #if DEBUG && !ALL_CASES
            reports.withLock { count in
                count += 1
                return count % 4 == 0
            }
        #else
            true
        #endif
    }

    private static let reports = Mutex(0)

    /// Returns the verifier's error, or `nil` if it accepts the chain. The report must agree with the verdict.
    func rejection(
        _ policy: KeyAttestationPolicy = .standard, apps: [AndroidApp] = [app], at time: UnixTime = time,
        isWithoutRoot: Bool = false
    ) -> KeyAttestationError? {
        let verifier = Self.verifier(policy, apps: apps)
        let certificates = Array(certificates.dropLast(isWithoutRoot ? 1 : 0))
        let error = verifier.rejection(certificates, at: time)
        guard Self.takesReport() else { return error }
        let report = verifier.explain(
            chain: certificates, challenge: Array("challenge".utf8), at: time, revocation: .notChecked)
        precondition(report.error == error && (error != nil || report.causes == []), "the report disagrees")
        return error
    }
}
