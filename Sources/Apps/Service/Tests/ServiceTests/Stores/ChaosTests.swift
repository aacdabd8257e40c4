import Foundation
import PostgreSQLStore
import PureAttest
import PureAttestServer
import ServiceClient
import Testing

/// Tests two services on one PostgreSQL server under load, while signal 9 repeatedly kills one of these three. A long
/// run: `CHAOS_SECONDS=600 ./test.sh --filter ChaosTests`.
@Suite(.withPostgreSQL, .serialized) struct ChaosTests {
    @Test func twoOfSwift() async throws { try await nothingCountsTwiceAndNothingAcknowledgedIsLost([.swift, .swift]) }

    @Test(.withJavaScript) func swiftAndJavaScript() async throws {
        try await nothingCountsTwiceAndNothingAcknowledgedIsLost([.swift, .javaScript])
    }

    private func nothingCountsTwiceAndNothingAcknowledgedIsLost(_ programs: [RunningService.Program]) async throws {
        let seconds = ProcessInfo.processInfo.environment["CHAOS_SECONDS"].flatMap { Double($0) } ?? 12
        let server = try PostgreSQLServer()
        let log = Locked(ChaosLog())
        let services = Locked(try programs.map { try start($0, server, log) })
        let end = Date().addingTimeInterval(seconds)
        let seed = Locked(UInt64(1_000))
        inThreads(7) { index in
            if index == 0 {
                kill(server, services, programs, until: end, log)
            } else {
                ChaosClient(services, seed, log).run(until: end)
            }
        }
        print(log.value.line)
        #expect(log.value.unexpected == [], "\(refusals(server))")
        #expect(log.value.acknowledged > 0 && log.value.kills > 0 && log.value.unavailable > 0)
        for index in 0..<2 where !services.value[index].isRunning {
            let service = try start(programs[index], server, log)
            services.change { $0[index] = service }
        }
        for service in services.value {
            #expect(recovers(service, within: 10))
        }
        let store = try PostgreSQLStore(server.connectionString())
        for (keyID, counters) in log.value.counters {
            let counter = try #require(try await store.key(keyID)?.key.counter)
            #expect(counters.acknowledged...counters.signed ~= counter)
        }
        // Each acknowledged request has consumed its challenge, and requests in flight may have consumed further
        // challenges.
        let consumed = try #require(Int(server.sql("SELECT count(*) FROM consumed_tokens WHERE length(id) = 17")))
        #expect(consumed >= log.value.acknowledged)
    }

    private func start(
        _ program: RunningService.Program, _ server: PostgreSQLServer, _ log: Locked<ChaosLog>
    ) throws -> RunningService {
        let end = Date().addingTimeInterval(10)
        while true {
            log.change { $0.starts += 1 }
            let errors = server.folder.url.appending(path: "service-\(log.value.starts)")
            do {
                return try RunningService(
                    program, database: server.connectionString(), errors: errors, ["ATTEST_LOG_LEVEL": "info"])
            } catch let reason as RunningService.NotStarted
                where reason.status == 2 && reason.text.contains("ATTEST_DATABASE: PostgreSQL ")
                && Date() < end
            {
                log.change { $0.startsInVain += 1 }
                Thread.sleep(forTimeInterval: 0.2)
            }
        }
    }

    /// Returns the logged rejections, except replays, because the clients cause replays on purpose.
    private func refusals(_ server: PostgreSQLServer) -> String {
        let files = try? FileManager.default.contentsOfDirectory(at: server.folder.url, includingPropertiesForKeys: nil)
        let lines = (files ?? []).filter { $0.lastPathComponent.hasPrefix("service-") }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
            .flatMap { $0.split(separator: "\n") }
            .filter { $0.contains("refused") && !$0.contains(Refusal.challengeConsumed.description) }
        return lines.prefix(20).joined(separator: "\n")
    }

