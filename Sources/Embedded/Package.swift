// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "PureAttestEmbedded",
    platforms: [.macOS("26.0")],
    dependencies: [
        .package(name: "PureAttest", path: "../..")
    ],
    targets: [
        .target(
            name: "Runtime",
            swiftSettings: settings + [.enableExperimentalFeature("BuiltinModule")]),
        .executableTarget(
            name: "PureAttestWasm",
            dependencies: [
                "Runtime",
                .product(name: "PureSHA2", package: "PureAttest"),
                .product(name: "PureDER", package: "PureAttest"),
                .product(name: "PureECDSA", package: "PureAttest"),
                .product(name: "PureAttest", package: "PureAttest"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
