import DebugSampling
import PureAttest
import PureBytes
import Testing

@testable import PureAttestTesting

/// The verifier rejects each fault with exactly the expected error.
@Suite struct FaultTests {
    private static let settings = [
        Setting(system: .iOS14, environment: .production), Setting(system: .iOS27, environment: .development),
        Setting(system: .macOS27, environment: .production), Setting(system: .iOS27OlderSDK, environment: .production),
        Setting(system: .macOS27Beta, environment: .development),
        Setting(system: .iOS27ExtensionFlag, environment: .production),
    ]

    /// A debug build tests a third of the faults, each in only one of the settings.
    @Test(arguments: zip(settings, settings.indices))
    func attestationFaults(_ setting: Setting, _ number: Int) throws {
        let device = setting.device
        let keyID = device.generateKey()
        let hash = clientDataHash(Setting.challenge)
        for fault in debugSample(AttestationFault.allCases, every: 18, from: number, of: "faults of attestations") {
            guard fault.applies(to: setting.system) else {
                #expect(throws: AttestTestingError.faultDoesNotApply) {
                    try device.attestKey(keyID, clientDataHash: hash, breaking: fault)
                }
                continue
            }
            let object = try device.attestKey(keyID, clientDataHash: hash, breaking: fault)
            let verifier = fault == .launchInformationForged ? setting.demandingVerifier : setting.verifier
            #expect(throws: fault.expectedError(environment: setting.environment, at: Setting.time), "\(fault)") {
                try verifier.verify(object, keyID: keyID)
            }
        }
        // Creating faulty attestations leaves the key unattested, so the device can still attest it.
        _ = try setting.verifier.verify(device.attestKey(keyID, clientDataHash: hash), keyID: keyID)
    }

    @Test(arguments: [DeviceSystem.iOS17, .macOS27])
    func certificateFaults(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        for fault in debugSample(
            CertificateFault.allCases, every: 9, from: system == .iOS17 ? 0 : 1, of: "faults of certificates")
        {
            let object = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge), breaking: fault)
            #expect(throws: fault.expectedError(at: Setting.time), "\(fault)") {
                try setting.verifier.verify(object, keyID: keyID)
            }
        }
    }

    /// The attestation is accepted, but its receipt is rejected.
    @Test(arguments: [
        Setting(system: .iOS27, environment: .production),
        Setting(system: .iOS14, environment: .development, receiptEncoding: .definiteLength),
    ])
    func receiptFaults(_ setting: Setting) throws {
        let device = setting.device
        let keyID = device.generateKey()
        for fault in debugSample(
            ReceiptFault.allCases, every: 7, from: setting.receiptEncoding == .definiteLength ? 0 : 1,
            of: "faults of receipts")
        {
            let object = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge), breaking: fault)
            let receipt = try setting.verifier.verify(object, keyID: keyID).unverifiedReceipt
            #expect(throws: fault.expectedError(environment: setting.environment, at: Setting.time), "\(fault)") {
                try receipt.verify(at: Setting.time)
            }
        }
    }

    @Test(arguments: [DeviceSystem.iOS26, .iOS27, .iOS27ExtensionFlag, .macOS27, .macOS27Beta])
    func assertionFaults(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        var key = try setting.verifier.verify(attestation, keyID: keyID).key
        for round in 0...1 as ClosedRange<UInt32> {
            #expect(key.counter == round)
            let faults = AssertionFault.allCases.filter { $0.applies(to: system) }
            for fault in debugSample(faults, every: 7, from: Int(round), of: "faults of assertions") {
                let clientData = fault.clientData(inPlaceOf: Setting.challenge)
                let object = try device.generateAssertion(
                    keyID, clientDataHash: clientDataHash(clientData), breaking: fault)
                #expect(throws: fault.expectedError(previousCounter: key.counter, attestedAt: Setting.time), "\(fault)")
                {
                    try setting.verifier.verifyAssertion(
                        object, challenge: Setting.challenge, signed: .clientData(clientData), key: key,
                        at: UnixTime(secondsSince1970: Setting.time.secondsSince1970 + fault.presentationDelay))
                }
            }
            let object = try device.generateAssertion(keyID, clientDataHash: clientDataHash(Setting.challenge))
            key =
                try setting.verifier.verifyAssertion(
                    object, challenge: Setting.challenge, key: key,
                    at: Setting.time
                ).key
        }
    }

    /// This test fails if a fault disappears.
    @Test func count() {
        #expect(AttestationFault.allCases.count == 97)
        #expect(CertificateFault.allCases.count == 68)
        #expect(ReceiptFault.allCases.count == 39)
        #expect(AssertionFault.allCases.count == 54)
    }
}
