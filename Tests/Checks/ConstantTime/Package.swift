// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ConstantTime",
    platforms: [.macOS("26.0")],
    // Without the name, a clone in a folder with a different name would not build.
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
