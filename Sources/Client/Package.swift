// swift-tools-version: 5.9
import PackageDescription

// For apps: older tools, older systems and no dependency, so that it can be copied into any. Its tests are in Tests/ClientTests.
let package = Package(
    name: "PureAttestClient",
    // Where DCAppAttestService exists.
    platforms: [.iOS(.v14), .macOS(.v11), .macCatalyst(.v14), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "PureAttestClient", targets: ["PureAttestClient"])],
    targets: [
        .target(name: "PureAttestClient", swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
    ]
)
