import PureDER
import PureECDSA
import PureRSA
import PureSHA2
import PureX509
import RSATestKeys
import ReferenceModel
import Synchronization
import VectorSupport

@testable import PureAttestTesting
@testable import PureKeyAttestation

/// A private key of the tests' authorities.
enum TestSigner {
    case p256(SigningKey<P256>)
    case p384(SigningKey<P384>)
    case rsa(TestKey)

    static func p256(_ seed: UInt64) -> TestSigner {
        var random = TestRandom(seed: seed, purpose: "android")
        return .p256(SigningKey(from: &random))
    }

    static func p384(_ seed: UInt64) -> TestSigner {
        var random = TestRandom(seed: seed, purpose: "android")
        return .p384(SigningKey(from: &random))
    }

    var isRSA: Bool {
        if case .rsa = self { true } else { false }
    }

    var subjectPublicKeyInfo: [UInt8] {
        switch self {
        case .p256(let key): PureAttestTesting.subjectPublicKeyInfo(.secp256r1, point: key.x963)
        case .p384(let key): PureAttestTesting.subjectPublicKeyInfo(.secp384r1, point: key.x963)
        case .rsa(let key): try! key.publicKey().derRepresentation
        }
    }

    var chainKey: ChainKey {
        switch self {
        case .p256(let key): .p256(try! P256.Signing.PublicKey(x963Representation: key.x963))
        case .p384(let key): .p384(try! P384.Signing.PublicKey(x963Representation: key.x963))
        case .rsa(let key): .rsa(try! key.publicKey())
        }
    }

    /// Contents of an AlgorithmIdentifier.
    var algorithm: [UInt8] {
        switch self {
        case .p256: der(ASN1ObjectIdentifier.ecdsaWithSHA256)
        case .p384: der(ASN1ObjectIdentifier.ecdsaWithSHA384)
        case .rsa: der(ASN1ObjectIdentifier.sha256WithRSAEncryption) + derNull
        }
    }

    func sign(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .p256(let key): key.sign(message, hash: SHA256.self).derRepresentation
        case .p384(let key): key.sign(message, hash: SHA384.self).derRepresentation
        case .rsa(let key): ModelSignatures.shared.signature(of: message, by: key)
        }
    }
}

/// The model takes a second for a signature in a debug build, and most drafts have the same certificates of authorities.
private final class ModelSignatures: Sendable {
    static let shared = ModelSignatures()
    private let made = Mutex<[[UInt8]: [UInt8]]>([:])

    func signature(of message: [UInt8], by key: TestKey) -> [UInt8] {
        let name = Array(key.name.utf8) + message
        if let signature = made.withLock({ $0[name] }) { return signature }
        let signature = key.sign(message, .sha256)
        made.withLock { $0[name] = signature }
        return signature
    }
}

/// A certificate before it is encoded.
struct LinkDraft {
    var version = der(.context(0), der(2))
    var serialNumber: [UInt8] = [1]
    var subject: [(ASN1ObjectIdentifier, String)]
    /// Of the next one, unless told.
    var issuer: [(ASN1ObjectIdentifier, String)]?
    var notBefore = UnixTime(secondsSince1970: 1_770_000_000)
    var notAfter = UnixTime(secondsSince1970: 1_790_000_000)
    var key: TestSigner
    /// Another SubjectPublicKeyInfo than the key's.
    var keyInfo: [UInt8]?
    /// What the identifiers claim, unless it is what the issuer's key signs with.
    var algorithm: [UInt8]?
    var extensions: [ExtensionDraft]

    static func extensionsOfAuthority(_ pathLength: UInt32? = nil) -> [ExtensionDraft] {
        [
            ExtensionDraft(
                .basicConstraints, critical: true, der(.sequence, derTrue, pathLength.map { der($0) } ?? [])),
            ExtensionDraft(.keyUsage, critical: true, [0x03, 0x02, 0x02, 0x04]),
        ]
    }
}

/// A chain with one defect at most, under roots of its own: leaf first.
struct ChainDraft {
    var links: [LinkDraft]
    var description = KeyDescriptionDraft()
    /// Whether the leaf has the key description.
    var isDescribed = true
    /// Who is trusted in Google's place: the keys of the roots that the tests know.
    static let roots: [TestSigner] = [.p384(1), .rsa(.highest2048)]

    static let time = UnixTime(secondsSince1970: 1_780_000_000)

    private static var leaf: LinkDraft {
        LinkDraft(
            subject: [(.commonName, "Android Keystore Key")], notBefore: UnixTime(secondsSince1970: 0),
            notAfter: UnixTime(secondsSince1970: 100), key: .p256(5),
            extensions: [ExtensionDraft(.keyUsage, critical: true, [0x03, 0x02, 0x07, 0x80])])
    }

