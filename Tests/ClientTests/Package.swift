// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ClientTests",
    platforms: [.macOS("26.0")],
    dependencies: [
        // The explicit name lets the package build in a clone whose folder has a different name.
        .package(name: "PureAttest", path: "../.."),
        .package(path: "../../Sources/Apps/Client"),
    ],
    targets: [
        .testTarget(
            name: "ClientTests",
            dependencies: [
                .product(name: "PureAttestClient", package: "Client"),
                .product(name: "PureAttest", package: "PureAttest"),
                .product(name: "PureAttestServer", package: "PureAttest"),
                .product(name: "PureAttestTesting", package: "PureAttest"),
                .product(name: "PureSHA2", package: "PureAttest"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
