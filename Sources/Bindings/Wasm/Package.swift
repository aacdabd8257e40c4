// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "PureAttestEmbedded",
    platforms: [.macOS("26.0")],
    products: [.library(name: "PureAttestC", type: .dynamic, targets: ["Interface"])],
    dependencies: [
        .package(name: "PureAttest", path: "../../..")
    ],
    targets: [
        // Provides memory allocation on wasm32, which has no C library. Empty on other platforms.
        .target(
            name: "Runtime",
            swiftSettings: settings + [.enableExperimentalFeature("BuiltinModule")]),
        // The functions that WebAssembly and C callers use, as declared in `../C/include/pure_attest.h`.
        .target(
            name: "Interface",
            dependencies: [
                "Runtime",
                .product(name: "PureSHA2", package: "PureAttest"),
                .product(name: "PureDER", package: "PureAttest"),
                .product(name: "PureECDSA", package: "PureAttest"),
                .product(name: "PureX509", package: "PureAttest"),
                .product(name: "PureAttest", package: "PureAttest"),
            ],
            swiftSettings: settings),
        // Only for tests; no shipped module contains this target.
        .target(
            name: "AndroidInterface",
            dependencies: [
                "Runtime", .product(name: "PureRSA", package: "PureAttest"),
                .product(name: "PureKeyAttestation", package: "PureAttest"),
            ],
            swiftSettings: settings),
        // Passes decisions as messages. A JavaScript shell performs the I/O.
        .target(
            name: "MessagesInterface",
            dependencies: ["Interface", .product(name: "PureAttestServerMessages", package: "PureAttest")],
            swiftSettings: settings),
        // The relying party.
        .target(
            name: "RelyingPartyInterface",
            dependencies: [
                "Interface", "MessagesInterface",
                .product(name: "PureAttestServerMessages", package: "PureAttest"),
                .product(name: "PureAttest", package: "PureAttest"),
            ],
            swiftSettings: settings),
        // Purchases.
        .target(
            name: "PurchasesInterface",
            dependencies: [
                "Interface", "MessagesInterface",
                .product(name: "PureAttestPurchasesMessages", package: "PureAttest"),
                .product(name: "PureAttestServerMessages", package: "PureAttest"),
            ],
            swiftSettings: settings),
        .executableTarget(name: "PureAttestWasm", dependencies: ["Interface"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
