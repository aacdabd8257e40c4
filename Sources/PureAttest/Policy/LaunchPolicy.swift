/// A policy for launch information, on an attestation and on every assertion.
///
/// iOS 26 and earlier send no launch information, so a policy also decides about missing information. Every policy
/// rejects malformed information.
public struct LaunchPolicy: Sendable {
    /// The accepted bundle versions.
    public enum Versions: Sendable {
        /// Does not check the version: accepts any version, or no version.
        case any
        /// Accepts this version and later versions, by ``BundleVersion/isAtLeast(_:)``.
        case atLeast(BundleVersion)
        /// Accepts exactly these versions, byte for byte.
        case oneOf([BundleVersion])
        /// Accepts versions for which the caller's function returns `true`. Each verification calls the function once.
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

    /// The accepted builds.
    public enum Builds: Sendable {
        /// Does not check the hash: accepts any build, or no build.
        case any
        /// Accepts exactly these builds, comparing whole hashes. If `acceptsTruncated` is set and either hash has 20
        /// bytes, only the first 20 are compared.
        case oneOf([CodeDirectoryHash], acceptsTruncated: Bool = false)
        /// Accepts builds for which the caller's function returns `true`, for lists kept elsewhere. Each verification
        /// calls it once. It also receives truncated hashes and hashes of other types, so compare whole values.
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
        /// Not checked: the caller reads the reported category.
        case reported
        /// Every category that an app can have.
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

    /// Accepts any well-formed information and missing information. The caller checks the reported values.
    public static let reportOnly = LaunchPolicy(
        categories: .reported, versions: .any, builds: .any, acceptsMissing: true)

    /// Accepts only these categories, bundle versions and builds. Rejects devices before iOS 27, and apps that were
    /// built with an older SDK.
    ///
    /// `categories: nil` accepts every category, including numbers without a name, with these exceptions:
    ///
    /// - 0 ("invalid"), 7, 8 and 9, which no app should have.
    /// - ``ValidationCategory/development`` of a Mac app in production, because the environment does not exclude it.
    ///
    /// To accept one of these categories, name it in `categories`.
    public static func only(
        _ categories: [ValidationCategory]?, versions: Versions = .any, builds: Builds = .any
    ) -> LaunchPolicy {
        LaunchPolicy(categories: categories, versions: versions, builds: builds, acceptsMissing: false)
    }

    /// Accepts any category and version, but only these builds. For tools whose users read the reported values.
    package static func reportOnly(builds: Builds) -> LaunchPolicy {
        LaunchPolicy(categories: .reported, versions: .any, builds: builds, acceptsMissing: false)
    }

    /// Like ``only(_:versions:builds:)``, but also accepts devices that do not report these values.
    public static func onlyOrMissing(
        _ categories: [ValidationCategory]?, versions: Versions = .any, builds: Builds = .any
    ) -> LaunchPolicy {
        LaunchPolicy(categories: categories, versions: versions, builds: builds, acceptsMissing: true)
    }

    /// Returns a policy that also trusts ``VerifiedAttestation/unverifiedLaunchInformation``.
    ///
    /// **An app can forge this information**: any category and version, on a genuine device with genuine signatures.
    /// The attacker needs a modified app on a system before 27, or a modified app built with an older SDK on a later
    /// system. Without this option, this information is treated as missing.
    ///
    /// Betas of iOS 27 and macOS 27 sent the system's information in this form. Use this option only on servers that
    /// receive objects from these betas and lose nothing by accepting a forgery.
    public func believingForgeableInformation() -> LaunchPolicy {
        var policy = self
        policy.believesForgeable = true
        return policy
    }

    /// Rule A1: returns the information that the system provably wrote, or, if trusted, the forgeable information.
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

    /// Rule A6: checks that the build is accepted. Apple has no such step.
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
    /// Rule A4: whether a policy must name this category to accept it.
    fileprivate func isUnfit(for app: AppID, in environment: Environment) -> Bool {
        switch rawValue {
        // "Invalid" and three numbers that Apple's launch constraints do not name.
        case 0, 7...9: true
        // The AAGUID of a Mac says "production" for development builds too.
        case Self.development.rawValue: app.platform == .macOS && environment == .production
        default: false
        }
    }
}
