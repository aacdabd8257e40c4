/// Which launch information is accepted, on an attestation and on every assertion.
///
/// iOS 26 and earlier send none, so a policy also says what its absence means. Malformed information is refused under
/// every policy.
public struct LaunchPolicy: Sendable {
    /// Which bundle versions are accepted.
    public enum Versions: Sendable {
        /// Any, and none: the version is not looked at.
        case any
        /// This one and later ones, by ``BundleVersion/isAtLeast(_:)``.
        case atLeast(BundleVersion)
        /// Exactly these, byte for byte.
        case oneOf([BundleVersion])
        /// Those for which the caller's function returns `true`. It is called once per verification.
        case matching(@Sendable (BundleVersion) -> Bool)

        func accept(_ version: BundleVersion) -> Bool {
            switch self {
            case .any: true
            case .atLeast(let minimum): version.isAtLeast(minimum)
            case .oneOf(let versions): versions.contains(version)
            case .matching(let accepts): accepts(version)
            }
        }
    }

    /// Which builds are accepted.
    public enum Builds: Sendable {
        /// Any, and none: the hash is not looked at.
        case any
        /// Exactly these. Hashes are compared as a whole; `acceptsTruncated`: where the device's or the listed one has 20 bytes, those.
        case oneOf([CodeDirectoryHash], acceptsTruncated: Bool = false)
        /// Those for which the caller's function returns `true`: for lists that live elsewhere. It is called once per verification, also with
        /// truncated hashes and those of other types: compare whole values.
        case matching(@Sendable (CodeDirectoryHash) -> Bool)

        func accept(_ hash: CodeDirectoryHash) -> Bool {
            switch self {
            case .any: true
            case .oneOf(let hashes, let acceptsTruncated):
                hashes.contains { $0.matches(hash, acceptsTruncated: acceptsTruncated) }
            case .matching(let accepts): accepts(hash)
            }
        }
    }

    private enum Categories: Sendable {
        /// The caller looks at what is reported.
        case reported
        /// Every one that an app can have.
        case any
        case named([ValidationCategory])
    }

    private let categories: Categories
    let versions: Versions
    let builds: Builds
    private let acceptsMissing: Bool
    private var believesForgeable = false

    private init(categories: [ValidationCategory]?, versions: Versions, builds: Builds, acceptsMissing: Bool) {
        self.init(
            categories: categories.map { .named($0) } ?? .any, versions: versions, builds: builds,
            acceptsMissing: acceptsMissing)
    }

    private init(categories: Categories, versions: Versions, builds: Builds, acceptsMissing: Bool) {
        self.categories = categories
        self.versions = versions
        self.builds = builds
        self.acceptsMissing = acceptsMissing
    }

    /// Accepts anything that is well-formed, and nothing at all: the caller looks at what is reported.
    public static let reportOnly = LaunchPolicy(
        categories: .reported, versions: .any, builds: .any, acceptsMissing: true)

    /// Only these categories, bundle versions and builds. Devices before iOS 27 are refused, and apps that were built with an older SDK.
    ///
    /// `categories: nil` stands for every category, numbers without a name included, but for those that no app should have: 0
    /// ("invalid"), 7, 8 and 9; and but for ``ValidationCategory/development`` of a Mac app in production, where the environment
    /// does not keep development builds out. Each of these is accepted only by a list that names it.
    public static func only(
        _ categories: [ValidationCategory]?, versions: Versions = .any, builds: Builds = .any
    ) -> LaunchPolicy {
        LaunchPolicy(categories: categories, versions: versions, builds: builds, acceptsMissing: false)
    }

    /// Only these builds, and categories and versions as ``reportOnly`` has them: for tools, whose users read what is reported.
    package static func reportOnly(builds: Builds) -> LaunchPolicy {
        LaunchPolicy(categories: .reported, versions: .any, builds: builds, acceptsMissing: false)
    }

    /// Only these categories, bundle versions and builds, as with ``only(_:versions:builds:)``, but a device that does not say which is
    /// accepted too.
    public static func onlyOrMissing(
        _ categories: [ValidationCategory]?, versions: Versions = .any, builds: Builds = .any
    ) -> LaunchPolicy {
        LaunchPolicy(categories: categories, versions: versions, builds: builds, acceptsMissing: true)
    }

    /// The same policy, which takes ``VerifiedAttestation/unverifiedLaunchInformation`` for the system's word.
    ///
    /// **An app can forge it**: whoever runs a changed app on a system before 27, or one that was built with an older SDK on a
    /// later system, writes any category and version there, on a genuine device with genuine signatures. Without this option
    /// such information counts as absent. It is for servers that meet betas of iOS 27 and macOS 27, which sent the system's
    /// information in the same way, and that lose nothing to a forger by accepting them.
    public func believingForgeableInformation() -> LaunchPolicy {
        var policy = self
        policy.believesForgeable = true
        return policy
    }

    /// The information that counts. Rule A1: what the system shows to have written.
    func information(in data: AuthenticatorData) -> LaunchInformation {
        if believesForgeable, let forgeable = data.unverifiedLaunchInformation { return forgeable }
        return data.launchInformation
    }

    /// Attestation step 10, assertion step 7.
    func checkCategory(
        of information: LaunchInformation, app: AppID, environment: Environment
    ) throws(PureAttestError) {
        if case .reported = categories { return }
        guard let category = information.validationCategory else {
            guard acceptsMissing else { throw .validationCategoryNotAllowed(nil) }
            return
        }
        let isAllowed =
            if case .named(let categories) = categories {
                categories.contains(category)
            } else {
                !category.isUnfit(for: app, in: environment)
            }
        guard isAllowed else { throw .validationCategoryNotAllowed(category) }
    }

    /// Attestation step 11, assertion step 8.
    func checkVersion(of information: LaunchInformation) throws(PureAttestError) {
        guard let version = information.bundleVersion else {
            if case .any = versions { return }
            guard acceptsMissing else { throw .bundleVersionNotAllowed(nil) }
            return
        }
        guard versions.accept(version) else { throw .bundleVersionNotAllowed(version) }
    }

    /// Rule A6: the build is an accepted one. Apple's lists of steps do not have it.
    func checkBuild(of information: LaunchInformation) throws(PureAttestError) {
        if case .any = builds { return }
        guard let hash = information.codeDirectoryHash else {
            guard acceptsMissing else { throw .codeDirectoryHashNotAllowed(nil) }
            return
        }
        guard builds.accept(hash) else { throw .codeDirectoryHashNotAllowed(hash) }
    }
}

extension ValidationCategory {
    /// Rule A4: whether only a list that names this category accepts it.
    fileprivate func isUnfit(for app: AppID, in environment: Environment) -> Bool {
        switch rawValue {
        // "Invalid" and three that Apple's launch constraints give no name.
        case 0, 7...9: true
        // The AAGUID of a Mac says "production" for development builds too.
        case Self.development.rawValue: app.platform == .macOS && environment == .production
        default: false
        }
    }
}
