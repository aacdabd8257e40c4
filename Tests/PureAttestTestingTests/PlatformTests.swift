import PureAttest
import Testing

@testable import PureAttestTesting

/// The leaf certificate determines the platform, whatever the order of the declarations.
@Suite struct PlatformTests {
    static let device = AppID(bytes: "TEST123456.com.example.app".utf8)
    static let mac = AppID(bytes: device.bytes, platform: .macOS)

    private func verifier(
        _ apps: [AppID], environment: PureAttest.Environment = .production, _ policy: LaunchPolicy = .reportOnly
    ) -> AppAttestVerifier {
        .trustingTestDevices(of: Setting.authority, apps: apps, environment: environment, launchPolicy: policy)
    }

    /// The systems whose leaf certificates name a platform: iOS 18 and later.
    static let named = DeviceSystem.allCases.filter { $0 != .iOS14 && $0 != .iOS17 }

    /// Rule A3.
    @Test(arguments: named)
    func declarations(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let (own, other) = system.isMac ? (Self.mac, Self.device) : (Self.device, Self.mac)
        let device = setting.device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        let error = PureAttestError.platformNotAllowed(own.platform)
        #expect(throws: error) { try verifier([other]).verify(attestation, keyID: keyID) }
        for apps in [[own], [own, other], [other, own], [other, other, own]] {
            let verified = try verifier(apps).verify(attestation, keyID: keyID)
            #expect(verified.appID == own && verified.system.platform?.appPlatform == own.platform)
            #expect(verified.system.platform?.description == (system.isMac ? "macosx" : "iphoneos"))
        }

        let key = try verifier([own]).verify(attestation, keyID: keyID).key
        let assertion = try device.generateAssertion(keyID, clientDataHash: clientDataHash(Setting.challenge))
        func verify(_ apps: [AppID]) throws(PureAttestError) -> VerifiedAssertion {
            try verifier(apps).verifyAssertion(
                assertion, challenge: Setting.challenge,
                key: AttestedKey(serialized: key.serialized))
        }
        #expect(throws: error) { try verify([other]) }
        for apps in [[own], [own, other], [other, own]] { #expect(try verify(apps).appID == own) }
        #expect(throws: PureAttestError.keyOfUnknownApp) { try verify([AppID(teamID: "A", bundleID: "b")]) }
    }

    /// Leaves before iOS 18 name no platform, so any declaration applies. A declaration for devices takes precedence.
    @Test(arguments: [DeviceSystem.iOS14, .iOS17])
    func unnamed(_ system: DeviceSystem) throws {
        let device = Setting(system: system, environment: .production).device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        for apps in [[Self.device], [Self.device, Self.mac], [Self.mac, Self.device]] {
            let verified = try verifier(apps).verify(attestation, keyID: keyID)
            #expect(verified.appID == Self.device && verified.system.platform == nil)
        }
        #expect(throws: PureAttestError.accessControlListMissing) {
            try verifier([Self.mac]).verify(attestation, keyID: keyID)
        }
    }

