import PureBytes
import PureDER
import PureECDSA
import PureSHA2

@testable import PureAttest
@testable import PureAttestTesting
@testable import PureX509

/// The signers and verifiers of the targets. The signers' keys are on P-256, because P-256 signatures are fast.
enum World {
    static let time = UnixTime(secondsSince1970: 1_790_000_000)
    static let clientData = Array("client data of a request".utf8)
    static let clientDataHash = [UInt8](SHA256.hash(data: clientData))
    static let appBytes = Array("0123456789.com.example.fuzz".utf8)
    static let app = AppID(bytes: appBytes)
    static let authority = TestCertificateAuthority(seed: 1)
    static let device = virtualDevice(.iOS27ExtensionFlag)
    static let key = deviceKey(device)

    static func virtualDevice(_ system: DeviceSystem) -> VirtualDevice {
        VirtualDevice(
            app: AppID(bytes: appBytes, platform: system.appPlatform), system: system,
            authority: authority, seed: 1, time: time)
    }

    /// Returns the device's first key. The key depends only on the seed, so it is the same for every `DeviceSystem`.
    static func deviceKey(_ device: VirtualDevice) -> VirtualDevice.Key {
        try! device.withKey(device.generateKey()) { key, _ in key }
    }

    static func verifier(
        platforms: [AppID.Platform] = [.device], anchors: [TrustAnchor] = [trustAnchor(authority.attestationRoot)],
        launchPolicy: LaunchPolicy = .reportOnly, counterPolicy: CounterPolicy = .strict
    ) -> AppAttestVerifier {
        AppAttestVerifier(
            apps: platforms.map { AppID(bytes: appBytes, platform: $0) }, environment: .production,
            launchPolicy: launchPolicy, counterPolicy: counterPolicy
        ).trusting(testAnchors: anchors, testReceiptAnchors: [trustAnchor(authority.receiptRoot)])
    }

    /// One attestation for each `DeviceSystem`, and one with each fault.
    static let attestations: [[UInt8]] = {
        let keyID = base64EncodedString(key.id)
        let faulty = Fault.allCases.compactMap { fault -> [UInt8]? in
            switch fault {
            case .attestation(let fault):
                try? device.attestKey(keyID, clientDataHash: clientDataHash, breaking: fault)
            case .certificate(let fault):
                try? device.attestKey(keyID, clientDataHash: clientDataHash, breaking: fault)
            case .receipt(let fault):
                try? device.attestKey(keyID, clientDataHash: clientDataHash, breaking: fault)
            case .assertion: nil
            }
        }
        return DeviceSystem.allCases.map { genuineAttestation(virtualDevice($0)) } + faulty
    }()

    static func genuineAttestation(_ device: VirtualDevice) -> [UInt8] {
        device.attestationDraft(of: deviceKey(device), clientDataHash: clientDataHash, at: time).encoded()
    }

    static func issuerKey(_ seed: UInt64) -> SigningKey<P256> {
        var random = TestRandom(seed: seed, purpose: "fuzzing")
        return SigningKey(from: &random)
    }
}

/// Signs the part `tbs` with `key`, and returns the certificate.
func certificate(_ tbs: [UInt8], signedBy key: SigningKey<P256>) -> [UInt8] {
    let signature = key.sign(tbs, hash: SHA256.self).derRepresentation
    return der(.sequence, tbs, SignatureHash.sha256.algorithmIdentifier, der(bits: signature))
}

extension CertificateDraft {
    /// Returns the certificate's signed part, which ``certificate(_:signedBy:)`` takes.
    func signedPart(nonce: [UInt8] = []) -> [UInt8] {
        var draft = self
        draft.innerAlgorithm = SignatureHash.sha256.algorithmIdentifier
        draft.alterSignature = { _ in }
        let encoded = draft.encoded(signedBy: .p256(World.issuerKey(0)), nonce: nonce)
        // Some faults produce a certificate that cannot be parsed. In that case, returns the whole certificate.
        return (try? SignedCertificate(encoded[...])).map { [UInt8]($0.tbsCertificate) } ?? encoded
    }
}
