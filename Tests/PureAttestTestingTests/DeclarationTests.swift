import PureAttest
import PureBytes
import Testing

@testable import PureAttestTesting

/// Tests how app declarations, policies and the fields of the leaf certificate interact.
@Suite struct DeclarationTests {
    static let phone = AppID(bytes: "TEST123456.com.example.app".utf8)
    static let mac = AppID(bytes: phone.bytes, platform: .macOS)

    fileprivate static func verifier(_ apps: [AcceptedApp], _ counters: CounterPolicy = .strict) -> AppAttestVerifier {
        AppAttestVerifier(acceptedApps: apps, environment: .production, counterPolicy: counters)
            .trustingTestDevices(of: Setting.authority)
    }

    /// Rule A3: iOS 17 leaves name no platform. A key that was attested for the device platform keeps this platform.
    @Test func unnamedPlatformKeepsItsPolicies() throws {
        let made = try Objects(.iOS17)
        let lax = AcceptedApp(Self.mac, launchPolicy: .reportOnly)
        let key = try made.attest([AcceptedApp(Self.phone, launchPolicy: .reportOnly), lax]).key
        let late = UnixTime(secondsSince1970: Setting.time.secondsSince1970 + 300 * 86_400)
        for strict in [
            AcceptedApp(Self.phone, launchPolicy: .only([.appStore])),
            AcceptedApp(
                Self.phone, launchPolicy: .reportOnly, systemPolicy: SystemPolicy(minimumVersion: SystemVersion(26))),
            AcceptedApp(Self.phone, launchPolicy: .reportOnly, agePolicy: AgePolicy(maximumKeyAge: 60)),
        ] {
            #expect(throws: PureAttestError.self) { try made.assert([strict, lax], key, at: late) }
        }
        // This example of a universal purchase is from the "Policies" article.
        let documented = [
            AcceptedApp(Self.phone, launchPolicy: .onlyOrMissing([.appStore])),
            AcceptedApp(Self.mac, launchPolicy: .only([.developerID])),
        ]
        #expect(throws: Never.self) { try made.assert(documented, made.attest(documented).key) }
        // A verifier that accepts only Macs rejects both the attestation and the key's assertion.
        #expect(throws: PureAttestError.self) { try made.attest([lax]) }
        #expect(throws: PureAttestError.self) { try made.assert([lax], key) }
    }

    @Test func unknownSystemIsNoRelease() throws {
        let made = try Objects(.macOS27Beta)
        let app = AcceptedApp(
            Self.mac, launchPolicy: .reportOnly, systemPolicy: SystemPolicy(acceptsPrereleases: false))
        #expect(throws: PureAttestError.prereleaseNotAllowed) { try made.attest([app]) }
        let attested = try made.attest([AcceptedApp(Self.mac, launchPolicy: .reportOnly)]).key
        let old = try AttestedKey(
            trustingStoredKey: attested.publicKeyX963, appID: Self.mac, environment: .production, counter: 0)
        #expect(throws: PureAttestError.self) { try made.assert([app], old) }
    }

