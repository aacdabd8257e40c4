import PureAttest
import PureBytes
import Testing

@testable import PureAttestTesting

@Suite struct SystemAndAgeTests {
    /// Rule A7: minimum versions apply separately to each platform.
    @Test func minimumVersions() throws {
        let phone = try Objects(.iOS27ExtensionFlag), mac = try Objects(.macOS27), old = try Objects(.iOS14)
        let version = SystemVersion(27, 0, 1)
        try phone.check(SystemPolicy(minimumVersion: version))
        try phone.check(SystemPolicy(minimumVersion: SystemVersion(26), minimumMacOSVersion: SystemVersion(99)))
        try mac.check(SystemPolicy(minimumVersion: SystemVersion(99), minimumMacOSVersion: SystemVersion(27)))
        #expect(throws: PureAttestError.systemVersionNotAllowed(version)) {
            try phone.check(SystemPolicy(minimumVersion: SystemVersion(27, 0, 2)))
        }
        #expect(throws: PureAttestError.systemVersionNotAllowed(SystemVersion(27))) {
            try mac.check(SystemPolicy(minimumMacOSVersion: SystemVersion(27, 0, 1)))
        }
        #expect(throws: PureAttestError.systemVersionNotAllowed(SystemVersion(14, 3))) {
            try old.check(SystemPolicy(minimumVersion: SystemVersion(14, 4), acceptsUnknown: true))
        }
    }

    @Test func builds() throws {
        let phone = try Objects(.iOS26)
        let test = try #require(SystemBuild(ascii: "TEST".utf8)), other = try #require(SystemBuild(ascii: "TEST2".utf8))
        try phone.check(SystemPolicy(builds: .oneOf([other, test])))
        try phone.check(SystemPolicy(builds: .matching { $0.description.hasPrefix("T") }))
        for policy in [.oneOf([other]), .oneOf([]), .matching { _ in false }] as [SystemPolicy.Builds] {
            #expect(throws: PureAttestError.systemBuildNotAllowed(test)) {
                try phone.check(SystemPolicy(builds: policy, acceptsUnknown: true))
            }
        }
    }

    @Test func prereleases() throws {
        for (system, isRelease) in [
            (DeviceSystem.macOS27Beta, false), (.iOS27, false), (.iOS27ExtensionFlag, true), (.iOS14, true),
        ] {
            let objects = try Objects(system)
            try objects.check(.any)
            if isRelease {
                try objects.check(SystemPolicy(acceptsPrereleases: false))
            } else {
                #expect(throws: PureAttestError.prereleaseNotAllowed) {
                    try objects.check(SystemPolicy(acceptsPrereleases: false, acceptsUnknown: true))
                }
            }
        }
    }

    /// iOS 14 leaves name no build, and version 1 records name no system. Only `acceptsUnknown` accepts both.
    @Test func unknown() throws {
        let old = try Objects(.iOS14)
        let build = try #require(SystemBuild(ascii: "18A1".utf8))
        #expect(throws: PureAttestError.systemBuildNotAllowed(nil)) {
            try old.check(SystemPolicy(builds: .oneOf([build])))
        }
        try old.check(SystemPolicy(builds: .oneOf([build]), acceptsUnknown: true))

        let record = try AttestedKey(
            trustingStoredKey: old.key().publicKeyX963, appID: old.setting.app, environment: .production, counter: 0)
        func verify(_ policy: SystemPolicy) throws(PureAttestError) {
            _ = try old.verifier(policy).verifyAssertion(old.assertion, challenge: Setting.challenge, key: record)
        }
        try verify(.any)
        #expect(throws: PureAttestError.systemVersionNotAllowed(nil)) {
            try verify(SystemPolicy(minimumVersion: SystemVersion(1)))
        }
        try verify(SystemPolicy(minimumVersion: SystemVersion(1), acceptsUnknown: true))
        #expect(throws: PureAttestError.systemVersionNotAllowed(nil)) {
            try verify(SystemPolicy(acceptsPrereleases: false))
        }
        try verify(SystemPolicy(acceptsPrereleases: false, acceptsUnknown: true))
    }

    /// Rule A8. Apple backdates leaves by a day, but the age of an attestation is measured from its creation.
    @Test func attestationAge() throws {
        let objects = try Objects(.iOS27ExtensionFlag)
        let keyID = try Base64.decode(Array(objects.keyID.utf8))
        func verify(_ age: UInt32?, after seconds: Int64, clockSkew: UInt32 = 0) throws {
            _ = try AppAttestVerifier.trustingTestDevices(
                of: Setting.authority, apps: [objects.setting.app], environment: .production, launchPolicy: .reportOnly,
                agePolicy: AgePolicy(maximumAttestationAge: age), clockSkew: clockSkew
            ).verifyAttestation(
                objects.attestation, keyID: keyID, challenge: Setting.challenge, at: Setting.time.adding(seconds))
        }
        for seconds in [-3_600, 0, 299, 300] as [Int64] { try verify(300, after: seconds) }
        try verify(nil, after: 86_400)
        try verify(0, after: 0)
        try verify(300, after: 310, clockSkew: 10)
        for (age, seconds, skew) in [(300, 301, 0), (0, 1, 0), (300, 311, 10)] as [(UInt32, Int64, UInt32)] {
            #expect(throws: PureAttestError.attestationTooOld(made: Setting.time, at: Setting.time.adding(seconds))) {
                try verify(age, after: seconds, clockSkew: skew)
            }
        }
    }

    /// Rule A9.
    @Test func keyAge() throws {
        let objects = try Objects(.iOS27ExtensionFlag)
        let key = try objects.key()
        let old = try AttestedKey(
            trustingStoredKey: key.publicKeyX963, appID: objects.setting.app, environment: .production, counter: 0)
        func verify(_ age: UInt32?, _ key: AttestedKey, at time: UnixTime?) throws(PureAttestError) {
            _ = try objects.verifier(.any, AgePolicy(maximumKeyAge: age)).verifyAssertion(
                objects.assertion, challenge: Setting.challenge, key: key,
                at: time)
        }
        try verify(nil, key, at: nil)
        try verify(nil, old, at: Setting.time)
        for seconds in [-5, 0, 86_400] as [Int64] { try verify(86_400, key, at: Setting.time.adding(seconds)) }
        #expect(throws: PureAttestError.keyTooOld(attestedAt: Setting.time, at: Setting.time.adding(86_401))) {
            try verify(86_400, key, at: Setting.time.adding(86_401))
        }
        #expect(throws: PureAttestError.keyTooOld(attestedAt: nil, at: Setting.time)) {
            try verify(.max, old, at: Setting.time)
        }
        #expect(throws: PureAttestError.timeMissing) { try verify(86_400, key, at: nil) }
    }

    /// Rule A10.
    @Test func counterStep() throws {
        let objects = try Objects(.iOS27ExtensionFlag)
        try objects.device.advanceCounter(of: objects.keyID, by: 8)
        let assertion = try objects.device.generateAssertion(
            objects.keyID, clientDataHash: clientDataHash(Setting.challenge))
        let key = try objects.key()
        func verify(_ step: UInt32?) throws(PureAttestError) {
            _ = try objects.verifier(.any, AgePolicy(maximumCounterStep: step)).verifyAssertion(
                assertion, challenge: Setting.challenge, key: key)
        }
        for step in [nil, 10, 11, .max] as [UInt32?] { try verify(step) }
        for step in [0, 1, 9] as [UInt32] {
            #expect(throws: PureAttestError.counterStepTooLarge(previous: 0, received: 10)) { try verify(step) }
        }
        try objects.device.advanceCounter(of: objects.keyID)
        let next = try objects.device.generateAssertion(
            objects.keyID, clientDataHash: clientDataHash(Setting.challenge))
        func verifyNext(_ step: UInt32) throws(PureAttestError) {
            let old = key.resumed(at: 10)
            _ = try objects.verifier(.any, AgePolicy(maximumCounterStep: step)).verifyAssertion(
                next, challenge: Setting.challenge, key: old)
        }
        try verifyNext(2)
        #expect(throws: PureAttestError.counterStepTooLarge(previous: 10, received: 12)) { try verifyNext(1) }
        // A counter equal to the greatest value so far is a replay, not a step.
        let advanced = try objects.verifier(.any).verifyAssertion(
            assertion, challenge: Setting.challenge, key: key
        ).key
        let window = AppAttestVerifier.trustingTestDevices(
            of: Setting.authority, apps: [objects.setting.app], environment: .production, launchPolicy: .reportOnly,
            agePolicy: AgePolicy(maximumCounterStep: 0), counterPolicy: .slidingWindow)
        #expect(throws: PureAttestError.counterReplayed(10)) {
            try window.verifyAssertion(assertion, challenge: Setting.challenge, key: advanced)
        }
    }

    @Test func policiesPerApp() throws {
        let phone = try Objects(.iOS27ExtensionFlag), mac = try Objects(.macOS27)
        let lenient = AcceptedApp(phone.setting.app, launchPolicy: .reportOnly)
        let strict = AcceptedApp(
            mac.setting.app, launchPolicy: .only([.developerID]),
            systemPolicy: SystemPolicy(minimumMacOSVersion: SystemVersion(28)))
        for apps in [[lenient, strict], [strict, lenient]] {
            let verifier = AppAttestVerifier(acceptedApps: apps, environment: .production)
                .trustingTestDevices(of: Setting.authority)
            #expect(throws: Never.self) { try verifier.verify(phone.attestation, keyID: phone.keyID) }
            #expect(throws: PureAttestError.systemVersionNotAllowed(SystemVersion(27))) {
                try verifier.verify(mac.attestation, keyID: mac.keyID)
            }
        }
    }

    @Test func reports() throws {
        let phone = try Objects(.iOS26)
        let keyID = try Base64.decode(Array(phone.keyID.utf8))
        let listed = try #require(CodeDirectoryHash([UInt8](repeating: 0xC0, count: 32)))
        let verifier = AppAttestVerifier(
            acceptedApps: [
                AcceptedApp(
                    phone.setting.app, launchPolicy: .reportOnly(builds: .oneOf([listed])),
                    systemPolicy: SystemPolicy(minimumVersion: SystemVersion(27)),
                    agePolicy: AgePolicy(maximumAttestationAge: 60, maximumKeyAge: 60))
            ], environment: .production
        ).trustingTestDevices(of: Setting.authority)
        let report = verifier.explainAttestation(
            phone.attestation, keyID: keyID, challenge: Setting.challenge, at: Setting.time.adding(61))
        #expect(report.failures.map(\.number) == ["system", "age", "build"])
        #expect(report.failures[0].expected == "27.0 or later")
        #expect(report.failures[0].received == "iphoneos 26.2 TEST")
        #expect(report.failures[2].expected == String(repeating: "c0", count: 32))
        let assertion = verifier.explainAssertion(
            phone.assertion, challenge: Setting.challenge,
            key: try phone.key(), at: Setting.time.adding(61))
        #expect(assertion.failures.map(\.number) == ["system", "age", "build"])
    }
}

extension Objects {
    fileprivate func verifier(_ system: SystemPolicy, _ age: AgePolicy = .unlimited) -> AppAttestVerifier {
        .trustingTestDevices(
            of: Setting.authority, apps: [setting.app], environment: .production, launchPolicy: .reportOnly,
            systemPolicy: system, agePolicy: age)
    }

    fileprivate func key() throws -> AttestedKey { try verifier(.any).verify(attestation, keyID: keyID).key }

    /// Expects the same verdict on the attestation and on an assertion that is verified with the stored key.
    fileprivate func check(_ policy: SystemPolicy) throws {
        let verifier = self.verifier(policy)
        let outcomes = try [
            Result { _ = try verifier.verify(attestation, keyID: keyID) },
            Result { [record = key().serialized] in
                _ = try verifier.verifyAssertion(
                    assertion, challenge: Setting.challenge, key: AttestedKey(serialized: record))
            },
        ]
        let errors = outcomes.compactMap { outcome in
            if case .failure(let error) = outcome { error as? PureAttestError } else { nil }
        }
        #expect(errors.count != 1 && Set(errors).count <= 1)
        if let error = errors.first { throw error }
    }
}
