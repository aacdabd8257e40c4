// swift-tools-version: 6.3
import PackageDescription

// The compiler silently ignores a misspelt feature name. For each feature below, the compiler was seen to reject code
// that violates it. Verify this before you add a feature.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// Returns a target whose sources tests and generators share. No product contains such a target.
func support(_ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: settings + more)
}

/// Names the trait that enables instructions that not every x86-64 processor has. A dependent package or a command
/// requests it: `.package(…, traits: ["ProcessorExtensions"])`, `swift build --traits ProcessorExtensions`.
///
/// Without the trait, the compiler gets no flags from `extended`, and PureSHA2Hardware and PureProcessor are empty. No
/// product then links PureSHA2Hardware, PureProcessor or PureECDSALanes.
///
/// Each flag lets the compiler use an extension of x86-64 in one module. Swift has no other way: without the flag, the
/// compiler cannot select the instructions, and reports an error. A processor without these instructions would stop the
/// program, so PureSHA2 and PureECDSA query the processor first. Library evolution keeps the compiler's module of
/// intrinsics out of all other modules, because its headers would replace libc's headers there.
let processorExtensions = "ProcessorExtensions"
#if arch(x86_64)
    func extended(_ name: String, _ flags: String...) -> Target {
        .target(
            name: name,
            swiftSettings: settings + [
                .unsafeFlags(
                    flags.flatMap { ["-Xcc", $0] } + ["-enable-library-evolution"],
                    .when(traits: [processorExtensions]))
            ])
    }
#else
    func extended(_ name: String, _ flags: String...) -> Target { .target(name: name, swiftSettings: settings) }
#endif

func ifExtended(_ name: String) -> Target.Dependency {
    .target(name: name, condition: .when(traits: [processorExtensions]))
}

// In release builds, the modules under test are optimised. Most test code is not, which shortens the build by a third.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(
    _ name: String, _ dependencies: [Target.Dependency], excluding exclude: [String] = [],
    _ settings: [SwiftSetting] = testSettings
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
        swiftSettings: settings)
}

