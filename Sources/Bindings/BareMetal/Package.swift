// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let attest: Target.Dependency = .product(name: "PureAttest", package: "PureAttest")

// The name that SwiftPM gives to PureAttest in `-package-name`: its folder's, as an identifier. A target compiled under
// that name may trust test anchors.
let folder = Context.packageDirectory.split(separator: "/").dropLast(3).last ?? ""
let packageName = folder.lowercased().reduce(into: "") {
    let isAllowed = $1.isASCII && ($1.isLetter || $1.isNumber && !$0.isEmpty)
    $0.append(isAllowed ? $1 : "_")
}

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
        // Judges the vectors of vectors.py. Its file of reasons is a link to the file of the WebAssembly interface.
        .executableTarget(
            name: "VectorImage",
            dependencies: [
                "Runtime", attest, .product(name: "PureECDSA", package: "PureAttest"),
                .product(name: "PureSHA2", package: "PureAttest"), .product(name: "PureX509", package: "PureAttest"),
            ],
            packageAccess: false, swiftSettings: settings + [.unsafeFlags(["-package-name", packageName])]),
    ],
    swiftLanguageModes: [.v6]
)
