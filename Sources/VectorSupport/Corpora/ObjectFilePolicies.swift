package import PureAttest

/// The server's policies in an object file of a virtual device (`Vectors/README.md`, "Files of virtual devices").
package struct ObjectFilePolicies: Decodable, Sendable {
    /// The policies for steps 10 and 11, and for the build.
    package struct Launch: Decodable, Sendable {
        let validationCategories: [UInt32]?
        let bundleVersions: [String]?
        let codeDirectoryHashes: [Data]?
    }

    /// The required system values in the leaf certificate.
    package struct System: Decodable, Sendable {
        let minimumVersion: String?
        let minimumMacOSVersion: String?
        let acceptsPrereleases: Bool?
    }

    /// The maximum ages in seconds, and the maximum counter step.
    package struct Age: Decodable, Sendable {
        let maximumAttestationAge: UInt32?
        let maximumKeyAge: UInt32?
        let maximumCounterStep: UInt32?
    }

    let launchPolicy: Launch?
    let systemPolicy: System?
    let agePolicy: Age?

    /// Creates policies from members that the caller decoded. An absent member sets no requirement.
    package init(launchPolicy: Launch? = nil, systemPolicy: System? = nil, agePolicy: Age? = nil) {
        self.launchPolicy = launchPolicy
        self.systemPolicy = systemPolicy
        self.agePolicy = agePolicy
    }

    /// Returns the app with these policies. Returns `nil` if a policy is unreadable, because an unreadable policy must
    /// not be treated as an absent policy.
    package func acceptedApp(_ app: AppID) -> AcceptedApp? {
        guard let launch = launch(), let system = system() else { return nil }
        let age = AgePolicy(
            maximumAttestationAge: agePolicy?.maximumAttestationAge, maximumKeyAge: agePolicy?.maximumKeyAge,
            maximumCounterStep: agePolicy?.maximumCounterStep)
        return AcceptedApp(app, launchPolicy: launch, systemPolicy: system, agePolicy: age)
    }

    private func launch() -> LaunchPolicy? {
        guard let launchPolicy else { return .reportOnly }
        var versions = LaunchPolicy.Versions.any
        if let texts = launchPolicy.bundleVersions {
            versions = .oneOf(texts.map { BundleVersion(utf8: $0.utf8) })
        }
        var builds = LaunchPolicy.Builds.any
        if let hashes = launchPolicy.codeDirectoryHashes {
            let listed = hashes.compactMap { CodeDirectoryHash($0) }
            guard listed.count == hashes.count else { return nil }
            builds = .oneOf(listed)
        }
        let categories = launchPolicy.validationCategories.map { $0.map(ValidationCategory.init(rawValue:)) }
        return .only(categories, versions: versions, builds: builds)
    }

    private func system() -> SystemPolicy? {
        func version(_ text: String?) -> SystemVersion?? {
            guard let text else { return .some(nil) }
            return SystemVersion(ascii: text.utf8).map { .some($0) }
        }
        guard let minimum = version(systemPolicy?.minimumVersion),
            let minimumMacOS = version(systemPolicy?.minimumMacOSVersion)
        else { return nil }
        return SystemPolicy(
            minimumVersion: minimum, minimumMacOSVersion: minimumMacOS,
            acceptsPrereleases: systemPolicy?.acceptsPrereleases ?? true)
    }
}
