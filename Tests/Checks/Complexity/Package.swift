// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Complexity",
    platforms: [.macOS("26.0")],
    // With the explicit name, this package also builds if the repository's folder is not named PureAttest.
    dependencies: [.package(name: "PureAttest", path: "../../..")],
    targets: [
        .executableTarget(
            name: "probe",
            dependencies: [
                "PureAppStore", "PureAttest", "PureAttestPurchasesCore", "PureAttestServer", "PureBytes", "PureCBOR",
                "PureDER", "PureECDSA",
                "PureJSON", "PureJWS", "PureKeyAttestation", "PureX509", "PureX509Paths",
            ].map {
                .product(name: $0, package: "PureAttest")
            })
    ],
    swiftLanguageModes: [.v6]
)
