import PureBytes
public import PureDER
import PureSHA2
import PureX509

extension AppAttestVerifier {
    /// Explains what ``verifyAttestation(_:keyID:challenge:at:)`` makes of an attestation: every step that can run does.
    public func explainAttestation(
        _ attestation: some Collection<UInt8>, keyID: some Collection<UInt8>, challenge: some Collection<UInt8>,
        at time: UnixTime
    ) -> VerificationReport {
        explain(
            attestation: ArraySlice(attestation), keyID: ArraySlice(keyID),
            clientData: .challenge(ArraySlice(challenge)), at: time)
    }

    /// Explains what ``verifyAttestation(_:keyID:clientDataHash:at:)`` makes of an attestation.
    public func explainAttestation(
        _ attestation: some Collection<UInt8>, keyID: some Collection<UInt8>,
        clientDataHash: some Collection<UInt8>, at time: UnixTime
    ) -> VerificationReport {
        explain(
            attestation: ArraySlice(attestation), keyID: ArraySlice(keyID),
            clientData: .hash(ArraySlice(clientDataHash)), at: time)
    }

    private func explain(
        attestation: ArraySlice<UInt8>, keyID: ArraySlice<UInt8>, clientData: AttestedClientData, at time: UnixTime
    ) -> VerificationReport {
        var report = VerificationReport(on: .attestation, trusting: authority)
        let object = report.run(.attestationObject) {
            () throws(PureAttestError) in
            try AttestationObject(decoding: attestation)
        } finding: { _ in
            Self.objectFinding(attestation, isAttestation: true)
        }
        let data = report.run(.authenticatorData, on: object) {
            (object) throws(PureAttestError) in try AuthenticatorData(attestation: object.authenticatorData)
        }
        // What follows looks at the leaf as it is, whether or not anyone vouches for it.
        let leaf = object?.certificates.first.flatMap { try? Certificate(derEncoded: $0) }
        _ = report.run(
            .certificateChain, on: object
        ) {
            (object) throws(PureAttestError) in
            try verifyCertificateChain(of: object, at: time)
        } finding: { object, error in
            self.chainFinding(error, object.certificates.map { try? Certificate(derEncoded: $0) }, at: time)
        }
        let hash = report.run(.clientDataHash) {
            () throws(PureAttestError) in try clientData.hash()
        }
        let nonceInputs = data.flatMap { data in hash.map { (data, $0) } }
        let nonce = report.run(.nonce, on: nonceInputs) { (data, hash) in
            data.nonce(clientDataHash: hash)
        }
        _ = report.run(.certifiedNonce, on: nonce.flatMap { nonce in leaf.map { (nonce, $0) } }) {
            (nonce, leaf) throws(PureAttestError) in
            try Self.checkNonce(nonce, in: leaf)
        } finding: { inputs, _ in
            Self.nonceFinding(inputs.0, leaf: inputs.1, data: data, clientData: clientData)
        }
        let publicKey = report.run(.keyID, on: leaf) {
            (leaf) throws(PureAttestError) in
            try Self.checkKeyID(keyID, isOf: leaf).key
        } finding: { leaf, _ in
            Self.keyIDFinding(keyID, leaf: leaf)
        }
        let system = report.run(.systemInformation, on: leaf) {
            (leaf) throws(PureAttestError) in
            try LeafExtensions.system(of: leaf).system
        }
        let platform = system?.platform
        let app = report.run(.acceptedApp, on: data) {
            (data) throws(PureAttestError) in
            try checkAppID(of: data, on: platform)
        } finding: { data, error in
            guard case .platformNotAllowed = error else { return self.appFinding(data, leaf: leaf) }
            return Self.platformFinding(platform)
        }
        _ = report.run(.counterIsZero, on: data) {
            (data) throws(PureAttestError) in
            try Self.checkCounterIsZero(data)
        } finding: { data, _ in
            .init(expected: .number(0), received: .number(data.counter))
        }
        _ = report.run(.environment, on: data) {
            (data) throws(PureAttestError) in
            try checkEnvironment(of: data)
        } finding: { _, error in
            self.environmentFinding(error)
        }
        _ = report.run(
            .credential, on: data.flatMap { d in publicKey.map { (d, $0) } }
        ) {
            (data, publicKey) throws(PureAttestError) in
            try Self.checkCredential(of: data, keyID: keyID, publicKey: publicKey)
        } finding: { inputs, _ in
            .init(expected: .hash(keyID), received: .hash(inputs.0.credential?.id ?? []))
        }
        if let app {
            explainSystem(system, app: app.first, in: &report)
            let agePolicy = app.first.agePolicy
            if agePolicy.maximumAttestationAge != nil {
                _ = report.run(.attestationAge, on: leaf) {
                    (leaf) throws(PureAttestError) in
                    try agePolicy.checkAttestation(leafNotBefore: leaf.notBefore, at: time, clockSkew: clockSkew)
                } finding: { _, error in
                    guard case .attestationTooOld(let made) = error else { return .init() }
                    return .init(received: .init(.madeAt, .time(made)), because: .attestationReplayed)
                }
            }
        }
        if let app, app.id.platform == .macOS {
            _ = report.run(.accessControlList, on: leaf) {
                (leaf) throws(PureAttestError) in
                try checkAccessControlList(of: leaf, app: app.id)
            } finding: { _, _ in
                .init(because: .reducedSecurity, .notMacApp)
            }
        }
        explainLaunch(
            data, of: system, unsignedBuild: object?.unverifiedCodeDirectoryHash, app: app?.first, in: &report)
        return report
    }

