import PureAttest
import PureBytes
import PureSHA2

@testable import PureAttestTesting

/// A device, and everything that a server knows about this device.
struct Setting: Sendable, CustomStringConvertible {
    static let authority = TestCertificateAuthority(seed: 1)
    /// 2026-09-15T12:00:00Z.
    static let time = UnixTime(secondsSince1970: 1_789_473_600)
    static let challenge = Array("0123456789abcdef".utf8)

    let system: DeviceSystem
    let environment: Environment
    var receiptEncoding = ReceiptEncoding.indefiniteLength

    static let all = DeviceSystem.allCases.flatMap { system in
        [Environment.production, .development].flatMap { environment in
            ReceiptEncoding.allCases.map {
                Setting(system: system, environment: environment, receiptEncoding: $0)
            }
        }
    }

    var app: AppID {
        AppID(bytes: "TEST123456.com.example.app".utf8, platform: system.appPlatform)
    }

    var device: VirtualDevice {
        VirtualDevice(
            app: app, environment: environment, system: system, authority: Self.authority, seed: 7, time: Self.time,
            codeDirectoryHash: Self.codeDirectoryHash, receiptEncoding: receiptEncoding)
    }

    static let codeDirectoryHash = (1...32).map { UInt8($0) }

    var verifier: AppAttestVerifier {
        AppAttestVerifier(acceptedApps: [device.acceptedApp], environment: environment)
            .trustingTestDevices(of: Self.authority)
    }

    /// Returns a verifier with a launch policy only.
    func verifier(with policy: LaunchPolicy) -> AppAttestVerifier {
        .trustingTestDevices(of: Self.authority, apps: [app], environment: environment, launchPolicy: policy)
    }

    /// Requires the launch information of ``device``.
    var demandingVerifier: AppAttestVerifier { verifier(with: .only([.appStore], versions: .oneOf(["1.0"]))) }

    var description: String { "\(system), \(environment), \(receiptEncoding)" }
}

/// The objects of a device's first key.
struct Objects {
    let setting: Setting, device: VirtualDevice, keyID: String, attestation, assertion: [UInt8]

    init(_ system: DeviceSystem) throws {
        setting = Setting(system: system, environment: .production)
        device = setting.device
        keyID = device.generateKey()
        attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        assertion = try device.generateAssertion(keyID, clientDataHash: clientDataHash(Setting.challenge))
    }
}

func clientDataHash(_ clientData: [UInt8]) -> [UInt8] { [UInt8](SHA256.hash(data: clientData)) }

extension AppAttestVerifier {
    func verify(_ attestation: [UInt8], keyID: String) throws -> VerifiedAttestation {
        try verifyAttestation(
            attestation, keyID: Base64.decode(Array(keyID.utf8)), challenge: Setting.challenge, at: Setting.time)
    }
}
