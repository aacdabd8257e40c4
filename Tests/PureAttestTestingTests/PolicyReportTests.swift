import PureAttest
import PureBytes
import Testing

@testable import PureAttestTesting

@Suite struct PolicyReportTests {
    /// The reports on an attestation and on an assertion of its key, under the policies of `app`.
    private struct Reports {
        let attestation: VerificationReport
        let assertion: VerificationReport

        init(
            _ setting: Setting, steps: UInt32 = 0, breaking fault: AttestationFault? = nil,
            under app: (AppID) -> AcceptedApp
        ) throws {
            let device = setting.device
            let id = device.generateKey()
            let hash = clientDataHash(Setting.challenge)
            let object =
                if let fault { try device.attestKey(id, clientDataHash: hash, breaking: fault) } else {
                    try device.attestKey(id, clientDataHash: hash)
                }
            let verifier = AppAttestVerifier(acceptedApps: [app(setting.app)], environment: setting.environment)
                .trustingTestDevices(of: Setting.authority)
            let keyID = try Base64.decode(Array(id.utf8))
            attestation = verifier.explainAttestation(
                object, keyID: keyID, challenge: Setting.challenge, at: Setting.time)

            // The server knows the key because its earlier policies accepted every object of the app.
            let signing = setting.device
            let signer = signing.generateKey()
            let known = try AppAttestVerifier(
                apps: [setting.app], environment: setting.environment, launchPolicy: .reportOnly
            ).trustingTestDevices(of: Setting.authority).verify(
                signing.attestKey(signer, clientDataHash: hash), keyID: signer)
            try signing.advanceCounter(of: signer, by: steps)
            assertion = verifier.explainAssertion(
                try signing.generateAssertion(signer, clientDataHash: hash), challenge: Setting.challenge,
                key: known.key, at: Setting.time)
        }

        /// Returns the only failed step, which must be the same in both reports.
        func failure() throws -> VerificationReport.Step {
            #expect(attestation.failures.count == 1 && assertion.failures.count == 1, "\(attestation)\(assertion)")
            let step = try #require(attestation.failures.first)
            #expect(assertion.failures.first?.error == step.error)
            return step
        }
    }

    private static let sent = CodeDirectoryHash(Setting.codeDirectoryHash)!
    private static let new = Setting(system: .iOS27ExtensionFlag, environment: .production)

    @Test func everyPolicyPasses() throws {
        let reports = try Reports(Self.new) { app in
            AcceptedApp(
                app, launchPolicy: .reportOnly(builds: .oneOf([Self.sent])),
                systemPolicy: SystemPolicy(minimumVersion: SystemVersion(17)),
                agePolicy: AgePolicy(maximumAttestationAge: 60, maximumKeyAge: 60))
        }
        for report in [reports.attestation, reports.assertion] {
            #expect(report.failures.isEmpty, "\(report)")
            let passed = report.steps.filter { $0.status == .passed }.map(\.number)
            #expect(Set(["system", "age", "build"]).isSubset(of: passed), "\(report)")
        }
    }

    /// If the caller supplies a function instead of values, the report cannot list the accepted values.
    @Test func functionsOfTheCaller() throws {
        let build = try Reports(Self.new) {
            AcceptedApp($0, launchPolicy: .reportOnly(builds: .matching { _ in false }))
        }
        .failure()
        #expect(build.number == "build" && build.expected == nil && build.received == "\(Self.sent)")
        let version = try Reports(Self.new) {
            AcceptedApp($0, launchPolicy: .only(nil, versions: .matching { _ in false }))
        }.failure()
        #expect(version.error == .bundleVersionNotAllowed("1.0") && version.expected == nil)
    }

    @Test func systemsOfMacs() throws {
        let mac = Setting(system: .macOS27, environment: .production)
        let step = try Reports(mac) {
            AcceptedApp(
                $0, launchPolicy: .reportOnly, systemPolicy: SystemPolicy(minimumMacOSVersion: SystemVersion(28)))
        }.failure()
        #expect(step.number == "system" && step.expected == "28.0 or later")
        #expect(step.received?.hasPrefix("macosx 27") == true && step.likelyCauses.count == 1)
    }

    @Test func prereleases() throws {
        let step = try Reports(Setting(system: .iOS27, environment: .production)) {
            AcceptedApp($0, launchPolicy: .reportOnly, systemPolicy: SystemPolicy(acceptsPrereleases: false))
        }.failure()
        #expect(step.error == .prereleaseNotAllowed && step.expected == nil && step.likelyCauses.isEmpty)
        #expect(step.received?.contains("Internal") == true, "\(step)")
    }

    @Test func systemsThatDoNotSay() throws {
        let build = try #require(SystemBuild(ascii: "18A1".utf8))
        let step = try Reports(Setting(system: .iOS14, environment: .production)) {
            AcceptedApp($0, launchPolicy: .reportOnly, systemPolicy: SystemPolicy(builds: .oneOf([build])))
        }.failure()
        #expect(step.error == .systemBuildNotAllowed(nil) && step.received == nil)
        #expect(step.likelyCauses.first?.contains("has no system information") == true)
    }

    @Test func countersThatLeap() throws {
        let reports = try Reports(Self.new, steps: 8) {
            AcceptedApp($0, launchPolicy: .reportOnly, agePolicy: AgePolicy(maximumCounterStep: 2))
        }
        #expect(reports.attestation.failures.isEmpty && reports.assertion.failures.map(\.number) == ["5"])
        #expect(
            reports.assertion.failures.first?.likelyCauses.first?.contains("many assertions that never arrived") == true
        )
    }

    /// After the registration of the key, the app is declared only for the other platform.
    @Test func keysOfTheOtherPlatform() throws {
        let step = try Reports(Setting(system: .macOS27, environment: .production)) {
            AcceptedApp(AppID(bytes: $0.bytes, platform: .device), launchPolicy: .reportOnly)
        }.failure()
        #expect(step.error == .platformNotAllowed(.macOS) && step.received == "“macosx”")
    }

    /// Devices may send a truncated hash.
    @Test func truncatedBuilds() throws {
        let device = VirtualDevice(
            app: Self.new.app, system: .iOS27ExtensionFlag, authority: Setting.authority, seed: 7, time: Setting.time,
            codeDirectoryHash: Array(Setting.codeDirectoryHash.prefix(20)))
        let id = device.generateKey()
        let app = AcceptedApp(Self.new.app, launchPolicy: .reportOnly(builds: .oneOf([Self.sent])))
        let report = try AppAttestVerifier(acceptedApps: [app], environment: .production)
            .trustingTestDevices(of: Setting.authority).explainAttestation(
                device.attestKey(id, clientDataHash: clientDataHash(Setting.challenge)),
                keyID: Base64.decode(Array(id.utf8)), challenge: Setting.challenge, at: Setting.time)
        #expect(report.failures.map(\.number) == ["build"])
        #expect(report.failures.first?.likelyCauses.first?.contains("a hash of 20 bytes") == true, "\(report)")
    }
}
