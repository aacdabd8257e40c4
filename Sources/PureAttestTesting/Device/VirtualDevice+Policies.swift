public import PureAttest

extension VirtualDevice {
    /// The device's app, declared with the strictest policies that accept this device's valid objects. The policies
    /// reject every object with a policy fault. The only exception is ``AttestationFault/launchInformationForged`` if
    /// the device does not prove its launch information (``DeviceSystem/attestsLaunchInformation``). Only a policy that
    /// rejects all objects of this device, such as `LaunchPolicy.only([.appStore])`, detects that forgery.
    ///
    /// The policies require ``agePolicy`` and a system at least as new as this system. Unless this system is a beta,
    /// they also require a public release. If the device proves that the system wrote the launch information, they also
    /// require the device's category, version and build.
    public var acceptedApp: AcceptedApp {
        AcceptedApp(app, launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: Self.agePolicy)
    }

    /// Limits the age of attestations to five minutes, the age of keys to 30 days, and counter steps to 1,000.
    public static let agePolicy = AgePolicy(
        maximumAttestationAge: 300, maximumKeyAge: 30 * 86_400, maximumCounterStep: 1_000)

    private var launchPolicy: LaunchPolicy {
        guard system.attestsLaunchInformation else { return .onlyOrMissing([validationCategory]) }
        let hash = codeDirectoryHash.flatMap { CodeDirectoryHash($0) }
        return .only([validationCategory], versions: .oneOf([bundleVersion]), builds: hash.map { .oneOf([$0]) } ?? .any)
    }

    private var systemPolicy: SystemPolicy {
        let version = SystemVersion(ascii: system.version.utf8)
        return SystemPolicy(
            minimumVersion: version, minimumMacOSVersion: version, acceptsPrereleases: system.releaseType != nil)
    }
}
