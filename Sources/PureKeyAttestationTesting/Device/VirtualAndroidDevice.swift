import PureBytes
import PureX509
import PureAttestTesting
import PureDER
public import PureKeyAttestation
import Synchronization

/// A simulated Android device, which attests its keys as KeyMint does. A ``TestAndroidAuthority`` certifies the
/// attestation key instead of Google.
///
/// **For tests only**: the keys are derived from the seed. In the public interface, only
/// ``PureKeyAttestation/KeyAttestationVerifier/trustingTestDevices(of:apps:policy:)`` and ``AndroidCase/verifier``
/// create verifiers that accept these chains.
public final class VirtualAndroidDevice: Sendable {
    /// The kind of a key.
    public enum KeyKind: Hashable, Sendable, CaseIterable {
        /// ECDSA on P-256 or P-384, or RSA with 2,048 bits. Every RSA key is the same key.
        case p256, p384, rsa2048
    }

    /// The app that generates keys. Attestations contain all signing digests of this declaration.
    public let app: AndroidApp
    /// The authority that certifies the attestation key.
    public let authority: TestAndroidAuthority
    /// How the attestation key came to the device.
    public let provisioning: Provisioning
    /// The security level of the keys.
    public let securityLevel: SecurityLevel
    /// The system of the device.
    public let system: AndroidSystem
    private let seed: UInt64
    private let attestationKey: AndroidSigningKey
    /// The time on the device's clock, which does not advance.
    let time: UnixTime
    private let madeKeys = Mutex<UInt64>(0)

    /// Creates a device.
    ///
    /// - Parameters:
    ///   - app: the app that generates keys.
    ///   - authority: the authority that certifies the attestation key, in place of Google.
    ///   - provisioning: how the attestation key came to the device. Factory chains have RSA signatures. In a debug
    ///     build, each RSA signature takes about a second.
    ///   - securityLevel: the security level of the keys.
    ///   - system: the operating system. The default is Android 16, patched in the month of `time`.
    ///   - seed: the seed of the keys. The same seed always produces the same keys.
    ///   - time: the time on the device's clock, which does not advance. The time must not be before 2000.
    public init(
        app: AndroidApp, authority: TestAndroidAuthority, provisioning: Provisioning = .remote,
        securityLevel: SecurityLevel = .trustedEnvironment, system: AndroidSystem? = nil, seed: UInt64,
        time: UnixTime
    ) {
        (self.app, self.authority, self.provisioning) = (app, authority, provisioning)
        (self.securityLevel, self.seed) = (securityLevel, seed)
        attestationKey = .p256(seed &* 65_536 &+ 32_768)
        self.system = system ?? .android16(patchedAt: time)
        self.time = time
    }

    /// Generates a key with `setAttestationChallenge(challenge)`, `PURPOSE_SIGN`, `PURPOSE_VERIFY` and `DIGEST_SHA256`.
    public func generateKey(_ kind: KeyKind = .p256, attestationChallenge challenge: [UInt8]) -> VirtualAndroidKey {
        let draft = draft(kind, challenge: challenge)
        return VirtualAndroidKey(certificateChain: draft.certificates, signingKey: draft.links[0].key)
    }

    func draft(_ kind: KeyKind, challenge: [UInt8]) -> ChainDraft {
        let number = madeKeys.withLock { count in
            count += 1
            return count
        }
        let key = signingKey(kind, number)
        let leaf = LinkDraft(
            subject: [(.commonName, "Android Keystore Key")], notBefore: time, key: key,
            extensions: [ExtensionDraft(.keyUsage, critical: true, [0x03, 0x02, 0x07, 0x80])])
        let attestation = authority.attestation(provisioning, securityLevel, device: seed, key: attestationKey)
        return ChainDraft(
            links: [leaf, attestation] + authority.issuers(provisioning, securityLevel),
            description: description(kind, challenge))
    }

    private func signingKey(_ kind: KeyKind, _ number: UInt64) -> AndroidSigningKey {
        switch kind {
        case .p256: .p256(seed &* 65_536 &+ number)
        case .p384: .p384(seed &* 65_536 &+ number)
        case .rsa2048: .rsa(.device)
        }
    }

    private func description(_ kind: KeyKind, _ challenge: [UInt8]) -> KeyDescriptionDraft {
        var draft = KeyDescriptionDraft()
        let level = KeyDescriptionDraft.enumerated(securityLevel.rawValue)
        (draft.attestationSecurityLevel, draft.keyMintSecurityLevel) = (level, level)
        draft.challenge = challenge
        draft.setSoftware(
            709, KeyDescriptionDraft.application(packages: [app.attestedPackage], digests: app.signingDigests))
        draft.setSoftware(701, derInteger(bigEndian(UInt64(max(time.secondsSince1970, 0)) &* 1_000)))
        switch kind {
        case .p256: break
        case .p384:
            draft.setHardware(3, der(384))
            draft.setHardware(10, der(2))
        case .rsa2048:
            draft.setHardware(2, der(1))
            draft.setHardware(3, der(2_048))
            draft.setHardware(10, nil)
            // Sets the padding (RSA_PKCS1_1_5_SIGN) and the public exponent.
            draft.setHardware(6, der(.set, der(5)))
            draft.setHardware(200, der(65_537))
        }
        draft.setHardware(705, der(system.osVersion))
        draft.setHardware(706, der(system.patchLevel))
        draft.setHardware(718, der(system.patchLevel &* 100 &+ 5))
        draft.setHardware(719, der(system.patchLevel &* 100 &+ 5))
        return draft
    }
}

extension AndroidApp {
    /// The package name and the version that attestations of virtual devices contain.
    var attestedPackage: (String, UInt32) {
        (String(decoding: packageNameUTF8, as: UTF8.self), UInt32(clamping: minimumVersion ?? 1))
    }
}

/// A key of a ``VirtualAndroidDevice``.
public struct VirtualAndroidKey: Sendable {
    /// The certificates that `KeyStore.getCertificateChain()` returns, in DER, leaf first.
    public let certificateChain: [[UInt8]]
    /// The chain without the root, as in WebAuthn's `x5c` from devices provisioned since April 2026.
    public var certificateChainWithoutRoot: [[UInt8]] { certificateChain.dropLast() }
    let signingKey: AndroidSigningKey

    /// Signs data like Android's `Signature` with `SHA256withECDSA` or `SHA256withRSA`.
    public func sign(_ data: [UInt8]) -> [UInt8] { signingKey.sign(data) }

    /// The public key as a DER SubjectPublicKeyInfo.
    public var publicKey: [UInt8] { signingKey.subjectPublicKeyInfo }
}
