// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Load",
    platforms: [.macOS("26.0")],
    dependencies: [
        .package(name: "PureAttest", path: "../.."),
        // From the package Service, SwiftPM builds only the client, which needs no web framework.
        .package(name: "Service", path: "../../Sources/Apps/Service"),
    ],
    targets: [
        .executableTarget(
            name: "attest-load",
            dependencies: [
                .product(name: "ServiceClient", package: "Service"),
                .product(name: "PureAttest", package: "PureAttest"),
                .product(name: "PureAttestTesting", package: "PureAttest"),
            ],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
