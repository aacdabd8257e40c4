/// A policy for the operating system that Apple certified when the key was attested (``SystemInformation``).
///
/// For an assertion, the policy checks the system in the key's record, which only a new attestation updates.
public struct SystemPolicy: Sendable {
    /// The accepted builds.
    public enum Builds: Sendable {
        /// Accepts any build, even if the build is unknown.
        case any
        /// Accepts exactly these builds, byte for byte.
        case oneOf([SystemBuild])
        /// Accepts builds for which the caller's function returns `true`.
        case matching(@Sendable (SystemBuild) -> Bool)

        func accept(_ build: SystemBuild) -> Bool {
            switch self {
            case .any: true
            case .oneOf(let builds): builds.contains(build)
            case .matching(let accepts): accepts(build)
            }
        }
    }

    /// The minimum version of a device's operating system. `nil` accepts any version.
    public var minimumVersion: SystemVersion?
    /// The minimum version of macOS. `nil` accepts any version.
    public var minimumMacOSVersion: SystemVersion?
    /// The accepted builds.
    public var builds: Builds
    /// Whether prereleases are accepted. The leaf of a prerelease states its release kind, except on betas before iOS
    /// 18. To reject the betas before iOS 18 too, set a minimum version.
    public var acceptsPrereleases: Bool
    /// Whether a leaf or key record is accepted if it lacks a value that the policy needs.
    public var acceptsUnknown: Bool

    /// Accepts every system.
    public static let any = SystemPolicy()

    /// Creates a policy. An omitted parameter adds no restriction.
    public init(
        minimumVersion: SystemVersion? = nil, minimumMacOSVersion: SystemVersion? = nil, builds: Builds = .any,
        acceptsPrereleases: Bool = true, acceptsUnknown: Bool = false
    ) {
        self.minimumVersion = minimumVersion
        self.minimumMacOSVersion = minimumMacOSVersion
        self.builds = builds
        self.acceptsPrereleases = acceptsPrereleases
        self.acceptsUnknown = acceptsUnknown
    }

    /// Rule A7: checks that the policy accepts the system.
    func check(_ system: SystemInformation, on platform: AppID.Platform) throws(PureAttestError) {
        if let minimum = platform == .macOS ? minimumMacOSVersion : minimumVersion {
            guard system.version.map({ $0 >= minimum }) ?? acceptsUnknown else {
                throw .systemVersionNotAllowed(system.version)
            }
        }
        guard accepts(system.build) else { throw .systemBuildNotAllowed(system.build) }
        guard !acceptsPrereleases else { return }
        guard system.releaseTypeASCII == nil else { throw .prereleaseNotAllowed }
        // Every genuine leaf has a version. If the version is missing, the release kind is unknown too.
        guard system.version != nil || acceptsUnknown else { throw .systemVersionNotAllowed(nil) }
    }

    private func accepts(_ build: SystemBuild?) -> Bool {
        if let build { return builds.accept(build) }
        if case .any = builds { return true }
        return acceptsUnknown
    }
}
