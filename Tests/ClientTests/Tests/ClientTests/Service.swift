import Foundation
import PureAttest
import PureAttestClient
import PureAttestTesting
import PureSHA2

/// Runs the service in Sources/Apps/Service as a separate process, on a free loopback port, with a temporary store.
///
/// `@unchecked` is safe because nothing changes after `init`, and Foundation guards the internals of `Process`.
final class Service: @unchecked Sendable {
    let transport: URLSessionTransport
    private let process = Process()

    static let app = AppID(bytes: Array("TEST123456.com.example.app".utf8))

    /// - Parameter settings: settings in addition to those that every test needs.
    init(_ settings: [String: String] = [:]) throws {
        guard let path = ProcessInfo.processInfo.environment["ATTEST_SERVICE"] else { throw NoService() }
        process.executableURL = URL(filePath: path)
        process.environment = [
            "ATTEST_DATABASE": "memory", "ATTEST_PORT": "0",
            "ATTEST_SESSION_SECRET": String(repeating: "5a", count: 32), "ATTEST_NO_LIMITS": "1",
            "ATTEST_APP_ID": String(decoding: Self.app.bytes, as: UTF8.self), "ATTEST_TEST_AUTHORITY": "1",
            "ATTEST_LOG_LEVEL": "critical",
        ].merging(settings) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        let port = String(decoding: line, as: UTF8.self).dropFirst("port ".count)
        transport = URLSessionTransport(origin: "http://127.0.0.1:\(port)")
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The service that is shared by all tests that do not restart it.
    static let shared = Result {
        // The shared value is never deinitialised, so `deinit` does not end its process. A process that outlives the
        // tests would keep the test output open.
        atexit { kill(Service.sharedProcess.value, SIGKILL) }
        let service = try Service()
        sharedProcess.change { $0 = service.process.processIdentifier }
        return service
    }

    // 0 would make `kill` signal the whole process group. No process has the identifier `pid_t.max`.
    private static let sharedProcess = Locked<pid_t>(pid_t.max)

    struct NoService: Error, CustomStringConvertible {
        let description = "ATTEST_SERVICE is not set: run Tests/ClientTests/run.sh"
    }
}

final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value
    init(_ value: Value) { stored = value }
    var value: Value { lock.withLock { stored } }
    @discardableResult func change<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        try lock.withLock { try body(&stored) }
    }
}

/// A key service that uses a virtual device. Tests can make its calls fail. It rejects calls that break Apple's rules.
final class Device: AttestKeyService {
    struct State {
        var isSupported = true
        /// The errors that the next calls throw, in order; `nil` lets a call succeed.
        var attestFailures: [KeyServiceError?] = []
        var assertFailures: [KeyServiceError?] = []
        var keys: [String] = []
        var attested: [(keyID: String, hash: Data)] = []
        var assertions = 0
    }

    let state = Locked(State())
    private let device: VirtualDevice
    private static let seeds = Locked<UInt64>(1)

    init() {
        device = VirtualDevice(
            app: Service.app, authority: TestCertificateAuthority(seed: 1),
            seed: Self.seeds.change {
                $0 += 1
                return $0
            }, time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)))
    }

    var isSupported: Bool { state.value.isSupported }

    func generateKey() async throws -> String {
        let key: String = await device.generateKey()
        state.change { $0.keys.append(key) }
        return key
    }

    func attestKey(_ keyID: String, clientDataHash: Data) async throws -> Data {
        let failure = state.change { state in
            state.attested.append((keyID, clientDataHash))
            return state.attestFailures.isEmpty ? nil : state.attestFailures.removeFirst()
        }
        // Lets other tasks run while the device contacts Apple.
        try await Task.sleep(for: .milliseconds(5))
        if let failure { throw failure }
        do { return Data(try await device.attestKey(keyID, clientDataHash: clientDataHash)) } catch {
            throw KeyServiceError.invalidKey
        }
    }

    func generateAssertion(_ keyID: String, clientDataHash: Data) async throws -> Data {
        let failure = state.change { state in
            state.assertions += 1
            return state.assertFailures.isEmpty ? nil : state.assertFailures.removeFirst()
        }
        if let failure { throw failure }
        do { return Data(try await device.generateAssertion(keyID, clientDataHash: clientDataHash)) } catch {
            throw KeyServiceError.invalidKey
        }
    }

    /// Apple's rule: a key may be attested again only with the same client data hash.
    var noKeyMetTwoHashes: Bool {
        Dictionary(grouping: state.value.attested, by: \.keyID).values.allSatisfy { Set($0.map(\.hash)).count == 1 }
    }
}

