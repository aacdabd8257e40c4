import DebugSampling
import PureAttest
import PureBytes
import Testing

@testable import PureAttestTesting

/// A verifier accepts a faultless object only if it trusts the authority that issued the object.
@Suite struct VirtualDeviceTests {
    @Test(arguments: debugSample(Setting.all, every: 13, of: "settings of a device"))
    func attestationAndAssertionsVerify(_ setting: Setting) throws {
        let device = setting.device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        let verified = try setting.verifier.verify(attestation, keyID: keyID)
        #expect(verified.key.keyID == (try Base64.decode(Array(keyID.utf8))))
        #expect(verified.key.counter == 0 && verified.key.environment == setting.environment)
        #expect(verified.appID == setting.app)
        #expect(verified.osVersion == setting.system.version)
        let launched = verified.launchInformation
        #expect(launched.validationCategory == (setting.system.attestsLaunchInformation ? .appStore : nil))
        #expect(launched.bundleVersion == (setting.system.attestsLaunchInformation ? "1.0" : nil))

        let receipt = try verified.unverifiedReceipt.verify(at: Setting.time)
        #expect(receipt.payload.kind == .attestation && receipt.payload.environment == setting.environment)
        #expect(receipt.riskMetric == nil && receipt.payload.creationTime == Setting.time)
        for riskMetric in [nil, 0, 17] as [UInt32?] {
            let bytes = try device.assessedReceipt(for: keyID, riskMetric: riskMetric)
            let answer = try setting.verifier.receipt(bytes, of: verified.key).verify(at: Setting.time)
            #expect(answer.payload.kind == .answer && answer.riskMetric == riskMetric)
        }

        var key = verified.key
        for counter in 1...3 as ClosedRange<UInt32> {
            let clientData = Array("request \(counter)".utf8)
            let assertion = try device.generateAssertion(keyID, clientDataHash: clientDataHash(clientData))
            let verified = try setting.verifier.verifyAssertion(
                assertion, challenge: clientData, key: key, at: Setting.time)
            #expect(verified.counter == counter)
            key = verified.key
        }
        #expect(try device.counter(of: keyID) == 3)
    }
}

