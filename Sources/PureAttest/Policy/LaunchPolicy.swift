/// A policy for launch information. It applies to attestations and to every assertion.
///
/// Systems before 27 send no launch information, so a policy also decides about missing information. Every policy
/// rejects malformed information.
public struct LaunchPolicy: Sendable {
    /// The accepted bundle versions.
    public enum Versions: Sendable {
        /// Does not check the version. Also accepts objects without a version.
        case any
        /// Accepts this version and later versions, as ``BundleVersion/isAtLeast(_:)`` compares them.
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
        /// Does not check the build. Also accepts objects without a build hash.
        case any
        /// Accepts exactly these builds. Compares whole hashes. However, if `acceptsTruncated` is `true` and either
        /// hash is 20 bytes long, compares only the first 20 bytes.
        case oneOf([CodeDirectoryHash], acceptsTruncated: Bool = false)
        /// Accepts builds for which the caller's function returns `true`. Use this case for a list that is kept outside
        /// the policy. Each verification calls the function once. The function also receives truncated hashes and
        /// hashes of other types, so it must compare whole ``CodeDirectoryHash`` values.
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
        /// Does not check the category. The caller reads the reported category.
        case reported
        /// Accepts these categories; `nil` accepts every category that an app can have.
        case only([ValidationCategory]?)
    }

    private let categories: Categories
    let versions: Versions
    let builds: Builds
    private let acceptsMissing: Bool
    private var believesForgeable = false

    /// Accepts any well-formed information and missing information. The caller checks the reported values.
    public static let reportOnly = LaunchPolicy(
        categories: .reported, versions: .any, builds: .any, acceptsMissing: true)

    /// Accepts only these categories, bundle versions and builds. Devices before iOS 27 and apps that were built with
    /// an older SDK send no launch information, so this policy rejects them.
    ///
    /// `categories: nil` accepts every category, including numbers without a name, except for these categories:
    ///
    /// - 0 ("invalid"), 7, 8 and 9, which no app should have.
    /// - ``ValidationCategory/development`` for a Mac app in production, because development builds of Mac apps also
    ///   attest in the production environment.
    ///
    /// To accept one of these categories, name it in `categories`.
    public static func only(
        _ categories: [ValidationCategory]?, versions: Versions = .any, builds: Builds = .any
    ) -> LaunchPolicy {
        LaunchPolicy(categories: .only(categories), versions: versions, builds: builds, acceptsMissing: false)
    }

    /// Checks only the builds. This policy is for tools whose users read the reported category and version.
    package static func reportOnly(builds: Builds) -> LaunchPolicy {
        LaunchPolicy(categories: .reported, versions: .any, builds: builds, acceptsMissing: false)
    }

    /// Works like ``only(_:versions:builds:)``, but also accepts objects in which these values are missing.
    public static func onlyOrMissing(
        _ categories: [ValidationCategory]?, versions: Versions = .any, builds: Builds = .any
    ) -> LaunchPolicy {
        LaunchPolicy(categories: .only(categories), versions: versions, builds: builds, acceptsMissing: true)
    }

    /// Returns a policy that also trusts ``VerifiedAttestation/unverifiedLaunchInformation``.
    ///
    /// **An app can forge this information**: it can claim any category and version, on a genuine device and with
    /// genuine signatures. The attack needs a modified app on a system before 27, or a modified app built with an older
    /// SDK on a later system. Without this option, the policy treats this information as missing.
    ///
    /// Betas of iOS 27 and macOS 27 sent the system's information in this form. Use this option only on servers that
    /// receive objects from these betas and for which an accepted forgery does no harm.
    public func believingForgeableInformation() -> LaunchPolicy {
        var policy = self
        policy.believesForgeable = true
        return policy
    }

    /// Rule A1: returns the information that the system provably wrote. If the policy trusts forgeable information and
    /// the object contains some, the method returns the forgeable information instead.
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
            if case .only(let categories?) = categories {
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

    /// Rule A6: checks that the policy accepts the build. None of Apple's steps checks the build.
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
        // 0 means "invalid". Apple's launch constraints do not name 7, 8 and 9.
        case 0, 7...9: true
        // A Mac's AAGUID names the production environment even for development builds.
        case Self.development.rawValue: app.platform == .macOS && environment == .production
        default: false
        }
    }
}
