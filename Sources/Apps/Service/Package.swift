// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Not the command-line option, because it would also apply to dependencies.
    .treatAllWarnings(as: .error),
]

func product(_ name: String, of package: String) -> Target.Dependency { .product(name: name, package: package) }
func pure(_ module: String) -> Target.Dependency { product(module, of: "PureAttest") }

let hummingbird = product("Hummingbird", of: "hummingbird")
let hummingbirdCore = product("HummingbirdCore", of: "hummingbird")
let nioPosix = product("NIOPosix", of: "swift-nio")
let nio = [
    product("NIOCore", of: "swift-nio"), product("NIOHTTP1", of: "swift-nio"),
    product("NIOHTTPTypes", of: "swift-nio-extras"), nioPosix,
]
let logging = product("Logging", of: "swift-log")
let metrics = product("Metrics", of: "swift-metrics")
let lifecycle = product("ServiceLifecycle", of: "swift-service-lifecycle")
let httpClient = product("AsyncHTTPClient", of: "async-http-client")

let package = Package(
    name: "Service",
    platforms: [.macOS("26.0")],
    products: [
        .library(name: "AttestMiddleware", targets: ["AttestMiddleware"]),
        .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
        .library(name: "PostgreSQLStore", targets: ["PostgreSQLStore"]),
        .library(name: "ServiceClient", targets: ["ServiceClient"]),
    ],
    dependencies: [
        // Without the explicit name, the build would depend on the name of the clone's folder.
        .package(name: "PureAttest", path: "../../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        // Dependencies of Hummingbird, listed because targets import their modules.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    ],
    targets: [
        .target(
            name: "SQLStore", dependencies: [pure("PureAttestServer"), pure("PureAttest")], swiftSettings: settings),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(
            name: "SQLiteStore", dependencies: ["CSQLite", "SQLStore", pure("PureAttestServer")],
            swiftSettings: settings),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "PostgreSQLStore",
            dependencies: ["CPostgreSQL", "SQLStore", pure("PureAttestServer")],
            swiftSettings: settings),
        .target(
            name: "AttestMiddleware",
            dependencies: nio + [
                hummingbird, logging, pure("PureAttestServer"), pure("PureAttest"), pure("PureJSON"),
                pure("PureBytes"),
            ],
            swiftSettings: settings),
        .target(
            name: "ServiceMetrics",
            dependencies: [logging, metrics, pure("PureAttestServer"), pure("PureAttest")], swiftSettings: settings),
        .target(
            name: "AttestService",
            dependencies: [
                "AttestMiddleware", "ServiceMetrics", hummingbird, httpClient, nio[0], nioPosix,
                logging, metrics, pure("PureAttestPurchases"), pure("PureAttestServer"), pure("PureAppStore"),
                pure("PureAttest"), pure("PureJSON"), pure("PureBytes"), pure("PureDER"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "attest-service",
            dependencies: [
                "AttestService", "AttestMiddleware", "ServiceMetrics", "SQLiteStore", "PostgreSQLStore", hummingbird,
                hummingbirdCore, lifecycle, logging, metrics, nio[0], pure("PureAttestPurchases"),
                pure("PureAttestServer"), pure("PureAppStore"), pure("PureAppStoreTesting"), pure("PureAttest"),
                pure("PureAttestTesting"), pure("PureKeyAttestation"), pure("PureKeyAttestationTesting"),
                pure("PureX509"), pure("PureSHA2"), pure("PureBytes"),
            ],
            swiftSettings: settings),
        .target(
            name: "ServiceClient",
            dependencies: [
                pure("PureAttest"), pure("PureAttestTesting"), pure("PureKeyAttestationTesting"), pure("PureSHA2"),
                pure("PureBytes"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "AttestMiddleware", "AttestService", "SQLiteStore", "PostgreSQLStore", "ServiceClient",
                "attest-service",
                "ServiceMetrics",
                "CSQLite", hummingbird, product("NIOEmbedded", of: "swift-nio"), logging, metrics,
                pure("PureAttestServer"), pure("PureAttestStoreTesting"),
                pure("PureAttestTesting"), pure("PureKeyAttestation"), pure("PureKeyAttestationTesting"),
                pure("PureAppStoreTesting"), pure("PureAttest"), pure("PureSHA2"), pure("PureBytes"),
            ] + nio,
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
