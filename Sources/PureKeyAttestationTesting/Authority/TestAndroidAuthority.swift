import PureAttestTesting
@_exported public import PureKeyAttestation
import PureX509

/// Authorities as Google runs them for key attestations: one that provisions devices remotely, and one whose keys come from factories.
/// **For tests only**: the private keys follow from the seed, and those of RSA are the same for all.
///
/// Certificates have the keys, algorithms, names and extensions of Google's, as far as a chain's kind is told by them; issuers are valid
/// from 2020 to the end of 2049.
public struct TestAndroidAuthority: Sendable {
    /// When the issuers' certificates are valid.
    public static let validity =
        UnixTime(secondsSince1970: 1_577_836_800)...UnixTime(secondsSince1970: 2_524_607_999)

    let seed: UInt64

    /// An authority with its keys. The same seed gives the same keys.
    public init(seed: UInt64) { self.seed = seed }

    /// The DER of the root of remotely provisioned keys, a P-384 certificate.
    public var remoteRoot: [UInt8] { remoteRootDraft.encoded(signedBy: remoteRootDraft) }
    /// The DER of the root of factories, an RSA certificate. In a debug build it takes a second.
    public var factoryRoot: [UInt8] { factoryRootDraft.encoded(signedBy: factoryRootDraft) }

    /// Both roots, to trust.
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

    /// What issues the certificates of keys that attest: its own first, the root last.
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

    /// The certificate of a device's key that attests; the device's number goes into it.
    func attestation(_ provisioning: Provisioning, _ level: SecurityLevel, device: UInt64, key: AndroidSigningKey)
        -> LinkDraft
    {
        let serialNumber = [UInt8](bigEndian(device).drop { $0 == 0 }) + [7]
        var draft = LinkDraft(serialNumber: serialNumber, subject: [], key: key)
        let digits = String(device, radix: 16)
        switch provisioning {
        case .remote:
            draft.subject = [(.organizationName, level.authorityText), (.commonName, digits)]
            // A map of CBOR: 2 certificates in 30 days.
            draft.extensions.append(ExtensionDraft(.provisioningInformation, [0xA1, 0x01, 0x02]))
        case .factory: draft.subject = [(.title, level.authorityText), (.serialNumber, digits)]
        }
        return draft
    }
}

extension SecurityLevel {
    /// What names call it. There is no certificate for software: a trusted environment's.
    fileprivate var authorityText: String { self == .strongBox ? "StrongBox" : "TEE" }
}

extension KeyAttestationVerifier {
    /// A verifier that trusts a test authority's devices, and **not** Google's: for tests of a server.
    ///
    /// It exists only where PureKeyAttestationTesting is imported, so no server that does not link this module can trust test devices.
    public static func trustingTestDevices(
        of authority: TestAndroidAuthority, apps: [AndroidApp], policy: KeyAttestationPolicy = .standard
    ) -> KeyAttestationVerifier {
        KeyAttestationVerifier(apps: apps, policy: policy, roots: authority.roots)
    }
}
