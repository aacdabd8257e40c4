public import PureAttest

extension VirtualDevice {
    /// The device's app with the strictest policies that accept what this device makes: its category, version and build where it shows
    /// that the system says them, its system's version, no betas unless it is one, attestations and keys of the age limits below.
    ///
    /// Faults against policies are refused under these.
    public var acceptedApp: AcceptedApp {
        AcceptedApp(app, launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: Self.agePolicy)
    }

    /// Attestations of the last five minutes, keys of the last 30 days, counters at most 1,000 above the last.
    public static let agePolicy = AgePolicy(
        maximumAttestationAge: 300, maximumKeyAge: 30 * 86_400, maximumCounterStep: 1_000)

    private var launchPolicy: LaunchPolicy {
        guard system.attestsLaunchInformation else { return .onlyOrMissing([validationCategory]) }
        let hash = codeDirectoryHash.flatMap { CodeDirectoryHash($0) }
        return .only(
            [validationCategory], versions: .oneOf([bundleVersion]), builds: hash.map { .oneOf([$0]) } ?? .any)
    }

    private var systemPolicy: SystemPolicy {
        let version = SystemVersion(ascii: system.version.utf8)
        return SystemPolicy(
            minimumVersion: version, minimumMacOSVersion: version, acceptsPrereleases: system.releaseType != nil)
    }
}