    /// Remotely provisioned, all of elliptic curves.
    static var remote: ChainDraft {
        var attestation = LinkDraft(
            serialNumber: [4, 4], subject: [(.organizationName, "TEE"), (.commonName, "0404")], key: .p256(4),
            extensions: LinkDraft.extensionsOfAuthority())
        attestation.extensions.append(ExtensionDraft(.provisioningInformation, [0xA1, 0x01, 0x18, 0x40]))
        return ChainDraft(links: [
            leaf, attestation,
            LinkDraft(
                serialNumber: [3, 3], subject: [(.commonName, "Droid CA3"), (.organizationName, "Google LLC")],
                key: .p256(3), extensions: LinkDraft.extensionsOfAuthority()),
            LinkDraft(
                serialNumber: [2, 2], subject: [(.commonName, "Droid CA2"), (.organizationName, "Google LLC")],
                key: .p384(2), extensions: LinkDraft.extensionsOfAuthority(2)),
            LinkDraft(
                serialNumber: [1, 1], subject: [(.commonName, "Key Attestation CA1")], key: roots[0],
                extensions: LinkDraft.extensionsOfAuthority()),
        ])
    }

    /// From the factory: an RSA root and intermediate, an attestation key on P-256.
    static var factory: ChainDraft {
        ChainDraft(links: [
            leaf,
            LinkDraft(
                serialNumber: [4, 4], subject: [(.titleAttribute, "TEE"), (.serialNumberAttribute, "0404")],
                key: .p256(4),
                extensions: LinkDraft.extensionsOfAuthority()),
            LinkDraft(
                serialNumber: [3, 3], subject: [(.titleAttribute, "TEE"), (.serialNumberAttribute, "0303")],
                key: .rsa(.bits2048), extensions: LinkDraft.extensionsOfAuthority()),
            LinkDraft(
                serialNumber: [1, 1], subject: [(.serialNumberAttribute, "f92009e853b6b045")], key: roots[1],
                extensions: LinkDraft.extensionsOfAuthority()),
        ])
    }

    /// DER, leaf first; each is signed by the next one's key, and the last by its own.
    var certificates: [[UInt8]] {
        links.indices.map { i in
            var link = links[i]
            let issuer = links[min(i + 1, links.count - 1)]
            if i == 0, isDescribed { link.extensions.append(ExtensionDraft(.keyDescription, description.encoded)) }
            let list = link.extensions.flatMap {
                der(.sequence, der($0.identifier), $0.critical, der(.octetString, $0.value ?? []))
            }
            let algorithm = der(.sequence, link.algorithm ?? issuer.key.algorithm)
            let tbs = der(
                .sequence, link.version, der(unsigned: link.serialNumber), algorithm,
                der(name: link.issuer ?? issuer.subject),
                der(.sequence, der(link.notBefore), der(link.notAfter)), der(name: link.subject),
                link.keyInfo ?? link.key.subjectPublicKeyInfo,
                link.version.isEmpty ? [] : der(.context(3), der(.sequence, list)))
            return der(.sequence, tbs, algorithm, der(bits: issuer.key.sign(tbs)))
        }
    }

    static var app: AndroidApp {
        AndroidApp(packageName: KeyDescriptionDraft.package, signingDigests: [KeyDescriptionDraft.digest])
    }

    static func verifier(_ policy: KeyAttestationPolicy = .standard, apps: [AndroidApp] = [app])
        -> KeyAttestationVerifier
    {
        KeyAttestationVerifier(apps: apps, policy: policy, roots: roots.map(\.chainKey))
    }

    /// In a debug build of every fourth refusal, in an optimised one of all.
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

    /// Why it is refused; `nil` if it is not. The report has to say the same.
    func refusal(
        _ policy: KeyAttestationPolicy = .standard, apps: [AndroidApp] = [app], at time: UnixTime = time
    ) -> KeyAttestationError? {
        let verifier = Self.verifier(policy, apps: apps)
        let (certificates, challenge) = (certificates, Array("challenge".utf8))
        let report =
            Self.takesReport()
            ? verifier.explain(chain: certificates, challenge: challenge, at: time, revocation: .notChecked) : nil
        do throws(KeyAttestationError) {
            _ = try verifier.verify(chain: certificates, challenge: challenge, at: time, revocation: .notChecked)
            precondition(report == nil || report?.error == nil && report?.causes == [], "the report disagrees")
            return nil
        } catch {
            precondition(report == nil || report?.error == error, "the report disagrees")
            return error
        }
    }
}
