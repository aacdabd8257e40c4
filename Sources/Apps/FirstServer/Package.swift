// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "FirstServer",
    platforms: [.macOS("26.0")],
    dependencies: [
        .package(name: "PureAttest", path: "../../.."),
        // SQLiteStore, PostgreSQLStore and AttestMiddleware.
        .package(name: "Service", path: "../Service"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Server",
            dependencies: [
                .product(name: "PureAttestServer", package: "PureAttest"),
                .product(name: "SQLiteStore", package: "Service"),
                .product(name: "AttestMiddleware", package: "Service"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Server",
                .product(name: "PureAttestTesting", package: "PureAttest"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
    ]
)