    private func recovers(_ service: RunningService, within seconds: Double) -> Bool {
        let end = Date().addingTimeInterval(seconds)
        let device = ServiceDevice(RunningService.device(seed: 9_000 + UInt64(service.port)))
        while Date() < end {
            if let connection = try? service.connect(), (try? device.attest(over: connection)) != nil,
                (try? device.session(over: connection)) != nil
            {
                return true
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return false
    }

    private func kill(
        _ server: PostgreSQLServer, _ services: Locked<[RunningService]>, _ programs: [RunningService.Program],
        until end: Date, _ log: Locked<ChaosLog>
    ) {
        var generator = SystemRandomNumberGenerator()
        while Date() < end {
            Thread.sleep(forTimeInterval: Double.random(in: 0.3...1.5, using: &generator))
            // Even in a short run, kill each of the three once, and PostgreSQL first.
            let kills = log.value.kills
            let victim = kills < 3 ? 2 - kills : Int.random(in: 0...2, using: &generator)
            do {
                if victim == 2 {
                    try server.kill()
                    Thread.sleep(forTimeInterval: Double.random(in: 0...0.5, using: &generator))
                    try server.start()
                } else {
                    services.value[victim].kill()
                    let service = try start(programs[victim], server, log)
                    services.change { $0[victim] = service }
                }
                log.change { $0.kills += 1 }
            } catch { log.change { $0.unexpected.append("restart: \(error)") } }
        }
    }
}

struct ChaosLog {
    var kills = 0
    var starts = 0
    var startsInVain = 0
    var acknowledged = 0
    var unavailable = 0
    var lost = 0
    var refused = 0
    var unexpected: [String] = []
    /// The counters of each key's last acknowledged request and last signed request.
    var counters: [[UInt8]: (acknowledged: UInt32, signed: UInt32)] = [:]

    var line: String {
        "\(kills) kills, \(starts) starts, \(startsInVain) in vain; \(acknowledged) acknowledged, \(refused) replays refused, \(unavailable) times 503, \(lost) answers lost"
    }
}

/// A device that signs one request after another, and sends each request to both services, either concurrently or in
/// sequence.
private final class ChaosClient {
    private let services: Locked<[RunningService]>
    private let seed: Locked<UInt64>
    private let log: Locked<ChaosLog>
    private var device: ServiceDevice
    private var signed: UInt32 = 0

    init(_ services: Locked<[RunningService]>, _ seed: Locked<UInt64>, _ log: Locked<ChaosLog>) {
        (self.services, self.seed, self.log) = (services, seed, log)
        device = Self.next(seed)
    }

    private static func next(_ seed: Locked<UInt64>) -> ServiceDevice {
        var number: UInt64 = 0
        seed.change {
            $0 += 1
            number = $0
        }
        return ServiceDevice(RunningService.device(seed: number))
    }

    func run(until end: Date) {
        while Date() < end {
            let ports = services.value.map(\.port).shuffled()
            guard let connection = try? HTTPConnection(port: ports[0]) else {
                Thread.sleep(forTimeInterval: 0.02)
                continue
            }
            do {
                if device.keyName == nil {
                    // Without an answer, the device cannot know whether the service has registered its key.
                    device = Self.next(seed)
                    try device.attest(over: connection)
                    signed = 0
                }
                for _ in 0..<20 where Date() < end {
                    let request = try device.signedSessionRequest(over: connection)
                    signed += 1
                    note(send(request, ports), request)
                }
            } catch let answer as UnexpectedAnswer where answer.status == 503 {
                log.change { $0.unavailable += 1 }
                Thread.sleep(forTimeInterval: 0.02)
            } catch is HTTPConnectionError { log.change { $0.lost += 1 } } catch {
                log.change { $0.unexpected.append("\(error)") }
            }
        }
    }

    private func send(_ request: [String: String], _ ports: [Int]) -> [HTTPAnswerReceived?] {
        let answers = Locked<[HTTPAnswerReceived?]>([])
        let once: @Sendable (Int) -> Void = { port in
            let answer = try? HTTPConnection(port: port).send("POST", "/session", json: request)
            answers.change { $0.append(answer) }
        }
        if Bool.random() { inThreads(2) { once(ports[$0]) } } else { for port in ports { once(port) } }
        return answers.value
    }

    private func note(_ answers: [HTTPAnswerReceived?], _ request: [String: String]) {
        let (keyID, signed) = (device.keyID ?? [], signed)
        log.change { log in
            let accepted = answers.filter { $0?.status == 200 }.count
            if accepted > 1 { log.unexpected.append("accepted \(accepted) times") }
            for answer in answers {
                switch answer?.status {
                case nil: log.lost += 1
                case 200: log.acknowledged += 1
                case 409: log.refused += 1
                case 503: log.unavailable += 1
                case let status?: log.unexpected.append("status \(status): \(answer?.text ?? "")")
                }
            }
            var counters = log.counters[keyID] ?? (0, 0)
            counters.signed = signed
            if accepted > 0 { counters.acknowledged = signed }
            log.counters[keyID] = counters
        }
    }
}
