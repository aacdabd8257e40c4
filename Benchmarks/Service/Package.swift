// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Here and not on the command line, where it would count for other people's packages.
    .treatAllWarnings(as: .error),
]

let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

func pure(_ module: String) -> Target.Dependency { .product(name: module, package: "PureAttest") }

let package = Package(
    name: "Service",
    platforms: [.macOS("26.0")],
    dependencies: [
        // With the name, a clone in a folder of any name will do.
        .package(name: "PureAttest", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "SQLiteStore", dependencies: [grdb, pure("PureAttestServer"), pure("PureAttest")],
            swiftSettings: settings),
        .target(
            name: "AttestService",
            dependencies: [hummingbird, pure("PureAttestServer"), pure("PureAttest"), pure("PureBytes")],
            swiftSettings: settings),
        .executableTarget(
            name: "attest-service",
            dependencies: [
                "AttestService", "SQLiteStore", hummingbird, pure("PureAttestServer"), pure("PureAttest"),
                pure("PureAttestTesting"), pure("PureBytes"),
            ],
            swiftSettings: settings),
        .target(
            name: "ServiceClient",
            dependencies: [pure("PureAttest"), pure("PureAttestTesting"), pure("PureSHA2"), pure("PureBytes")],
            swiftSettings: settings),
        .executableTarget(
            name: "attest-load", dependencies: ["ServiceClient", pure("PureAttest"), pure("PureAttestTesting")],
            swiftSettings: settings),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "SQLiteStore", "ServiceClient", "attest-service", grdb, pure("PureAttestServer"),
                pure("PureAttestStoreTesting"), pure("PureAttestTesting"), pure("PureAttest"), pure("PureSHA2"),
                pure("PureBytes"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
