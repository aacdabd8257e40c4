import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import PureCBOR
import PureSHA2

/// A virtual device with a key, for the articles' code.
struct Example {
    static let authority = TestCertificateAuthority(seed: 1)
    static let appID = AppID(teamID: "A1B2C3D4E5", bundleID: "com.example.app")
    static let now = UnixTime(secondsSince1970: 1_789_473_600)
    static let challenge = [UInt8](repeating: 0x43, count: 32)

    let device: VirtualDevice
    let name: String
    let attestation: [UInt8]
    let verified: VerifiedAttestation

    /// Creates a device with a key, and attests the key for this client data.
    init(_ clientData: [UInt8] = Example.challenge) throws {
        device = VirtualDevice(app: Self.appID, authority: Self.authority, seed: 2, time: Self.now)
        name = device.generateKey()
        attestation = try device.attestKey(name, clientDataHash: SHA256.hash(data: clientData))
        verified = try Self.verifier.verifyAttestation(
            attestation, keyID: name.decodedBase64, challenge: clientData, at: Self.now)
    }

    static var verifier: AppAttestVerifier { trusting(apps: [appID], launchPolicy: .reportOnly) }

    /// Returns a server's verifier that trusts the test authority instead of Apple's root.
    static func trusting(apps: [AppID], launchPolicy: LaunchPolicy) -> AppAttestVerifier {
        .trustingTestDevices(of: authority, apps: apps, environment: .production, launchPolicy: launchPolicy)
    }

    var keyID: [UInt8] { verified.key.keyID }

    func assertion(_ clientData: [UInt8]) throws -> [UInt8] {
        try device.generateAssertion(name, clientDataHash: SHA256.hash(data: clientData))
    }

    /// The certificates of the attestation, the leaf first.
    var certificates: [[UInt8]] {
        get throws {
            let statement = try CBORValue(decoding: attestation).map?[text: "attStmt"]?.map
            return statement?[text: "x5c"]?.array?.compactMap { $0.byteString.map { [UInt8]($0) } } ?? []
        }
    }

    static let sessionKey = SessionKey(id: "2026-09", secret: [UInt8](repeating: 0x5A, count: 32))!

    /// Creates a second device, and registers a new key of the second device with a relying party.
    static func register<Store>(at party: RelyingParty<Store>) async throws -> (
        VirtualDevice, name: String, keyID: [UInt8]
    ) {
        let device = VirtualDevice(app: appID, authority: authority, seed: 3, time: now)
        let name = await device.generateKey()
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: name.decodedBase64, at: now).value
        let object = try await device.attestKey(name, clientDataHash: SHA256.hash(data: challenge))
        _ = try await party.register(attestation: object, keyID: name.decodedBase64, challenge: challenge, at: now)
        return (device, name, name.decodedBase64)
    }
}

extension String {
    var decodedBase64: [UInt8] { try! [UInt8](base64Encoded: self) }
}

struct NotAsExpected: Error {}

func expect(_ holds: Bool) throws {
    guard holds else { throw NotAsExpected() }
}
