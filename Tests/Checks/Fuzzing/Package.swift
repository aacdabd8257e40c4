// swift-tools-version: 6.3
import PackageDescription

/// Build this package with `run.sh`. Without its sanitizer options, the program has no `main`.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS("26.0")],
    // With the explicit name, this package also builds if the repository's folder is not named PureAttest.
    dependencies: [.package(name: "PureAttest", path: "../../..")],
    targets: [
        .systemLibrary(name: "LibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "LibFuzzer",
                .product(name: "PureBytes", package: "PureAttest"),
                .product(name: "PureSHA2", package: "PureAttest"),
                .product(name: "PureDER", package: "PureAttest"),
                .product(name: "PureCBOR", package: "PureAttest"),
                .product(name: "PureECDSA", package: "PureAttest"),
                .product(name: "PureKeyAttestation", package: "PureAttest"),
                .product(name: "PureRSA", package: "PureAttest"),
                .product(name: "PureX509", package: "PureAttest"),
                .product(name: "PureX509Paths", package: "PureAttest"),
                .product(name: "PureAttest", package: "PureAttest"),
                .product(name: "PureAttestTesting", package: "PureAttest"),
                .product(name: "PureAttestServerCore", package: "PureAttest"),
                .product(name: "PureAttestPurchasesCore", package: "PureAttest"),
                .product(name: "PureAppStore", package: "PureAttest"),
                .product(name: "PureAppStoreTesting", package: "PureAttest"),
                .product(name: "PureJWS", package: "PureAttest"),
                .product(name: "PureJSON", package: "PureAttest"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
