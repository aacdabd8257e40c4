import PureAttest
import PureBytes
import Testing

@testable import PureAttestTesting

/// A fault breaks only the rule that it is named after, so a verifier without this rule accepts the object.
@Suite struct SingleFaultTests {
    private static let hash = clientDataHash(Setting.challenge)
    private static let systems = DeviceSystem.allCases

    private func failures(
        _ setting: Setting, _ object: (VirtualDevice, String) throws -> [UInt8]
    ) throws -> [PureAttestError?] {
        let device = setting.device
        let keyID = device.generateKey()
        let report = setting.verifier.explainAttestation(
            try object(device, keyID), keyID: try Base64.decode(Array(keyID.utf8)), challenge: Setting.challenge,
            at: Setting.time)
        return report.failures.map(\.error)
    }

    @Test(arguments: systems)
    func expiredLeaf(_ system: DeviceSystem) throws {
        let fault = CertificateFault.leafExpired
        let failures = try failures(Setting(system: system, environment: .production)) {
            try $0.attestKey($1, clientDataHash: Self.hash, breaking: fault)
        }
        #expect(failures == [fault.expectedError(at: Setting.time)])
    }

    @Test(arguments: systems.filter { !$0.isMac })
    func platformOfMac(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let failures = try failures(setting) {
            try $0.attestKey($1, clientDataHash: Self.hash, breaking: .platformMac)
        }
        #expect(failures == [.platformNotAllowed(.macOS)])
        // If the app is declared for Macs too, the object meets all policies.
        let device = setting.device
        let keyID = device.generateKey()
        let app = device.acceptedApp
        let mac = AcceptedApp(
            AppID(bytes: app.id.bytes, platform: .macOS), launchPolicy: app.launchPolicy,
            systemPolicy: app.systemPolicy, agePolicy: app.agePolicy)
        let verifier = AppAttestVerifier(acceptedApps: [app, mac], environment: .production)
            .trustingTestDevices(of: Setting.authority)
        let object = try device.attestKey(keyID, clientDataHash: Self.hash, breaking: .platformMac)
        #expect(try verifier.verify(object, keyID: keyID).appID == mac.id)
    }

    @Test(arguments: systems)
    func replacedAuthenticatorData(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let key = try setting.verifier.verify(device.attestKey(keyID, clientDataHash: Self.hash), keyID: keyID).key
        let report = setting.verifier.explainAssertion(
            try device.generateAssertion(keyID, clientDataHash: Self.hash, breaking: .authenticatorDataReplaced),
            challenge: Setting.challenge, key: key, at: Setting.time)
        #expect(report.failures.map(\.error) == [.invalidSignature], "\(report)")
    }

    /// The declaration of a device rejects every fault except one: forged launch information of a system that does not
    /// prove this information. To reject this fault, a policy must reject all objects of such systems.
    @Test(arguments: systems)
    func forgedLaunchInformation(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let fault = AttestationFault.launchInformationForged
        let object = try device.attestKey(keyID, clientDataHash: Self.hash, breaking: fault)
        #expect(throws: fault.expectedError()) { try setting.demandingVerifier.verify(object, keyID: keyID) }
        let isAccepted = (try? setting.verifier.verify(object, keyID: keyID)) != nil
        #expect(isAccepted == !system.attestsLaunchInformation)
    }

    /// A fault that would overflow the counter throws an error.
    @Test func counterJumpAtTheEnd() throws {
        let device = Setting(system: .iOS17, environment: .production).device
        let keyID = device.generateKey()
        _ = try device.attestKey(keyID, clientDataHash: Self.hash)
        try device.advanceCounter(of: keyID, by: .max - 1_001)
        let last = try device.generateAssertion(keyID, clientDataHash: Self.hash, breaking: .counterJump)
        #expect(!last.isEmpty)
        try device.advanceCounter(of: keyID, by: 1)
        #expect(throws: AttestTestingError.invalidKey) {
            try device.generateAssertion(keyID, clientDataHash: Self.hash, breaking: .counterJump)
        }
        #expect(!Fault.assertion(.counterJump).rule.isEmpty)
        #expect(
            AssertionFault.counterJump.expectedError(previousCounter: .max)
                == .counterStepTooLarge(previous: .max, received: 1_000))
    }
}