    /// An unknown platform or release type is not treated as absent, because absence means a device or a public
    /// release.
    @Test func unusableFieldsFailClosed() throws {
        let made = try Objects(.macOS27)
        func field(_ tag: UInt32, _ text: String) -> [UInt8] { der(.context(tag), der(.octetString, Array(text.utf8))) }
        func attestation(_ fields: [UInt8], brokenList: Bool) throws -> [UInt8] {
            try made.device.faultyAttestation(made.keyID, clientDataHash(Setting.challenge)) { draft, _ in
                draft.leaf.edit(.systemInformation) { $0.value = der(.sequence, field(1400, "27.0") + fields) }
                if brokenList { draft.leaf.edit(.accessControlList) { $0.value = wrapped([1], tag: 3) } }
            }
        }
        for fields in [
            field(1026, "macosx") + field(1026, "macosx"), der(.context(1026), der(utf8: "macosx")),
            field(1026, "macosx") + der(.context(1500), der(.octetString, [1]), der(.octetString, [2])),
            field(1026, "MacOSX"), field(1026, ""), field(1026, String(repeating: "i", count: 33)),
        ] {
            let object = try attestation(fields, brokenList: true)
            for apps in [[Self.phone], [Self.mac, Self.phone]] {
                #expect(throws: PureAttestError.self) {
                    try Self.verifier(apps.map { AcceptedApp($0, launchPolicy: .reportOnly) }).verify(
                        object, keyID: made.keyID)
                }
            }
        }
        let releases = AcceptedApp(
            Self.mac, launchPolicy: .reportOnly, systemPolicy: SystemPolicy(acceptsPrereleases: false))
        for fields in [
            field(1029, "Beta") + field(1029, "Beta"), der(.context(1029), der(utf8: "Beta")),
            field(1029, String(repeating: "B", count: 33)),
        ] {
            let object = try attestation(fields + field(1026, "macosx"), brokenList: false)
            #expect(throws: PureAttestError.self) { try Self.verifier([releases]).verify(object, keyID: made.keyID) }
        }
    }

    /// If an app has two declarations for a platform, both must accept the object.
    @Test func orderOfDeclarationsDecidesNothing() throws {
        let made = try Objects(.iOS17)
        let apps = [
            AcceptedApp(Self.phone, launchPolicy: .reportOnly),
            AcceptedApp(Self.phone, launchPolicy: .only([.appStore])),
        ]
        let accepted = [apps, apps.reversed()].map { (try? made.attest($0)) != nil }
        #expect(accepted == [false, false])
    }

    /// The step limit does not apply to a counter inside the sliding window, so a step cannot be negative.
    @Test func overtakenValueIsNoStep() throws {
        let made = try Objects(.iOS27ExtensionFlag)
        let second = try made.device.generateAssertion(made.keyID, clientDataHash: clientDataHash(Setting.challenge))
        let verifier = Self.verifier(
            [AcceptedApp(Self.phone, launchPolicy: .reportOnly, agePolicy: AgePolicy(maximumCounterStep: 5))],
            .slidingWindow)
        var key = try verifier.verify(made.attestation, keyID: made.keyID).key
        for assertion in [second, made.assertion] {
            key = try verifier.verifyAssertion(assertion, challenge: Setting.challenge, key: key).key
        }
    }

    /// If a record contains neither a platform nor an attestation time, every declaration must accept the record.
    @Test func unknownRecordsMeetEveryDeclaration() throws {
        let made = try Objects(.iOS26)
        let lax = AcceptedApp(Self.mac, launchPolicy: .reportOnly),
            strict = AcceptedApp(Self.phone, launchPolicy: .only(nil))
        let key = try made.attest([AcceptedApp(Self.phone, launchPolicy: .reportOnly)]).key
        let old = try AttestedKey(
            trustingStoredKey: key.publicKeyX963, appID: Self.phone, environment: .production, counter: 0)
        for apps in [[lax, strict], [strict, lax]] {
            #expect(throws: PureAttestError.validationCategoryNotAllowed(nil)) { try made.assert(apps, old) }
        }
        #expect(throws: Never.self) { try made.assert([lax], old) }
    }

    /// The verifier reads a receipt only if it accepts the app and platform of the receipt's key.
    @Test func receiptsAskForThePlatform() throws {
        let made = try Objects(.macOS27)
        let key = try made.attest([AcceptedApp(Self.mac, launchPolicy: .reportOnly)]).key
        let verifier = Self.verifier([AcceptedApp(Self.phone, launchPolicy: .reportOnly)])
        #expect(throws: PureAttestError.platformNotAllowed(.macOS)) { try verifier.receipt([0], of: key) }
    }
}

extension Objects {
    fileprivate func attest(_ apps: [AcceptedApp]) throws -> VerifiedAttestation {
        try DeclarationTests.verifier(apps).verify(attestation, keyID: keyID)
    }

    fileprivate func assert(
        _ apps: [AcceptedApp], _ key: AttestedKey, at time: UnixTime? = nil
    ) throws -> VerifiedAssertion {
        try DeclarationTests.verifier(apps).verifyAssertion(
            assertion, challenge: Setting.challenge, key: key, at: time)
    }
}
