// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let attest: Target.Dependency = .product(name: "PureAttest", package: "PureAttest")

let package = Package(
    name: "PureAttestBareMetal",
    platforms: [.macOS("26.0")],
    dependencies: [
        .package(name: "PureAttest", path: "../../..")
    ],
    targets: [
        // Replaces a C library and an operating system: start, memory, text output.
        .target(
            name: "Runtime",
            swiftSettings: settings + [.enableExperimentalFeature("Volatile"), .enableExperimentalFeature("Extern")]),
        .target(name: "AssertionCheck", dependencies: ["Runtime", attest], swiftSettings: settings),
        .executableTarget(
            name: "FullImage", dependencies: ["AssertionCheck", "Runtime", attest], swiftSettings: settings),
        .executableTarget(
            name: "AssertionImage", dependencies: ["AssertionCheck", "Runtime"], swiftSettings: settings),
        // Separate, so that it adds nothing to the other images.
        .executableTarget(name: "SelfTestImage", dependencies: ["Runtime", attest], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