let package = Package(
    name: "PureAttest",
    // The first systems whose standard library has Span, InlineArray and UInt128, so that no availability check is
    // needed.
    platforms: [.macOS("26.0"), .iOS("26.0"), .tvOS("26.0"), .watchOS("26.0"), .visionOS("26.0")],
    products: [
        .library(name: "PureBytes", targets: ["PureBytes"]),
        .library(name: "PureSHA2", targets: ["PureSHA2"]),
        .library(name: "PureDER", targets: ["PureDER"]),
        .library(name: "PureCBOR", targets: ["PureCBOR"]),
        .library(name: "PureJSON", targets: ["PureJSON"]),
        .library(name: "PureECDSA", targets: ["PureECDSA"]),
        .library(name: "PureRSA", targets: ["PureRSA"]),
        .library(name: "PureX509", targets: ["PureX509"]),
        .library(name: "PureX509Paths", targets: ["PureX509Paths"]),
        .library(name: "PureJWS", targets: ["PureJWS"]),
        .library(name: "PureSignedContent", targets: ["PureSignedContent"]),
        .library(name: "PureAttest", targets: ["PureAttest"]),
        .library(name: "PureKeyAttestation", targets: ["PureKeyAttestation"]),
        .library(name: "PureAppStore", targets: ["PureAppStore"]),
        .library(name: "PureAttestFoundation", targets: ["PureAttestFoundation"]),
        .library(name: "PureAttestTesting", targets: ["PureAttestTesting"]),
        .library(name: "PureAppStoreTesting", targets: ["PureAppStoreTesting"]),
        .library(name: "PureKeyAttestationTesting", targets: ["PureKeyAttestationTesting"]),
        .library(name: "PureAttestServerCore", targets: ["PureAttestServerCore"]),
        .library(name: "PureAttestServerMessages", targets: ["PureAttestServerMessages"]),
        .library(name: "PureAttestServer", targets: ["PureAttestServer"]),
        .library(name: "PureAttestStoreTesting", targets: ["PureAttestStoreTesting"]),
        .library(name: "PureAttestPurchasesCore", targets: ["PureAttestPurchasesCore"]),
        .library(name: "PureAttestPurchasesMessages", targets: ["PureAttestPurchasesMessages"]),
        .library(name: "PureAttestPurchases", targets: ["PureAttestPurchases"]),
        .executable(name: "pure-attest", targets: ["pure-attest"]),
    ],
    traits: [
        .trait(
            name: processorExtensions,
            description: """
                SHA-256 and batches of P-256 signatures by extensions of x86-64, where the processor has them. Needs \
                unsafe flags.
                """)
    ],
    targets: [
        module("PureBytes"),
        extended("PureSHA2Hardware", "-msha", "-mssse3"),
        extended("PureProcessor", "-mxsavec"),
        extended(
            "PureECDSALanes", "-mavx512f", "-mavx512ifma", "-mavx512vl", "-mavx512dq", "-mavx512bw", "-mbmi2"),
        module("PureSHA2", ["PureBytes", ifExtended("PureProcessor"), ifExtended("PureSHA2Hardware")]),
        module("PureDER", ["PureBytes"]),
        module("PureCBOR", ["PureBytes"]),
        module("PureJSON", ["PureBytes"]),
        module(
            "PureECDSA",
            ["PureSHA2", "PureDER", "PureBytes", ifExtended("PureProcessor"), ifExtended("PureECDSALanes")]),
        // The bytes that a device signs with its challenge. PureAttest and PureKeyAttestation share this module, and
        // neither depends on the other.
        module("PureSignedContent", ["PureSHA2", "PureBytes"]),
        // Verification only. PureAttest does not depend on this module.
        module("PureRSA", ["PureSHA2", "PureDER", "PureBytes"]),
        module("PureX509", ["PureECDSA", "PureSHA2", "PureDER", "PureBytes"]),
        // General certification paths (RFC 5280). Of the verifiers, only PureAppStore depends on this module.
        module("PureX509Paths", ["PureX509", "PureSHA2", "PureDER", "PureBytes"]),
        // Verifies JSON Web Signatures with certificates or keys. PureAttest does not depend on this module.
        module("PureJWS", ["PureJSON", "PureX509", "PureECDSA", "PureSHA2", "PureDER", "PureBytes"]),
        module(
            "PureAttest",
            ["PureSignedContent", "PureX509", "PureCBOR", "PureECDSA", "PureSHA2", "PureDER", "PureBytes"]),
        // Android Key Attestation. PureAttest does not depend on this module.
        module(
            "PureKeyAttestation",
            [
                "PureSignedContent", "PureX509", "PureCBOR", "PureJSON", "PureRSA", "PureECDSA", "PureSHA2", "PureDER",
                "PureBytes",
            ]),
        // App Store purchases. PureAttest does not depend on this module.
        module(
            "PureAppStore",
            ["PureJWS", "PureJSON", "PureX509Paths", "PureX509", "PureECDSA", "PureDER", "PureBytes"]),
        module(
            "PureAttestTesting",
            [
                "PureAttest", "PureSignedContent", "PureX509", "PureECDSA", "PureSHA2", "PureCBOR", "PureDER",
                "PureBytes",
            ]),
        module(
            "PureAppStoreTesting",
            [
                "PureAppStore", "PureAttestTesting", "PureJWS", "PureJSON", "PureX509", "PureECDSA", "PureSHA2",
                "PureDER", "PureBytes",
            ]),
        module("PureAttestFoundation", ["PureDER"]),
        module(
            "PureKeyAttestationTesting",
            [
                "PureKeyAttestation", "PureAttestTesting", "PureX509", "PureRSA", "PureECDSA", "PureSHA2", "PureDER",
                "PureBytes",
            ]),
        // A relying party's rules, without I/O.
        module(
            "PureAttestServerCore",
            ["PureAttest", "PureKeyAttestation", "PureSignedContent", "PureSHA2", "PureDER", "PureBytes"]),
        // The same rules behind encoded messages, for programs in other languages that perform the I/O.
        module(
            "PureAttestServerMessages",
            ["PureAttestServerCore", "PureAttest", "PureSignedContent", "PureDER", "PureBytes"]),
        module(
            "PureAttestServer",
            [
                "PureAttestServerCore", "PureAttest", "PureKeyAttestation", "PureSignedContent", "PureDER", "PureBytes",
            ]),
        module(
            "PureAttestStoreTesting",
            ["PureAttestServer", "PureAttest", "PureKeyAttestation", "PureECDSA", "PureDER", "PureBytes"]),
        // Rules, without I/O, for the purchase that a key uses. PureAttestPurchases performs the I/O. The modules of a
        // relying party do not depend on these modules.
        module(
            "PureAttestPurchasesCore",
            ["PureAttestServerCore", "PureAppStore", "PureAttest", "PureJSON", "PureDER", "PureBytes"]),
        // The same rules behind encoded messages, for programs in other languages that perform the I/O.
        module(
            "PureAttestPurchasesMessages",
            [
                "PureAttestPurchasesCore", "PureAttestServerMessages", "PureAttestServerCore", "PureAppStore",
                "PureJWS",
                "PureX509", "PureAttest", "PureDER", "PureBytes",
            ]),
        module(
            "PureAttestPurchases",
            ["PureAttestPurchasesCore", "PureAttestServer", "PureAppStore", "PureAttest", "PureDER"]),
        // Runs files of test vectors, for the command and the tests. It is not a product.
        module(
            "VectorSupport",
            [
                "PureAttest", "PureBytes", "PureCBOR", "PureDER", "PureECDSA", "PureRSA", "PureSHA2", "PureX509",
                "PureX509Paths",
            ]),
        .executableTarget(
            name: "pure-attest",
            dependencies: [
                "PureAppStore", "PureAppStoreTesting", "PureAttest", "PureAttestTesting", "PureBytes", "PureCBOR",
                "PureDER", "PureECDSA", "PureJSON", "PureJWS", "PureKeyAttestation", "PureKeyAttestationTesting",
                "PureRSA", "PureSHA2", "PureX509", "PureX509Paths", "VectorSupport",
            ],
            swiftSettings: settings),

        // Optimised also in debug builds, because its arithmetic would otherwise take half of the tests' time.
        // Dependent packages do not build this target.
        support("ReferenceModel", [], [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        support("GeneratedTables", ["ReferenceModel"]),
        .executableTarget(
            name: "generate-bindings",
            dependencies: [
                "PureAppStore", "PureAttest", "PureAttestPurchasesCore", "PureAttestServer", "PureAttestServerCore",
                "PureJSON", "PureJWS", "PureX509",
            ],
            swiftSettings: settings),
        .executableTarget(name: "generate-tables", dependencies: ["GeneratedTables"], swiftSettings: settings),
        .target(
            name: "RSATestKeys", dependencies: ["PureRSA", "ReferenceModel", "VectorSupport"],
            path: "Tests/Support/RSATestKeys", exclude: ["keys.py"], swiftSettings: settings),
        support("AllocationCounting"),
        support("DebugSampling"),
        tests("PureBytes", ["DebugSampling", "ReferenceModel"]),
        tests(
            "VectorSupport",
            [
                "AllocationCounting", "DebugSampling", "PureAppStore", "PureAppStoreTesting", "PureAttest",
                "PureAttestPurchases", "PureAttestServer", "PureAttestServerCore", "PureAttestServerMessages",
                "PureAttestTesting",
                "PureBytes",
                "PureCBOR", "PureDER", "PureECDSA", "PureJSON", "PureJWS", "PureKeyAttestation", "PureRSA", "PureSHA2",
                "PureX509", "PureX509Paths",
            ]),
        tests(
            "PureSHA2", ["DebugSampling", "PureBytes", ifExtended("PureProcessor"), "ReferenceModel", "VectorSupport"]),
        tests("PureDER", ["PureBytes", "VectorSupport"]),
        tests("PureCBOR", ["DebugSampling", "PureBytes", "VectorSupport"]),
        tests("PureJSON", ["VectorSupport"]),
        // Optimised, because these tests run PureECDSA's generic code on many inputs of small curves.
        tests(
            "PureECDSA",
            [
                "AllocationCounting", "DebugSampling", "PureBytes", "PureECDSALanes", "PureProcessor", "PureSHA2",
                "PureDER", "ReferenceModel", "GeneratedTables", "VectorSupport",
            ], settings),
        tests(
            "PureRSA",
            [
                "AllocationCounting", "DebugSampling", "PureBytes", "PureDER", "PureSHA2", "ReferenceModel",
                "RSATestKeys", "VectorSupport",
            ]),
        // Builds certificates for tests. Each part may be well-formed or malformed.
        support("CertificateDrafts", ["PureX509", "PureDER", "PureSHA2", "ReferenceModel"]),
        tests(
            "PureX509",
            [
                "CertificateDrafts", "DebugSampling", "PureBytes", "PureDER", "PureECDSA", "PureSHA2", "VectorSupport",
            ]),
        tests(
            "PureX509Paths",
            [
                "CertificateDrafts", "DebugSampling", "PureX509", "PureBytes", "PureDER", "PureECDSA", "PureSHA2",
                "VectorSupport",
            ]),
        tests(
            "PureJWS",
            [
                "DebugSampling", "PureAttestTesting", "PureBytes", "PureDER", "PureECDSA", "PureJSON", "PureSHA2",
                "PureX509", "VectorSupport",
            ]),
        tests(
            "PureAppStore",
            [
                "DebugSampling", "PureAppStoreTesting", "PureAttestTesting", "PureBytes", "PureDER", "PureECDSA",
                "PureJSON", "PureJWS", "PureX509", "PureX509Paths", "VectorSupport",
            ]),
        tests(
            "PureAttest",
            [
                "CertificateDrafts", "DebugSampling", "PureBytes", "PureX509", "PureECDSA", "PureSHA2", "PureDER",
                "PureCBOR",
                "PureAttestTesting", "ReferenceModel", "VectorSupport",
            ]),
        tests(
            "PureKeyAttestation",
            [
                "DebugSampling", "PureAttestTesting", "PureKeyAttestationTesting", "PureBytes", "PureX509", "PureRSA",
                "PureECDSA", "PureSHA2",
                "PureDER",
                "ReferenceModel", "RSATestKeys", "VectorSupport",
            ]),
        tests(
            "PureAttestTesting",
            [
                "DebugSampling", "PureAttest", "PureX509", "PureECDSA", "PureSHA2", "PureCBOR", "PureDER", "PureBytes",
                "VectorSupport",
            ]),
        tests(
            "PureKeyAttestationTesting",
            ["DebugSampling", "PureAttestTesting", "PureKeyAttestation", "VectorSupport"]),
        tests(
            "PureAttestServer",
            [
                "DebugSampling", "PureAttestServerCore", "PureAttestServerMessages", "PureX509",
                "PureAttestStoreTesting", "PureAttestTesting", "PureKeyAttestationTesting", "PureAttest",
                "PureKeyAttestation", "PureECDSA",
                "PureSHA2", "PureDER", "PureBytes",
            ], excluding: ["Challenges/formats.json", "Stores/sqlite.py"]),
        tests(
            "PureAttestPurchases",
            [
                "DebugSampling", "PureAttestPurchasesCore", "PureAttestPurchasesMessages", "PureAttestServer",
                "PureAttestServerCore", "PureAttestServerMessages", "PureAttestStoreTesting", "PureAttestTesting",
                "PureAppStore", "PureAppStoreTesting", "PureAttest", "PureDER", "PureJWS",
                "PureX509", "ReferenceModel",
            ]),
        // Compiled in the same way as a user's code: without the libraries' settings, and with only their public names.
        .testTarget(
            name: "CryptoKitHabitsTests",
            dependencies: ["PureAttestFoundation", "PureECDSA", "PureSHA2", "PureX509", "PureX509Paths"]),
        .testTarget(
            name: "PureAttestToolTests",
            dependencies: [
                "pure-attest", "DebugSampling", "PureAppStore", "PureAppStoreTesting", "PureAttest", "PureBytes",
                "PureDER", "PureKeyAttestationTesting", "VectorSupport",
            ],
            swiftSettings: testSettings),
    ],
    swiftLanguageModes: [.v6]
)

// Selects the test targets to build, for example PUREATTEST_TESTS="PureSHA2Tests PureECDSATests".
if let chosen = Context.environment["PUREATTEST_TESTS"]?.split(separator: " ").map(String.init) {
    let known = package.targets.filter(\.isTest).map(\.name)
    precondition(chosen.allSatisfy(known.contains), "PUREATTEST_TESTS names a target that does not exist")
    package.targets.removeAll { $0.isTest && !chosen.contains($0.name) }
}
