// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ConstantTime",
    platforms: [.macOS("26.0")],
    // With the explicit name, this package also builds if the repository's folder is not named PureAttest.
    dependencies: [.package(name: "PureAttest", path: "../../..")],
    targets: [
        .executableTarget(
            name: "probe",
            dependencies: [
                .product(name: "PureBytes", package: "PureAttest"), .product(name: "PureSHA2", package: "PureAttest"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