/// A transport to the service that can lose requests and answers, and can insert other answers.
final class Way: AttestTransport {
    enum Fault {
        case requestLost, answerLost
        case answer(Int, String, retryAfter: Int? = nil)
        /// A proxy answers with a page that has this status code.
        case page(Int)
    }

    struct State {
        var service: Service
        /// The faults to apply to the next requests to each target, in order; `nil` lets a request succeed.
        var faults: [String: [Fault?]] = [:]
        var sent: [AttestRequest] = []
    }

    let state: Locked<State>

    init(_ service: Service) { state = Locked(State(service: service)) }

    func send(_ request: AttestRequest) async throws -> AttestResponse {
        let (service, fault) = state.change { state in
            state.sent.append(request)
            let fault =
                state.faults[request.target]?.isEmpty == false ? state.faults[request.target]?.removeFirst() : nil
            return (state.service, fault ?? nil)
        }
        switch fault {
        case .requestLost: throw Lost()
        case .answer(let status, let word, let seconds):
            return AttestResponse(
                status: status, headers: seconds.map { ["Retry-After": String($0)] } ?? [:],
                body: Data(#"{"error":"\#(word)"}"#.utf8))
        case .page(let status):
            return AttestResponse(status: status, headers: [:], body: Data("<html>".utf8))
        case .answerLost:
            _ = try await service.transport.send(request)
            throw Lost()
        case nil: return try await service.transport.send(request)
        }
    }

    func count(_ target: String) -> Int { state.value.sent.count { $0.target == target } }

    struct Lost: Error {}
}

/// Keeps the client's state in memory. A test can make calls fail.
final class Memory: AttestStorage {
    let data = Locked<Data?>(nil)
    let loadFails = Locked(false)
    /// The sequence numbers of the saves that must fail.
    let failingSaves = Locked<Set<Int>>([])
    let saves = Locked(0)

    struct Broken: Error {}

    func load() throws -> Data? {
        if loadFails.value { throw Broken() }
        return data.value
    }

    func save(_ data: Data) throws {
        let number = saves.change {
            $0 += 1
            return $0
        }
        if failingSaves.value.contains(number) { throw Broken() }
        self.data.change { $0 = data }
    }
}

/// A clock in which a sleep returns at once and advances the time by the requested duration.
final class TestClock: AttestClock {
    let time = Locked(Date())
    let slept = Locked<[Double]>([])
    var now: Date { time.value }
    func sleep(seconds: Double) async throws {
        slept.change { $0.append(seconds) }
        time.change { $0 += seconds }
        await Task.yield()
    }
}

struct Setting {
    let device: Device
    let way: Way
    let storage = Memory()
    let clock = TestClock()

    init(_ service: Service? = nil, device: Device = Device()) throws {
        self.device = device
        way = Way(try service ?? Service.shared.get())
    }

    /// Returns a client that simulates a new app process with the same storage.
    func client(_ change: (inout AttestConfiguration) -> Void = { _ in }, on other: Device? = nil) -> AttestClient {
        var configuration = AttestConfiguration()
        change(&configuration)
        return AttestClient(
            keyService: other ?? device, storage: storage, transport: way,
            sha256: { Data([UInt8](SHA256.hash(data: $0))) },
            configuration: configuration, clock: clock)
    }
}
