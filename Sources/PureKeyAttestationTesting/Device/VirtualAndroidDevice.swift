import PureAttestTesting
import PureDER
public import PureKeyAttestation
import Synchronization

/// An Android device made of Swift: its keys are attested as a KeyMint's are, by a ``TestAndroidAuthority``. **For tests only**: its keys
/// follow from its seed.
///
/// The chains verify with ``PureKeyAttestation/KeyAttestationVerifier/trustingTestDevices(of:apps:policy:)`` and nowhere else.
public final class VirtualAndroidDevice: Sendable {
    /// What an app's keys are.
    public enum KeyKind: Hashable, Sendable, CaseIterable {
        /// ECDSA on P-256, on P-384, or RSA of 2,048 bits, the same key each time.
        case p256, p384, rsa2048
    }

    /// The app that asks, signed with all its digests.
    public let app: AndroidApp
    /// Who certifies the key that attests.
    public let authority: TestAndroidAuthority
    /// How that key came to the device.
    public let provisioning: Provisioning
    /// Where keys are kept.
    public let securityLevel: SecurityLevel
    /// What the device runs.
    public let system: AndroidSystem
    private let seed: UInt64
    private let time: Mutex<UnixTime>
    private let madeKeys = Mutex<UInt64>(0)

    /// A device.
    ///
    /// - Parameters:
    ///   - app: the app that asks.
    ///   - authority: who certifies the key that attests, in Google's place.
    ///   - provisioning: how that key came to the device. Chains of the factory have RSA signatures, which take a second each in a debug
    ///     build.
    ///   - securityLevel: where keys are kept.
    ///   - system: what it runs: Android 16 with the newest patches, unless told.
    ///   - seed: the same seed gives the same keys.
    ///   - time: the device's clock, which stands still; not before 2000.
    public init(
        app: AndroidApp, authority: TestAndroidAuthority, provisioning: Provisioning = .remote,
        securityLevel: SecurityLevel = .trustedEnvironment, system: AndroidSystem? = nil, seed: UInt64,
        time: UnixTime
    ) {
        (self.app, self.authority, self.provisioning) = (app, authority, provisioning)
        (self.securityLevel, self.seed) = (securityLevel, seed)
        self.system = system ?? .android16(patchedAt: time)
        self.time = Mutex(time)
    }

    /// Makes a key as `KeyPairGenerator` does with `setAttestationChallenge(challenge)`, `PURPOSE_SIGN` and `DIGEST_SHA256`.
    public func generateKey(_ kind: KeyKind = .p256, attestationChallenge challenge: [UInt8]) -> VirtualAndroidKey {
        let draft = draft(kind, challenge: challenge)
        return VirtualAndroidKey(certificateChain: draft.certificates, signingKey: draft.links[0].key)
    }

    /// What the clock says.
    var currentTime: UnixTime { time.withLock(\.self) }

    /// The chain of a new key before it is encoded.
    package func draft(_ kind: KeyKind, challenge: [UInt8]) -> ChainDraft {
        let number = madeKeys.withLock { count in
            count += 1
            return count
        }
        let key = signingKey(kind, number)
        let attestationKey = AndroidSigningKey.p256(seed &* 65_536 &+ 32_768)
        let leaf = LinkDraft(
            subject: [(.commonName, "Android Keystore Key")], notBefore: time.withLock(\.self), key: key,
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
            709,
            KeyDescriptionDraft.application(
                packages: [
                    (String(decoding: app.packageNameUTF8, as: UTF8.self), UInt32(clamping: app.minimumVersion ?? 1))
                ],
                digests: app.signingDigests))
        draft.setSoftware(
            701, der(unsigned: bigEndian(UInt64(max(time.withLock(\.self).secondsSince1970, 0)) &* 1_000)))
        switch kind {
        case .p256: break
        case .p384:
            draft.setHardware(3, der(384))
            draft.setHardware(10, der(2))
        case .rsa2048:
            draft.setHardware(2, der(1))
            draft.setHardware(3, der(2_048))
            draft.setHardware(10, nil)
            // RSA_PKCS1_1_5_SIGN, and the public exponent.
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

/// A key of a ``VirtualAndroidDevice``.
public struct VirtualAndroidKey: Sendable {
    /// What `KeyStore.getCertificateChain()` gives: DER, leaf first.
    public let certificateChain: [[UInt8]]
    /// The chain in the form of WebAuthn's `x5c` from devices that were provisioned since April 2026: without the root's certificate.
    public var certificateChainWithoutRoot: [[UInt8]] { certificateChain.dropLast() }
    let signingKey: AndroidSigningKey

    /// Signs as `Signature` with `SHA256withECDSA` or `SHA256withRSA` does.
    public func sign(_ data: [UInt8]) -> [UInt8] { signingKey.sign(data) }

    /// The DER SubjectPublicKeyInfo of the public key.
    public var publicKey: [UInt8] { signingKey.subjectPublicKeyInfo }
}
