public import PureAttest

extension VirtualDevice {
    /// The device's app, with the strictest policies that accept this device's objects. They reject policy faults.
    ///
    /// The policies require the system's version, ``agePolicy``, and a public release unless this system is a beta.
    /// They also require category, version and build if the device proves that the system wrote them.
    public var acceptedApp: AcceptedApp {
        AcceptedApp(app, launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: Self.agePolicy)
    }

    /// Limits attestations to five minutes, keys to 30 days, and counter steps to 1,000.
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
