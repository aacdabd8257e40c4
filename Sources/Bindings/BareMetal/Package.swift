// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let attest: Target.Dependency = .product(name: "PureAttest", package: "PureAttest")

// SwiftPM passes this name as `-package-name` for PureAttest: the name of PureAttest's folder, converted to an
// identifier. Only code that is compiled with this package name may trust test anchors.
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
        // Replaces the C library and the operating system: provides start-up, memory and text output.
        .target(
            name: "Runtime",
            swiftSettings: settings + [.enableExperimentalFeature("Volatile"), .enableExperimentalFeature("Extern")]),
        .target(name: "AssertionCheck", dependencies: ["Runtime", attest], swiftSettings: settings),
        .executableTarget(
            name: "FullImage", dependencies: ["AssertionCheck", "Runtime", attest], swiftSettings: settings),
        .executableTarget(
            name: "AssertionImage", dependencies: ["AssertionCheck", "Runtime"], swiftSettings: settings),
        // The self-test has a separate image, so that it does not enlarge the other images.
        .executableTarget(name: "SelfTestImage", dependencies: ["Runtime", attest], swiftSettings: settings),
        // Verifies the test vectors of vectors.py. `Refusal.swift` is a symbolic link to the file in ../Wasm.
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
