// swift-tools-version: 5.9
import PackageDescription

// Apps copy this package, so it supports older Swift tools and systems, and has no dependencies. Tests:
// Tests/ClientTests.
let package = Package(
    name: "PureAttestClient",
    // The systems with DCAppAttestService.
    platforms: [.iOS(.v14), .macOS(.v11), .macCatalyst(.v14), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "PureAttestClient", targets: ["PureAttestClient"])],
    targets: [
        .target(name: "PureAttestClient", swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
    ]
)
