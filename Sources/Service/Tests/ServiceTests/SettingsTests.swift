import Foundation
import Testing

/// A service that can't start says why in one line, with status 2.
@Suite struct SettingsTests {
    @Test(arguments: [
        ("PORT", "-1"), ("PORT", "99999"), ("PORT", ""), ("PORT", "http"), ("HOST", "256.1.1.1"),
        ("DATABASE", ""), ("DATABASE", "/"), ("DATABASE", "/nonexistent/store.sqlite"), ("DATABASE", "mysql://h/x"),
        ("DATABASE", "postgresql://user:s3cret@127.0.0.1:1/x"), ("DATABASE", "postgresql://user:s3cret@db.example/x"),
        ("DATABASE", "postgresql://user:s3cret@127.0.0.1:99999999/x?nothing=1"), ("SESSION_SECRET", "5a5a"),
        ("SESSION_SECRET", String(repeating: "5g", count: 32)), ("FORMER_SESSION_SECRET", "x"), ("APP_ID", "example"),
        ("APP_ID", "TEST123456."), ("APP_ENVIRONMENT", "staging"), ("ANSWERS", "both"), ("LOG_LEVEL", "loud"),
        ("NO_LIMITS", "yes"), ("TEST_AUTHORITY", "one"), ("METRICS_TOKEN", "short"), ("FORWARDED_BY", "a b"),
        ("CONNECTIONS", "0"), ("POOL", "0"), ("SHUTDOWN_SECONDS", "1e9"),
    ])
    func mistakesEndTheStart(name: String, value: String) throws {
        let (status, text) = try start([name: value])
        #expect(status == 2)
        #expect(text.hasPrefix("attest-service: ") && text.split(separator: "\n").count == 1, "\(text)")
        #expect(text.contains(name) && !text.contains("s3cret"))
    }

    @Test(arguments: ["DATABASE", "SESSION_SECRET", "APP_ID"])
    func whatHasNoDefaultIsAskedFor(name: String) throws {
        let (status, text) = try start([name: nil])
        #expect(status == 2 && text == "attest-service: \(name) is not set\n")
    }

    @Test func aPortThatIsTakenIsSaid() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let (status, text) = try start(["PORT": String(service.port)])
        #expect(status == 2 && text.contains("PORT") && text.split(separator: "\n").count == 1)
    }

    @Test func argumentsAreNoSettings() throws {
        #expect(try start([:], ["--help"]).status == 0)
        let (status, text) = try start([:], ["--port", "80"])
        #expect(status == 2 && text.contains("SESSION_SECRET"))
    }

    private func start(
        _ settings: [String: String?], _ arguments: [String] = []
    ) throws -> (status: Int32, text: String) {
        var environment = RunningService.environment(database: "memory")
        for (name, value) in settings { environment[name] = value }
        let process = Process()
        process.executableURL = RunningService.executable
        process.arguments = arguments
        process.environment = environment
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
