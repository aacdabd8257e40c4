import Foundation
import PureAttest
import PureAttestTesting
import ServiceClient

/// The built `attest-service`, or the relying party in Node, in a separate process on a free loopback port.
///
/// `@unchecked` is safe because `process` does not change after `init`, and Foundation guards the internals of
/// `Process`.
final class RunningService: @unchecked Sendable {
    let port: Int
    private let process: Process

    static let sessionSecret = [UInt8](repeating: 0x5A, count: 32)
    static let app = AppID(bytes: Array("TEST123456.com.example.app".utf8))
    static let authority = TestCertificateAuthority(seed: 1)

    /// SwiftPM puts programs into the test bundle's folder. On Linux, `Bundle.main` of the test process is this folder.
    static let executable: URL = {
        let bundle = Bundle(for: RunningService.self).bundleURL
        let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
        return folder.appending(path: "attest-service")
    }()

    static func environment(database: String, _ settings: [String: String] = [:]) -> [String: String] {
        ProcessInfo.processInfo.environment.merging([
            "ATTEST_DATABASE": database, "ATTEST_PORT": "0",
            "ATTEST_SESSION_SECRET": String(repeating: "5a", count: 32),
            "ATTEST_APP_ID": String(decoding: app.bytes, as: UTF8.self), "ATTEST_TEST_AUTHORITY": "1",
            "ATTEST_LOG_LEVEL": "critical",
        ]) { $1 }.merging(settings) { $1 }
    }

    /// Starts the service and waits until it serves. Throws ``NotStarted`` if the program ends before.
    ///
    /// `limits` enables the limits for keys and addresses. `descriptors` limits the number of descriptors, and `errors`
    /// is a file for standard error; if they are `nil`, the process inherits both from the test process.
    init(
        _ program: Program = .swift, database: String, limits: Bool = false, descriptors: Int? = nil,
        errors: URL? = nil, _ settings: [String: String] = [:]
    ) throws {
        process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
        process.arguments = ["-c", limit + #"exec "$0" "$@""#] + program.command
        var environment = Self.environment(database: database, settings)
        environment["ATTEST_NO_LIMITS"] = limits ? nil : "1"
        environment["TEST_ROOTS"] = [Self.authority.attestationRoot, Self.authority.receiptRoot]
            .map { Data($0).base64EncodedString() }.joined(separator: ",")
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        if let errors {
            try Data().write(to: errors)
            process.standardError = try FileHandle(forWritingTo: errors)
        }
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard let port = Int(String(decoding: line, as: UTF8.self).dropFirst("port ".count)) else {
            // `deinit` does not run after this failed `init`. If the process survived, it would keep the tests' output
            // open, and the test run would not end.
            if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            throw NotStarted(
                status: process.terminationStatus,
                text: errors.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "")
        }
        self.port = port
    }

    enum Program {
        case swift
        /// shared-server.mjs: a relying party without limits, with only the routes that every client needs.
        case javaScript

        /// The path of the WebAssembly module with test roots. `test.sh` sets this variable.
        static let module = ProcessInfo.processInfo.environment["PUREATTEST_PARTY_MODULE"]

        var command: [String] {
            switch self {
            case .swift: [RunningService.executable.path]
            case .javaScript: ["/usr/bin/env", "node", Self.script, Self.module ?? ""]
            }
        }

        private static let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Bindings/JavaScript/Test/shared-server.mjs").standardized.path
    }

    struct NotStarted: Error {
        let status: Int32
        let text: String
    }

    convenience init(database: URL, limits: Bool = false, _ settings: [String: String] = [:]) throws {
        try self.init(database: database.path, limits: limits, settings)
    }

    func connect(from address: String = "127.0.0.1") throws -> HTTPConnection {
        try HTTPConnection(port: port, from: address)
    }

    var isRunning: Bool { process.isRunning }

    /// Reads proc(5): Linux only.
    func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        guard let pages else { throw CocoaError(.fileReadCorruptFile) }
        return pages * Int(getpagesize())
    }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func terminate() -> (status: Int32, seconds: Double) {
        let start = Date()
        Foundation.kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        return (process.terminationStatus, Date().timeIntervalSince(start))
    }

    deinit { kill() }

    static func device(seed: UInt64) -> VirtualDevice {
        VirtualDevice(
            app: app, authority: authority, seed: seed,
            time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)))
    }
}

extension HTTPConnection {
    func post(
        _ path: String, _ body: [UInt8], headers: [String: String] = [:]
    ) throws -> HTTPAnswerReceived {
        var head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        try write(Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body)
        return try read()
    }
}

final class TemporaryFolder {
    let url: URL

    init() throws {
        let parent = ProcessInfo.processInfo.environment["PUREATTEST_TEST_FOLDER"].map { URL(filePath: $0) }
        url = (parent ?? FileManager.default.temporaryDirectory).appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    var database: URL { url.appending(path: "store.sqlite") }

    deinit { try? FileManager.default.removeItem(at: url) }
}
