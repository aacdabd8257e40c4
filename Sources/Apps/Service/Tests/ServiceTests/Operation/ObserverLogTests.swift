import Logging
import Metrics
import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import PureKeyAttestation
import PureSHA2
import ServiceClient
import ServiceMetrics
import Testing

@Suite(.serialized) struct ObserverLogTests {
    private struct Keeper: LogHandler {
        struct Line: Hashable, Sendable {
            let level: Logger.Level
            let text: String
        }

        let lines: Locked<[Line]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.change { $0.append(Line(level: event.level, text: "\(event.message)")) } }
    }

    private struct Broken: Error, CustomStringConvertible {
        let description = "the store is broken"
    }

    /// A process can bootstrap swift-metrics only once.
    private static let registry: MetricsRegistry = {
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    private let now = UnixTime(secondsSince1970: 1_789_473_600)

    private func party(_ level: Logger.Level, _ lines: Locked<[Keeper.Line]>) throws -> RelyingParty<InMemoryStore> {
        let key = try #require(SessionKey(id: "1", secret: RunningService.sessionSecret))
        let logger = Logger(label: "test") { _ in Keeper(lines: lines, logLevel: level) }
        return RelyingParty(
            verifier: .trustingTestDevices(
                of: RunningService.authority, apps: [RunningService.app], environment: .production,
                launchPolicy: .reportOnly),
            store: InMemoryStore(), sessionKeys: SessionKeys(current: key), observer: ObserverLog(logger),
            stopwatch: { .zero })
    }

    private func exercise(_ party: RelyingParty<InMemoryStore>) async throws {
        let device = VirtualDevice(app: RunningService.app, authority: RunningService.authority, seed: 1, time: now)
        let name = await device.generateKey()
        let keyID = try [UInt8](base64Encoded: name)
        let first = try party.issueChallenge(purpose: .attestation, keyID: keyID, at: now).value
        let attestation = try await device.attestKey(name, clientDataHash: SHA256.hash(data: first))
        _ = try await party.register(attestation: attestation, keyID: keyID, challenge: first, at: now)
        let second = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
        let good = try await device.generateAssertion(name, clientDataHash: SHA256.hash(data: second))
        let other = try await device.generateAssertion(name, clientDataHash: SHA256.hash(data: first))
        for assertion in [good, good, other] {
            _ = try? await party.authenticate(assertion: assertion, keyID: keyID, challenge: second, at: now)
        }
    }

    @Test func rejectionsAreInfoAndOutagesAreErrors() async throws {
        let lines = Locked<[Keeper.Line]>([])
        let party = try party(.info, lines)
        try await exercise(party)
        #expect(lines.value.map(\.level) == [.info, .info])
        for (line, reason) in zip(
            lines.value, [Refusal.challengeConsumed, .verification(.invalidSignature)])
        {
            #expect(line.text.contains("\(reason)") && !line.text.contains("\n"))
        }
        // The logged text of a decision contains no challenge, token or object.
        #expect(lines.value.allSatisfy { $0.text.utf8.count < 1_000 })
        lines.change { $0 = [] }
        let logger = Logger(label: "test") { _ in Keeper(lines: lines) }
        let decision = Locked<RelyingPartyDecision?>(nil)
        let key = try #require(SessionKey(id: "1", secret: RunningService.sessionSecret))
        let caught = RelyingParty(
            verifier: party.verifier, store: InMemoryStore(), sessionKeys: SessionKeys(current: key),
            observer: Catcher(decision: decision))
        _ = try caught.issueChallenge(purpose: .assertion, keyID: [UInt8](repeating: 1, count: 32), at: now)
        ObserverLog(logger).storeFailed(try #require(decision.value), with: Broken())
        #expect(lines.value.map(\.level) == [.error])
        #expect(lines.value.first?.text.contains("the store is broken") ?? false)
    }

    private struct Catcher: RelyingPartyObserver {
        let decision: Locked<RelyingPartyDecision?>
        func accepted(_ decision: RelyingPartyDecision) { self.decision.change { $0 = decision } }
    }

    @Test func reportsNeedTheDebugLevel() async throws {
        let lines = Locked<[Keeper.Line]>([])
        try await exercise(party(.debug, lines))
        #expect(lines.value.map(\.level) == [.info, .info, .debug])
        #expect(lines.value.last?.text.split(separator: "\n").count ?? 0 > 3)
    }

    @Test func androidChainsLogNoReport() async throws {
        let lines = Locked<[Keeper.Line]>([])
        let key = try #require(SessionKey(id: "1", secret: RunningService.sessionSecret))
        let logger = Logger(label: "test") { _ in Keeper(lines: lines, logLevel: .debug) }
        let party = RelyingParty(
            verifier: AppAttestVerifier(
                apps: [RunningService.app], environment: .production, launchPolicy: .reportOnly),
            store: InMemoryStore(), sessionKeys: SessionKeys(current: key),
            android: AndroidVerification(verifier: KeyAttestationVerifier(apps: [])) { _ in .notChecked },
            observer: ObserverLog(logger))
        let handle = [UInt8](repeating: 1, count: 32)
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: handle, at: now).value
        _ = try? await party.register(keyAttestation: [], handle: handle, challenge: challenge, at: now)
        #expect(lines.value.map(\.level) == [.info])
        #expect(lines.value.first?.text.contains("\(KeyAttestationError.wrongCertificateCount(0))") ?? false)
    }

    /// One timer measures all decisions. Its dimensions are the operation and the outcome. The number of their values
    /// is bounded, and no value comes from a request.
    @Test func decisionsAreCounted() async throws {
        let registry = Self.registry
        func count(_ operation: String, _ outcome: String) -> Int {
            let name = "attest_decision_seconds_count{operation=\"\(operation)\",outcome=\"\(outcome)\"} "
            let line = registry.text.split(separator: "\n").first { $0.hasPrefix(name) }
            return line.flatMap { Double($0.dropFirst(name.count)) }.map { Int($0) } ?? 0
        }
        let counted = [
            ("issueChallenge", "accepted", 2), ("register", "accepted", 1), ("authenticate", "accepted", 1),
            ("authenticate", Refusal.challengeConsumed.step.rawValue, 1),
            ("authenticate", Refusal.verification(.invalidSignature).step.rawValue, 1),
        ]
        let before = counted.map { count($0.0, $0.1) }
        for _ in 0..<3 { try await exercise(party(.critical, Locked([]))) }
        for (entry, before) in zip(counted, before) {
            #expect(count(entry.0, entry.1) == before + 3 * entry.2, "\(entry)")
        }
        let series = registry.text.split(separator: "\n").filter { $0.contains("_count{") }.count
        #expect(series <= 2 * counted.count)
    }
}
