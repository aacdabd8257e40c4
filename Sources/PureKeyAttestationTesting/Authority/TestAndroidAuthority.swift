import PureBytes
import PureAttestTesting
@_exported public import PureKeyAttestation
import PureX509

/// Two test authorities like Google's for key attestation: one for remotely provisioned keys, and one for factory keys.
///
/// **For tests only**: the private keys are derived from the seed, and the RSA keys are the same for every seed. The
/// certificates copy those properties of Google's certificates that determine the kind of chain: key types, algorithms,
/// names and extensions. The certificates of issuers are valid from 2020 to the end of 2049.
public struct TestAndroidAuthority: Sendable {
    /// The validity period of the issuers' certificates.
    static let validity =
        UnixTime(secondsSince1970: 1_577_836_800)...UnixTime(secondsSince1970: 2_524_607_999)

    private let remoteRootKey, remoteUpperKey, remoteLowerKey: AndroidSigningKey

    /// Creates an authority. The same seed gives the same keys.
    public init(seed: UInt64) {
        remoteRootKey = .p384(seed &* 16 &+ 1)
        remoteUpperKey = .p384(seed &* 16 &+ 2)
        remoteLowerKey = .p256(seed &* 16 &+ 3)
    }

    /// The root certificate for remotely provisioned keys, in DER. The key is a P-384 key.
    public var remoteRoot: [UInt8] { remoteRootDraft.encoded(signedBy: remoteRootDraft, isShared: true) }
    /// The root certificate for factory keys, in DER. Signing it with RSA takes about a second in a debug build.
    public var factoryRoot: [UInt8] { factoryRootDraft.encoded(signedBy: factoryRootDraft, isShared: true) }

    package var roots: [ChainRoot] {
        [remoteRootDraft, factoryRootDraft].map { ChainRoot(name: der(name: $0.subject), key: $0.key.chainKey) }
    }

    var remoteRootDraft: LinkDraft {
        LinkDraft(serialNumber: [1, 1], subject: [(.commonName, "Test Key Attestation CA1")], key: remoteRootKey)
    }

    var factoryRootDraft: LinkDraft {
        LinkDraft(serialNumber: [1, 2], subject: [(.serialNumber, "f92009e853b6b045")], key: .rsa(.root))
    }

    func issuers(_ provisioning: Provisioning, _ level: SecurityLevel) -> [LinkDraft] {
        switch provisioning {
        case .remote:
            [
                LinkDraft(
                    serialNumber: [3, 3], subject: [(.commonName, "Droid CA3"), (.organizationName, "Google LLC")],
                    key: remoteLowerKey),
                LinkDraft(
                    serialNumber: [2, 2], subject: [(.commonName, "Droid CA2"), (.organizationName, "Google LLC")],
                    key: remoteUpperKey, extensions: LinkDraft.extensionsOfAuthority(2)),
                remoteRootDraft,
            ]
        case .factory:
            [
                LinkDraft(
                    serialNumber: [5, level.rawValue],
                    subject: [(.title, level.authorityText), (.serialNumber, "05\(level.rawValue)")],
                    key: .rsa(.intermediate)),
                factoryRootDraft,
            ]
        }
    }

    /// The attestation certificate of a device. The subject and the serial number contain the number of the device.
    func attestation(_ provisioning: Provisioning, _ level: SecurityLevel, device: UInt64, key: AndroidSigningKey)
        -> LinkDraft
    {
        let serialNumber = [UInt8](bigEndian(device).drop { $0 == 0 }) + [7]
        var draft = LinkDraft(serialNumber: serialNumber, subject: [], key: key)
        let digits = String(device, radix: 16)
        switch provisioning {
        case .remote:
            draft.subject = [(.organizationName, level.authorityText), (.commonName, digits)]
            // This CBOR map states that the device received 2 certificates in 30 days.
            draft.extensions.append(ExtensionDraft(.provisioningInformation, [0xA1, 0x01, 0x02]))
        case .factory: draft.subject = [(.title, level.authorityText), (.serialNumber, digits)]
        }
        return draft
    }
}

extension SecurityLevel {
    /// The name of the level in certificates' subjects. Google defines no name for software keys, so test authorities
    /// use "TEE" for them.
    fileprivate var authorityText: String { self == .strongBox ? "StrongBox" : "TEE" }
}

extension KeyAttestationVerifier {
    /// Creates a verifier that trusts the devices of a test authority, and does **not** trust Google.
    ///
    /// Only targets that link PureKeyAttestationTesting can call it, so production servers cannot trust test devices.
    public static func trustingTestDevices(
        of authority: TestAndroidAuthority, apps: [AndroidApp], policy: KeyAttestationPolicy = .standard
    ) -> KeyAttestationVerifier {
        KeyAttestationVerifier(apps: apps, policy: policy, roots: authority.roots)
    }

    /// Creates a verifier that trusts the DER root of a test authority, and does **not** trust Google. Returns `nil` if
    /// the root is not a certificate with a supported key.
    package static func trusting(
        testRoot: [UInt8], apps: [AndroidApp], policy: KeyAttestationPolicy
    ) -> KeyAttestationVerifier? {
        guard let root = try? Certificate(derEncoded: testRoot),
            let key = try? AndroidPublicKey(root.publicKey, root.subjectPublicKeyInfo, position: 0)
        else { return nil }
        return KeyAttestationVerifier(
            apps: apps, policy: policy, roots: [ChainRoot(name: Array(root.subject), key: key)])
    }
}