extension VirtualDeviceTests {
    @Test(arguments: debugSample(DeviceSystem.allCases, every: 3, of: "systems that Apple did not sign"))
    func productionRejectsAll(_ system: DeviceSystem) throws {
        for environment in [Environment.production, .development] {
            let setting = Setting(system: system, environment: environment)
            let device = setting.device
            let keyID = device.generateKey()
            let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
            let production = AppAttestVerifier(apps: [setting.app], environment: environment, launchPolicy: .reportOnly)
            #expect(throws: PureAttestError.certificate(.issuerNotFound(certificate: 1))) {
                try production.verify(attestation, keyID: keyID)
            }
            // The production verifier rejects a test authority's receipt even if the server knows the receipt's key,
            // which a test verifier accepted.
            let key = try setting.verifier.verify(attestation, keyID: keyID).key
            for receipt in [
                [UInt8](try AttestationObject(decoding: attestation[...]).receipt),
                try device.assessedReceipt(for: keyID, riskMetric: 1),
            ] {
                do throws(PureAttestError) {
                    _ = try production.receipt(receipt, of: key).verify(at: Setting.time)
                    Issue.record("the receipt is accepted")
                } catch {
                    guard case .receiptSignature = error else {
                        Issue.record("\(error)")
                        continue
                    }
                }
            }
        }
    }

    /// The verifier rejects a test authority that uses Apple's names, because the authority's key is not Apple's key.
    @Test func productionRejectsAppleByName() throws {
        let setting = Setting(system: .iOS17, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let name = der(name: [
            (.commonName, "Apple App Attestation Root CA"), (.organizationName, "Apple Inc."),
            (.stateName, "California"),
        ])
        let attestation = try device.faultyAttestation(keyID, clientDataHash(Setting.challenge)) { draft, _ in
            draft.intermediate.issuer = name
        }
        let production = AppAttestVerifier(apps: [setting.app], environment: .production, launchPolicy: .reportOnly)
        #expect(throws: PureAttestError.certificate(.invalidSignature(certificate: 1))) {
            try production.verify(attestation, keyID: keyID)
        }
    }

    @Test func otherAuthority() throws {
        let setting = Setting(system: .iOS17, environment: .production)
        let keyID = setting.device.generateKey()
        let device = VirtualDevice(
            app: setting.app, system: .iOS17, authority: TestCertificateAuthority(seed: 2), seed: 7, time: Setting.time)
        #expect(device.generateKey() == keyID)
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        #expect(throws: PureAttestError.certificate(.invalidSignature(certificate: 1))) {
            try setting.verifier.verify(attestation, keyID: keyID)
        }
    }

    @Test func deterministic() throws {
        func objects(authority: UInt64, device seed: UInt64) throws -> [[UInt8]] {
            let device = VirtualDevice(
                app: AppID(bytes: "TEST123456.app".utf8), authority: TestCertificateAuthority(seed: authority),
                seed: seed,
                time: Setting.time)
            let keyID = device.generateKey()
            return [
                Array(keyID.utf8), try device.attestKey(keyID, clientDataHash: [1]),
                try device.generateAssertion(keyID, clientDataHash: [2]), device.authority.attestationRoot,
                device.authority.receiptRoot,
            ]
        }
        let first = try objects(authority: 3, device: 4)
        #expect(try objects(authority: 3, device: 4) == first)
        let others = try [objects(authority: 3, device: 5), objects(authority: 5, device: 4)]
        #expect(others[0][0] != first[0] && others[0][1] != first[1] && others[0][2] != first[2])
        #expect(others[0][3] == first[3] && others[0][4] == first[4])
        #expect(others[1][0] == first[0] && others[1][1] != first[1] && others[1][2] == first[2])
        #expect(others[1][3] != first[3] && others[1][4] != first[4])
    }

    /// Invalid calls throw the errors of DCAppAttestService.
    @Test func misuse() async throws {
        let device = Setting(system: .iOS27, environment: .production).device
        #expect(device.isSupported)
        let keyID = await device.generateKey()
        await #expect(throws: AttestTestingError.invalidKey) { try await device.attestKey("", clientDataHash: [1]) }
        await #expect(throws: AttestTestingError.invalidKey) { try await device.attestKey("AAAA", clientDataHash: [1]) }
        await #expect(throws: AttestTestingError.invalidInput) { try await device.attestKey(keyID, clientDataHash: []) }
        await #expect(throws: AttestTestingError.invalidKey) {
            try await device.generateAssertion(keyID, clientDataHash: [1])
        }
        #expect(throws: AttestTestingError.invalidKey) { try device.assessedReceipt(for: keyID, riskMetric: 1) }
        #expect(throws: AttestTestingError.invalidKey) {
            try { try device.generateAssertion(keyID, clientDataHash: [1], breaking: .counterZero) }()
        }
        _ = try await device.attestKey(keyID, clientDataHash: [1])
        await #expect(throws: AttestTestingError.invalidKey) { try await device.attestKey(keyID, clientDataHash: [1]) }
        await #expect(throws: AttestTestingError.invalidInput) {
            try await device.generateAssertion(keyID, clientDataHash: [])
        }
        _ = try await device.generateAssertion(keyID, clientDataHash: [1])
        #expect(try device.counter(of: keyID) == 1)
        // The counter cannot exceed 32 bits.
        try device.advanceCounter(of: keyID, by: .max - 2)
        _ = try await device.generateAssertion(keyID, clientDataHash: [1])
        #expect(try device.counter(of: keyID) == .max)
        #expect(throws: AttestTestingError.invalidKey) { try device.advanceCounter(of: keyID) }
        await #expect(throws: AttestTestingError.invalidKey) {
            try await device.generateAssertion(keyID, clientDataHash: [1])
        }
        #expect(throws: AttestTestingError.invalidKey) { try device.counter(of: "x") }
    }
}
