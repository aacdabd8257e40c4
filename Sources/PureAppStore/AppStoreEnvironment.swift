/// The environment of a purchase. A verifier for one environment never accepts data of a different environment.
public enum AppStoreEnvironment: Hashable, Sendable, CaseIterable {
    /// The App Store.
    case production
    /// Apple's sandbox: test purchases, TestFlight, App Review.
    case sandbox
    /// StoreKit Testing in Xcode. A key on the developer's Mac signs the data.
    case xcode
    /// StoreKit Testing without Xcode's key.
    case localTesting

    /// Whether a key on a developer's Mac signs the data, instead of the App Store's key.
    package var isLocal: Bool { self == .xcode || self == .localTesting }

    /// The name in signed data.
    var name: StaticString {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .xcode: "Xcode"
        case .localTesting: "LocalTesting"
        }
    }
}
