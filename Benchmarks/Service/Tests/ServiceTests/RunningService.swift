import Foundation
import PureAttest
import PureAttestTesting
import ServiceClient

/// The built `attest-service` in a process of its own, on a free port of loopback.
///
/// Unchecked: `process` does not change after `init`, and Foundation guards what it does inside.
final class RunningService: @unchecked Sendable {
    let port: Int
    private let process: Process

    static let sessionSecret = [UInt8](repeating: 0x5A, count: 32)
    static let app = AppID(bytes: Array("TEST123456.com.example.app".utf8))
    static let authority = TestCertificateAuthority(seed: 1)

    /// SwiftPM puts products beside the test bundle; on Linux the bundle of the test process is that folder itself.
    private static let executable: URL = {
        let bundle = Bundle(for: RunningService.self).bundleURL
        let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
        return folder.appending(path: "attest-service")
    }()

    /// Starts it on a database and waits until it serves.
    init(database: URL, limits: Bool = false) throws {
        process = Process()
        process.executableURL = Self.executable
        var environment = ProcessInfo.processInfo.environment
        environment["DATABASE"] = database.path
        environment["PORT"] = "0"
        environment["SESSION_SECRET"] = String(repeating: "5a", count: 32)
        environment["APP_ID"] = String(decoding: Self.app.bytes, as: UTF8.self)
        environment["TEST_AUTHORITY"] = "1"
        environment["NO_LIMITS"] = limits ? nil : "1"
        environment["LOG_LEVEL"] = "error"
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard let port = Int(String(decoding: line, as: UTF8.self).dropFirst("port ".count)) else {
            throw HTTPConnectionError.closed
        }
        self.port = port
    }

    func connect() throws -> HTTPConnection { try HTTPConnection(port: port) }

    /// Ends the process as a power cut of the process would: signal 9, at once.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { kill() }

    static func device(seed: UInt64) -> VirtualDevice {
        VirtualDevice(
            app: app, authority: authority, seed: seed,
            time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)))
    }
}

/// A folder that lives as long as the value.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    var database: URL { url.appending(path: "store.sqlite") }

    deinit { try? FileManager.default.removeItem(at: url) }
}
