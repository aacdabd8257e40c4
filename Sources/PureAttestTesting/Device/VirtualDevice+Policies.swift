public import PureAttest

extension VirtualDevice {
    /// The app of the device, with the strictest policies that accept the valid objects of this device. The policies
    /// reject all policy faults.
    ///
    /// The policies require at least the version of this system, and ``agePolicy``. Unless this system is a beta, they
    /// also require a public release. If the device proves that the system wrote the launch information, the policies
    /// also require category, version and build.
    public var acceptedApp: AcceptedApp {
        AcceptedApp(app, launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: Self.agePolicy)
    }

    /// Limits the age of attestations to five minutes, the age of keys to 30 days, and counter steps to 1,000.
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