    /// The verifier checks the access control list only for Macs, in any order of declarations.
    @Test(arguments: [[mac], [mac, device], [device, mac]])
    func accessControlList(_ apps: [AppID]) throws {
        let mac = Setting(system: .macOS27, environment: .production).device
        let keyID = mac.generateKey()
        for (fault, error) in [
            (AttestationFault.accessControlListMismatch, PureAttestError.accessControlListMismatch),
            (.accessControlListMissing, .accessControlListMissing),
        ] {
            let object = try mac.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge), breaking: fault)
            #expect(throws: error) { try verifier(apps).verify(object, keyID: keyID) }
        }
        guard apps.contains(Self.device) else { return }
        let phone = Setting(system: .iOS27ExtensionFlag, environment: .production).device
        let phoneKeyID = phone.generateKey()
        let object = try phone.attestKey(phoneKeyID, clientDataHash: clientDataHash(Setting.challenge))
        #expect(try verifier(apps).verify(object, keyID: phoneKeyID).appID == Self.device)
    }

    /// Rule A4: development builds on Macs have the production AAGUID, so policies must name category 3.
    @Test func developmentBuildsOnMacs() throws {
        for (system, environment, isUnfit) in [
            (DeviceSystem.macOS27, PureAttest.Environment.production, true), (.macOS27, .development, false),
            (.iOS27ExtensionFlag, .production, false), (.iOS27ExtensionFlag, .development, false),
        ] {
            let app = AppID(bytes: Self.device.bytes, platform: system.appPlatform)
            let device = VirtualDevice(
                app: app, environment: environment, system: system, authority: Setting.authority, seed: 3,
                time: Setting.time, validationCategory: .development)
            let keyID = device.generateKey()
            let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
            let key = try verifier([app], environment: environment).verify(attestation, keyID: keyID).key
            let assertion = try device.generateAssertion(keyID, clientDataHash: clientDataHash(Setting.challenge))
            // A version 1 record names no platform, so the declaration of the app applies.
            let old = try AttestedKey(
                trustingStoredKey: key.publicKeyX963, appID: app, environment: environment, counter: 0)
            /// Expects the same verdict on the attestation, on the assertion with the key's record, and on the
            /// assertion with an old record.
            func verify(_ policy: LaunchPolicy) throws {
                let verifier = self.verifier([app], environment: environment, policy)
                let outcomes = [
                    Result { _ = try verifier.verify(attestation, keyID: keyID) },
                    Result { _ = try verifier.verify(assertion, key) },
                    Result { _ = try verifier.verify(assertion, old) },
                ]
                let refusals = outcomes.compactMap { outcome in
                    if case .failure(let error) = outcome { error as? PureAttestError } else { nil }
                }
                #expect(refusals.allSatisfy { $0 == .validationCategoryNotAllowed(.development) })
                #expect(refusals.isEmpty || refusals.count == 3)
                if let refusal = refusals.first { throw refusal }
            }
            for policy in [.only(nil), .onlyOrMissing(nil)] as [LaunchPolicy] {
                if isUnfit {
                    #expect(throws: PureAttestError.validationCategoryNotAllowed(.development)) { try verify(policy) }
                } else {
                    try verify(policy)
                }
            }
            for policy in [.reportOnly, .only([.development]), .onlyOrMissing([.development, .appStore])]
                as [LaunchPolicy]
            {
                try verify(policy)
            }
            #expect(throws: PureAttestError.validationCategoryNotAllowed(.development)) {
                try verify(.onlyOrMissing([.developerID, .appStore]))
            }
        }
    }

    /// If a record names no platform, the rules for Macs also apply.
    @Test(arguments: [[mac, device], [device, mac]])
    func unknownPlatform(_ apps: [AppID]) throws {
        let device = VirtualDevice(
            app: Self.mac, system: .macOS27, authority: Setting.authority, seed: 3, time: Setting.time,
            validationCategory: .development)
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        let key = try verifier(apps).verify(attestation, keyID: keyID).key
        let old = try AttestedKey(
            trustingStoredKey: key.publicKeyX963, appID: Self.device, environment: .production, counter: 0)
        let assertion = try device.generateAssertion(keyID, clientDataHash: clientDataHash(Setting.challenge))
        #expect(throws: PureAttestError.validationCategoryNotAllowed(.development)) {
            try verifier(apps, .only(nil)).verify(assertion, old)
        }
        #expect(throws: Never.self) { try verifier(apps).verify(assertion, old) }
    }
}

extension AppAttestVerifier {
    fileprivate func verify(_ assertion: [UInt8], _ key: AttestedKey) throws(PureAttestError) -> VerifiedAssertion {
        try verifyAssertion(assertion, challenge: Setting.challenge, key: key)
    }
}
