import PureBytes
import PureAttestTesting
@_exported public import PureKeyAttestation
import PureX509

/// Authorities modelled on Google's for key attestation: one for remote provisioning, one for factory keys.
///
/// **For tests only**: the private keys follow from the seed, and the RSA keys are the same for every seed.
/// Certificates have Google's key types, algorithms, names and extensions, as far as these determine the kind of chain.
/// Issuers are valid from 2020 to the end of 2049.
public struct TestAndroidAuthority: Sendable {
    /// The validity period of the issuers' certificates.
    public static let validity =
        UnixTime(secondsSince1970: 1_577_836_800)...UnixTime(secondsSince1970: 2_524_607_999)

    let seed: UInt64

    /// Creates an authority. The same seed gives the same keys.
    public init(seed: UInt64) { self.seed = seed }

    /// The root certificate of remotely provisioned keys: DER, with a P-384 key.
    public var remoteRoot: [UInt8] { remoteRootDraft.encoded(signedBy: remoteRootDraft) }
    /// The root certificate of factory keys: DER, with an RSA key. Signing it needs a second in a debug build.
    public var factoryRoot: [UInt8] { factoryRootDraft.encoded(signedBy: factoryRootDraft) }

    package var roots: [ChainRoot] {
        [remoteRootDraft, factoryRootDraft].map { ChainRoot(name: der(name: $0.subject), key: $0.key.chainKey) }
    }

    private func number(_ key: UInt64) -> UInt64 { seed &* 16 &+ key }

    var remoteRootDraft: LinkDraft {
        LinkDraft(serialNumber: [1, 1], subject: [(.commonName, "Test Key Attestation CA1")], key: .p384(number(1)))
    }

    var factoryRootDraft: LinkDraft {
        LinkDraft(serialNumber: [1, 2], subject: [(.serialNumber, "f92009e853b6b045")], key: .rsa(.root))
    }

    /// The certificates above the attestation certificate: its issuer first, the root last.
    func issuers(_ provisioning: Provisioning, _ level: SecurityLevel) -> [LinkDraft] {
        switch provisioning {
        case .remote:
            [
                LinkDraft(
                    serialNumber: [3, 3], subject: [(.commonName, "Droid CA3"), (.organizationName, "Google LLC")],
                    key: .p256(number(3))),
                LinkDraft(
                    serialNumber: [2, 2], subject: [(.commonName, "Droid CA2"), (.organizationName, "Google LLC")],
                    key: .p384(number(2)), extensions: LinkDraft.extensionsOfAuthority(2)),
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

    /// The attestation certificate of a device. Subject and serial number contain the device's number.
    func attestation(_ provisioning: Provisioning, _ level: SecurityLevel, device: UInt64, key: AndroidSigningKey)
        -> LinkDraft
    {
        let serialNumber = [UInt8](bigEndian(device).drop { $0 == 0 }) + [7]
        var draft = LinkDraft(serialNumber: serialNumber, subject: [], key: key)
        let digits = String(device, radix: 16)
        switch provisioning {
        case .remote:
            draft.subject = [(.organizationName, level.authorityText), (.commonName, digits)]
            // A CBOR map: 2 certificates in 30 days.
            draft.extensions.append(ExtensionDraft(.provisioningInformation, [0xA1, 0x01, 0x02]))
        case .factory: draft.subject = [(.title, level.authorityText), (.serialNumber, digits)]
        }
        return draft
    }
}

extension SecurityLevel {
    /// The name of the level in subjects. Software has no name, so it uses the trusted environment's name.
    fileprivate var authorityText: String { self == .strongBox ? "StrongBox" : "TEE" }
}

extension KeyAttestationVerifier {
    /// Creates a verifier that trusts a test authority's devices, and **not** Google's.
    ///
    /// Only targets that link PureKeyAttestationTesting have this function, so other servers cannot trust test devices.
    public static func trustingTestDevices(
        of authority: TestAndroidAuthority, apps: [AndroidApp], policy: KeyAttestationPolicy = .standard
    ) -> KeyAttestationVerifier {
        KeyAttestationVerifier(apps: apps, policy: policy, roots: authority.roots)
    }
}
