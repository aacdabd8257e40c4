// swift-tools-version: 6.3
import PackageDescription

/// The path of a checkout of Apple's App Store Server Library for Swift. The library needs its own package, because it
/// pins a different major version of swift-crypto than the other peers.
let library = Context.environment["PUREATTEST_APPLE_LIBRARY"] ?? ""

let package = Package(
    name: "AppStorePeer",
    platforms: [.macOS("26.0")],
    dependencies: [.package(name: "AppStoreServerLibrary", path: library)],
    targets: [
        .executableTarget(
            name: "app-store-peer",
            dependencies: [.product(name: "AppStoreServerLibrary", package: "AppStoreServerLibrary")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
