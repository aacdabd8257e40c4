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

    /// Accepted categories; `nil`: any.
    private let categories: [ValidationCategory]?
    private let versions: Versions
    private let acceptsMissing: Bool

    private init(categories: [ValidationCategory]?, versions: Versions, acceptsMissing: Bool) {
        self.categories = categories
        self.versions = versions
        self.acceptsMissing = acceptsMissing
    }

    /// Accepts anything that is well-formed, and nothing at all: the caller looks at what is reported.
    public static let reportOnly = LaunchPolicy(categories: nil, versions: .any, acceptsMissing: true)

    /// Only these categories and bundle versions. Devices before iOS 27 are refused. `categories: nil` stands for every
    /// category, numbers without a name included.
    public static func only(_ categories: [ValidationCategory]?, versions: Versions = .any) -> LaunchPolicy {
        LaunchPolicy(categories: categories, versions: versions, acceptsMissing: false)
    }

    /// Only these categories and bundle versions, but a device that does not say which is accepted too.
    public static func onlyOrMissing(_ categories: [ValidationCategory]?, versions: Versions = .any) -> LaunchPolicy {
        LaunchPolicy(categories: categories, versions: versions, acceptsMissing: true)
    }

    func checkCategory(of information: LaunchInformation) throws(PureAttestError) {
        guard let category = information.validationCategory else {
            guard acceptsMissing else { throw .validationCategoryNotAllowed(nil) }
            return
        }
        guard categories?.contains(category) ?? true else { throw .validationCategoryNotAllowed(category) }
    }

    func checkVersion(of information: LaunchInformation) throws(PureAttestError) {
        guard let version = information.bundleVersion else {
            if case .any = versions { return }
            guard acceptsMissing else { throw .bundleVersionNotAllowed(nil) }
            return
        }
        guard versions.accept(version) else { throw .bundleVersionNotAllowed(version) }
    }
}
