import PureAttest
import PureBytes
import PureCBOR
import PureSHA2
import Testing

@testable import PureAttestTesting

/// The nonce does not mark the boundary between authenticator data and client data hash. Therefore, an app can move the
/// first bytes of its client data hash to the end of the authenticator data. The forger is a modified app on a genuine
/// device, which creates genuine signatures.
@Suite struct ForgedLaunchInformationTests {
    static let map = cbor(map: launchInformationEntries(.appStore, "9.9"))

    /// Policies that reject missing information. If the verifier trusted the forged information, each of these policies
    /// would accept the object.
    static let demanding: [LaunchPolicy] = [
        .only([.appStore], versions: .atLeast("4.2")), .only([.appStore]), .only(nil),
        .only(nil, versions: .atLeast("1")),
    ]

    /// The app passes `map ‖ hash` as the client data hash, and moves `map` to the end of the authenticator data.
    private func forgedAttestation(_ device: VirtualDevice, _ keyID: String) throws -> [UInt8] {
        let hash = Self.map + clientDataHash(Setting.challenge)
        return try device.faultyAttestation(keyID, hash) { draft, _ in
            draft.replaceAuthenticatorData = { $0 += Self.map }
        }
    }

    private func forgedAssertion(_ device: VirtualDevice, _ keyID: String) throws -> [UInt8] {
        let hash = Self.map + clientDataHash(Setting.challenge)
        return try device.withKey(keyID) { (key, _) throws(AttestTestingError) in
            var draft = device.assertionDraft(of: key, clientDataHash: hash)
            draft.replaceAuthenticatorData = { $0 += Self.map }
            return draft.encoded()
        }
    }

    /// Rule A1.
    @Test(arguments: DeviceSystem.allCases)
    func attestation(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let forged = try forgedAttestation(device, keyID)
        if system.sendsLaunchInformation {
            // The operating system's map comes first, so the forged map is trailing data.
            for policy in Self.demanding + [.reportOnly, .onlyOrMissing([.appStore])] {
                #expect(throws: PureAttestError.malformedCBOR(.trailingBytes)) {
                    try setting.verifier(with: policy).verify(forged, keyID: keyID)
                }
            }
            return
        }
        for policy in Self.demanding {
            #expect(throws: PureAttestError.validationCategoryNotAllowed(nil)) {
                try setting.verifier(with: policy).verify(forged, keyID: keyID)
            }
        }
        // Policies treat the forged information as missing, and the result reports it as unverified.
        for policy in [.reportOnly, .onlyOrMissing([.testFlight], versions: .oneOf(["1"]))] as [LaunchPolicy] {
            let verified = try setting.verifier(with: policy).verify(forged, keyID: keyID)
            let believed = verified.launchInformation
            #expect(believed.validationCategory == nil && believed.bundleVersion == nil)
            #expect(verified.unverifiedLaunchInformation?.validationCategory == .appStore)
            #expect(verified.unverifiedLaunchInformation?.bundleVersion == "9.9")
        }
        // The option `believingForgeableInformation` accepts the forged information.
        let credulous = LaunchPolicy.only([.appStore], versions: .atLeast("4.2")).believingForgeableInformation()
        #expect(throws: Never.self) { try setting.verifier(with: credulous).verify(forged, keyID: keyID) }
    }

    /// Rule A1.
    @Test(arguments: DeviceSystem.allCases)
    func assertion(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        let key = try setting.verifier.verify(attestation, keyID: keyID).key
        let forged = try forgedAssertion(device, keyID)
        func verify(_ policy: LaunchPolicy) throws(PureAttestError) -> VerifiedAssertion {
            try setting.verifier(with: policy).verifyAssertion(forged, challenge: Setting.challenge, key: key)
        }
        if system.sendsLaunchInformation {
            for policy in Self.demanding + [.reportOnly, .onlyOrMissing([.appStore])] {
                #expect(throws: PureAttestError.malformedCBOR(.trailingBytes)) { try verify(policy) }
            }
            return
        }
        for policy in Self.demanding {
            #expect(throws: PureAttestError.validationCategoryNotAllowed(nil)) { try verify(policy) }
        }
        for policy in [.reportOnly, .onlyOrMissing([.testFlight], versions: .oneOf(["1"]))] as [LaunchPolicy] {
            let verified = try verify(policy)
            let believed = verified.launchInformation
            #expect(believed.validationCategory == nil && believed.bundleVersion == nil)
            #expect(verified.unverifiedLaunchInformation?.validationCategory == .appStore)
            #expect(verified.unverifiedLaunchInformation?.bundleVersion == "9.9")
        }
        let credulous = LaunchPolicy.only([.appStore], versions: .atLeast("4.2")).believingForgeableInformation()
        #expect(throws: Never.self) { try verify(credulous) }
    }

    /// Betas sent genuine launch information in the form that a forger would use, so the verifier treats it as missing.
    @Test(arguments: [DeviceSystem.iOS27, .macOS27Beta])
    func genuineButUnproven(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        for policy in [.reportOnly, .onlyOrMissing([.testFlight])] as [LaunchPolicy] {
            let verified = try setting.verifier(with: policy).verify(attestation, keyID: keyID)
            #expect(verified.launchInformation.validationCategory == nil)
            #expect(verified.unverifiedLaunchInformation?.validationCategory == .appStore)
        }
        #expect(throws: PureAttestError.validationCategoryNotAllowed(nil)) {
            try setting.verifier(with: .only([.appStore])).verify(attestation, keyID: keyID)
        }
        let credulous = LaunchPolicy.only([.appStore]).believingForgeableInformation()
        #expect(throws: Never.self) { try setting.verifier(with: credulous).verify(attestation, keyID: keyID) }
        let refusing = LaunchPolicy.onlyOrMissing([.testFlight]).believingForgeableInformation()
        #expect(throws: PureAttestError.validationCategoryNotAllowed(.appStore)) {
            try setting.verifier(with: refusing).verify(attestation, keyID: keyID)
        }
    }

    /// Rule A2: the verifier detects that the operating system's map was moved to the client data hash.
    @Test func theSystemsOwnMapMoved() throws {
        let setting = Setting(system: .iOS27ExtensionFlag, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let hash = clientDataHash(Setting.challenge)
        let own = try device.withKey(keyID) { (key, time) throws(AttestTestingError) in
            device.attestationDraft(of: key, clientDataHash: hash, at: time).authenticatorData.encoded.dropFirst(164)
        }
        let object = try device.faultyAttestation(keyID, hash) { draft, _ in
            draft.replaceAuthenticatorData = { $0.removeLast(own.count) }
        }
        #expect(throws: PureAttestError.truncatedAuthenticatorData) {
            try setting.verifier.verifyAttestation(
                object, keyID: Base64.decode(Array(keyID.utf8)), clientDataHash: own + hash, at: Setting.time)
        }
    }
}
