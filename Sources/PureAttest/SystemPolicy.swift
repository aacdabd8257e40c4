/// Which operating systems are accepted, by what Apple certified of them when the key was attested (``SystemInformation``).
///
/// An assertion is judged by the key's record: as of the attestation. A device that was updated since shows that by attesting a new key,
/// and nothing but a new attestation shows that it was not set back.
public struct SystemPolicy: Sendable {
    /// Which builds are accepted.
    public enum Builds: Sendable {
        /// Any, and unknown ones.
        case any
        /// Exactly these, byte for byte.
        case oneOf([SystemBuild])
        /// Those for which the caller's function returns `true`.
        case matching(@Sendable (SystemBuild) -> Bool)

        func accept(_ build: SystemBuild) -> Bool {
            switch self {
            case .any: true
            case .oneOf(let builds): builds.contains(build)
            case .matching(let accepts): accepts(build)
            }
        }
    }

    /// The first accepted version of a device's system; `nil`: any.
    public var minimumVersion: SystemVersion?
    /// The first accepted version of macOS; `nil`: any.
    public var minimumMacOSVersion: SystemVersion?
    /// The accepted builds.
    public var builds: Builds
    /// Whether systems are accepted that name a kind of release, as betas do. A leaf without the field is a release's, or one before iOS 18:
    /// a minimum version tells those apart.
    public var acceptsPrereleases: Bool
    /// What it means if the leaf, or the key's record, does not say what is asked for: `false`, it is refused.
    public var acceptsUnknown: Bool

    /// Every system.
    public static let any = SystemPolicy()

    /// A policy; what is not given does not restrict.
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

    /// Rule A7: the system is one that the app's policy accepts.
    func check(_ system: SystemInformation, on platform: AppID.Platform) throws(PureAttestError) {
        if let minimum = platform == .macOS ? minimumMacOSVersion : minimumVersion {
            guard system.version.map({ $0 >= minimum }) ?? acceptsUnknown else {
                throw .systemVersionNotAllowed(system.version)
            }
        }
        guard accepts(system.build) else { throw .systemBuildNotAllowed(system.build) }
        guard !acceptsPrereleases else { return }
        guard system.releaseTypeASCII == nil else { throw .prereleaseNotAllowed }
        // Every genuine leaf has a version: without one, nothing is known of the system, nor whether it is a release.
        guard system.version != nil || acceptsUnknown else { throw .systemVersionNotAllowed(nil) }
    }

    private func accepts(_ build: SystemBuild?) -> Bool {
        if let build { return builds.accept(build) }
        if case .any = builds { return true }
        return acceptsUnknown
    }
}
