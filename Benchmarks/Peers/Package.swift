// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // This setting makes warnings errors. The command-line option would also apply to the dependencies.
    .treatAllWarnings(as: .error),
]

func pure(_ module: String) -> Target.Dependency { .product(name: module, package: "PureAttest") }

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")

let package = Package(
    name: "Peers",
    platforms: [.macOS("26.0")],
    dependencies: [
        // The explicit name lets the package build even if the folder of the clone has a different name. compare.py
        // builds this package with and without the trait.
        .package(
            name: "PureAttest", path: "../..",
            traits: Context.environment["PUREATTEST_EXTENSIONS"] == nil ? [] : ["ProcessorExtensions"]),
        // The versions are exact, because these packages are the ones measured.
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    ],
    targets: [
        .target(
            name: "CertificatesAttest",
            dependencies: [
                crypto, .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "peers",
            dependencies: [
                "CertificatesAttest", crypto, .product(name: "CryptoExtras", package: "swift-crypto"), pure("PureRSA"),
                pure("PureAppStore"), pure("PureAttest"), pure("PureAttestServer"), pure("PureAttestTesting"),
                pure("PureDER"),
                pure("PureECDSA"), pure("PureSHA2"), pure("PureBytes"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
