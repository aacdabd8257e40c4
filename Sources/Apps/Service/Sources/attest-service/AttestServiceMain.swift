import AttestMiddleware
import AttestService
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import PostgreSQLStore
import PureAttest
import PureAttestServer
import PureAttestTesting
import PureKeyAttestation
import PureKeyAttestationTesting
import SQLiteStore
import ServiceLifecycle
import ServiceMetrics

func now() -> UnixTime { UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)) }

/// Prints one line on standard error and exits with status 2, as for wrong usage.
func refuse(_ reason: String) -> Never {
    let line = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardError.write(Data("attest-service: \(line.prefix(500))\n".utf8))
    exit(2)
}

@main
struct AttestServiceMain {
    static func main() async {
        if CommandLine.arguments.count > 1 { printHelp() }
        unblockShutdownSignals()
        let settings: Settings
        do { settings = try Settings(ProcessInfo.processInfo.environment) } catch { refuse(error.line) }
        var logger = Logger(label: "attest-service")
        logger.logLevel = settings.logLevel
        if settings.selfTest {
            // Run the self-test before opening the store, so that a damaged program changes nothing.
            do { try SelfTest.run() } catch {
                refuse("\(Setting.selfTest.variable): \(error.part) is not as it has to be; replace this program")
            }
            logger.info("The self-test has passed")
        }
        do {
            switch settings.database {
            case .memory: try await serve(InMemoryStore(), settings, logger)
            case .sqlite(let path):
                try await serve(
                    opened { try SQLiteStore(path: path, timeout: settings.storeTimeout) }, settings, logger)
            case .postgreSQL(let string):
                let timeout = Duration.seconds(settings.storeTimeout)
                try await serve(
                    opened {
                        try PostgreSQLStore(string, connections: settings.poolSize, statementTimeout: timeout)
                    }, settings, logger)
            }
        } catch {
            refuse(settings.listenFailure(error) ?? "the service ended: \(error)")
        }
    }

    private static func opened<Store>(_ open: () throws -> Store) -> Store {
        do { return try open() } catch { refuse("\(Setting.database.variable): \(error)") }
    }

    private static func printHelp() -> Never {
        let isAsked = CommandLine.arguments.dropFirst() == ["--help"]
        var text = "usage: attest-service, without arguments. Settings are environment variables:\n"
        for setting in Setting.allCases {
            let (what, range) = setting.help
            let values = range.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? ""
            text += "  \(setting.variable)\n      \(what)\(values)\n"
        }
        (isAsked ? FileHandle.standardOutput : .standardError).write(Data(text.utf8))
        exit(isAsked ? 0 : 2)
    }

    private static func serve<Store: RelyingPartyStore & PurchaseStore>(
        _ store: Store, _ settings: Settings, _ logger: Logger
    ) async throws {
        var options = RouteOptions()
        options.forwardedBy = settings.forwardedBy
        if let token = settings.metricsToken {
            let registry = MetricsRegistry()
            MetricsSystem.bootstrap(registry)
            options.metrics = (registry, token)
        }
        if let android = settings.android {
            do { try android.list.read() } catch { refuse(error.line) }
        }
        options.upstream = settings.generation.map { Upstream($0) }
        let party = RelyingParty(
            verifier: verifier(settings), store: store, sessionKeys: settings.sessionKeys,
            configuration: settings.relyingParty,
            android: android(settings), observer: ObserverLog(logger))
        let purchases = try settings.purchases?.purchases(of: party, testAuthority: settings.testAuthority)
        let most = min(settings.connections, max(raiseDescriptorLimit() - reservedDescriptors, 1))
        let count = ConnectionCount()
        let application = Application(
            router: AttestRoutes(party, purchases: purchases, options: options, now: now).router,
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [ConnectionGuard(settings.connection, count: count)],
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8_192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 64))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: .maximum(most, logger: logger)),
            onServerRunning: { channel in
                settings.logStart(logger)
                print("port \(channel.localAddress?.port ?? 0)")
                fflush(nil)
            },
            logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                // A shutdown ends the services from last to first, so this deadline starts before the shutdown waits
                // for any other service.
                services: [Sweeper(party: party, logger: logger)] + (settings.android.map { [$0.list] } ?? []) + [
                    application, ShutdownDeadline(seconds: settings.shutdown),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }

    private static func android(_ settings: Settings) -> AndroidVerification? {
        settings.android.map { android in
            let verifier =
                settings.testAuthority.map { seed in
                    KeyAttestationVerifier.trustingTestDevices(
                        of: TestAndroidAuthority(seed: seed), apps: android.apps, policy: android.policy)
                } ?? KeyAttestationVerifier(apps: android.apps, policy: android.policy)
            return AndroidVerification(verifier: verifier, revocationList: android.list.current)
        }
    }

    private static func verifier(_ settings: Settings) -> AppAttestVerifier {
        guard let seed = settings.testAuthority else { return settings.apps.verifier }
        return settings.apps.verifier.trustingTestDevices(of: TestCertificateAuthority(seed: seed))
    }
}

struct Sweeper<Store: RelyingPartyStore>: Service {
    let party: RelyingParty<Store>
    let logger: Logger

    func run() async throws {
        // A shutdown cancels this task, which ends the wait.
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(30))
                do { try await party.removeExpired(at: now()) } catch {
                    logger.warning("Nothing could be swept", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}

/// Ends the process if requests are still in flight `seconds` after the start of a shutdown. No acknowledged request is
/// lost, because all of them are in the store.
struct ShutdownDeadline: Service {
    let seconds: Int

    func run() async throws {
        try? await gracefulShutdown()
        Task.detached {
            try await Task.sleep(for: .seconds(seconds))
            FileHandle.standardError.write(Data("attest-service: ended with requests under way\n".utf8))
            exit(1)
        }
    }
}