    func explainLaunch(
        _ data: AuthenticatorData?, of system: SystemInformation?, unsignedBuild: CodeDirectoryHash?,
        app: AcceptedApp?, in report: inout VerificationReport
    ) {
        let missing = Self.causeOfMissingInformation(data, of: system)
        // Without an app there is no policy, unless there is but one.
        let app = app ?? (acceptedApps.count == 1 ? acceptedApps[0] : nil)
        let known = data.flatMap { data in app.map { (data: data, app: $0) } }
        let information = known.map { (launch: $0.app.launchPolicy.information(in: $0.data), app: $0.app) }
        _ = report.run(.validationCategory, on: information) {
            (information) throws(PureAttestError) in
            try information.app.launchPolicy.checkCategory(
                of: information.launch, app: information.app.id, environment: environment)
        } finding: { information, _ in
            guard let category = information.launch.validationCategory else { return .init(causes: [missing]) }
            let causes: [VerificationReport.Cause] =
                switch category {
                case .development: .of(.categoryDevelopment)
                case .testFlight: .of(.categoryTestFlight)
                default: []
                }
            return .init(received: .number(category.rawValue), causes: causes)
        }
        _ = report.run(.bundleVersion, on: information) {
            (information) throws(PureAttestError) in
            try information.app.launchPolicy.checkVersion(of: information.launch)
        } finding: { information, _ in
            let expected = information.app.launchPolicy.listedVersions
            guard let version = information.launch.bundleVersion else {
                return .init(expected: expected, causes: [missing])
            }
            return .init(
                expected: expected, received: .text(version.utf8), because: .otherBuildVersion, .otherVersionNumber)
        }
        guard let app, app.launchPolicy.asksForBuild else { return }
        _ = report.run(.build, on: information) {
            (information) throws(PureAttestError) in
            try information.app.launchPolicy.checkBuild(of: information.launch)
        } finding: { information, _ in
            var finding = VerificationReport.Finding(expected: app.launchPolicy.listedBuilds, causes: [])
            guard let hash = information.launch.codeDirectoryHash else {
                finding.causes = [missing] + .of(.noBuildEntitlement)
                if let unsignedBuild {
                    finding.received = .init(.unsignedBuild, .build(unsignedBuild))
                    finding.causes = .of(.buildUnsigned)
                }
                return finding
            }
            finding.received = .plain(.build(hash))
            finding.causes =
                hash.isTruncated
                ? .of(.buildTruncated)
                : .of(.otherBuild, .changedApp)
            return finding
        }
    }

    /// The system policy, if it asks for anything.
    func explainSystem(_ system: SystemInformation?, app: AcceptedApp, in report: inout VerificationReport) {
        guard app.systemPolicy.restricts else { return }
        _ = report.run(.systemPolicy, on: system) {
            (system) throws(PureAttestError) in
            try app.systemPolicy.check(system, on: app.id.platform)
        } finding: { system, error in
            let minimum =
                app.id.platform == .macOS ? app.systemPolicy.minimumMacOSVersion : app.systemPolicy.minimumVersion
            var found: [VerificationReport.Parameter] = []
            if let platform = system.platform { found.append(.words(platform.ascii)) }
            if let version = system.version { found.append(.version(version)) }
            if let build = system.build { found.append(.words(build.ascii)) }
            if let releaseType = system.releaseTypeASCII { found.append(.words(releaseType)) }
            let received = VerificationReport.Value(.plain, found)
            return switch error {
            case .systemVersionNotAllowed(nil), .systemBuildNotAllowed(nil):
                .init(because: .systemNotStated)
            case .systemVersionNotAllowed:
                .init(
                    expected: minimum.map { .init(.orLater, .version($0)) }, received: received,
                    because: .systemNotUpdated)
            default: .init(received: received)
            }
        }
    }
}
