import Foundation
import Testing

/// A separate PostgreSQL server for the tests. It listens on a socket in its own folder, and touches nothing else on
/// the machine.
///
/// `@unchecked` is safe because only one thread starts and ends the server, and all other threads use only constant
/// state.
final class PostgreSQLServer: @unchecked Sendable {
    /// The folder of `initdb` and `pg_ctl`. `test.sh` sets this variable.
    static let programs = ProcessInfo.processInfo.environment["PUREATTEST_POSTGRES_BIN"]

    static let shared = Result { try PostgreSQLServer() }

    let folder: TemporaryFolder
    private let port: Int
    private let settings: [String]
    private var process = Process()
    private var data: String { folder.url.appending(path: "data").path }

    /// `port` is a part of the socket's name. `settings` are settings of `postgres` that override the tests' defaults.
    init(in folder: TemporaryFolder? = nil, port: Int = 5_432, settings: [String] = []) throws {
        self.folder = try folder ?? TemporaryFolder()
        self.port = port
        self.settings = settings + ["port=\(port)"]
        // PostgreSQL does not run as root, so the user `postgres` must own the folder.
        if getuid() == 0 { try Self.run("/bin/chown", ["-R", "postgres", self.folder.url.path]) }
        let (path, arguments) = try program("initdb", ["-D", data, "-A", "trust", "-U", "postgres"])
        try Self.run(path, arguments)
        try start()
    }

    deinit { try? kill() }

    func connectionString(schema: String = "public") -> String {
        let path = folder.url.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "postgresql://postgres@:\(port)/postgres?host=\(path)&options=-c%20search_path%3D\(schema)"
    }

    /// Returns a connection string with a new schema, so that each store starts empty.
    func newSchema() throws -> String {
        let name = "s" + UUID().uuidString.filter(\.isHexDigit).lowercased()
        try sql("CREATE SCHEMA \(name)")
        return connectionString(schema: name)
    }

    @discardableResult func sql(_ statement: String, schema: String = "public") throws -> String {
        try Self.run(
            "/usr/bin/env",
            ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statement, connectionString(schema: schema)])
    }

    /// Waits until the server answers. After a kill, it can start only when the previous processes have ended.
    func start() throws {
        let (path, arguments) = try program(
            "postgres",
            ["-D", data, "-k", folder.url.path, "-c", "listen_addresses=", "-c", "max_connections=200"]
                + settings.flatMap { ["-c", $0] })
        let end = Date().addingTimeInterval(30)
        while Date() < end {
            if !process.isRunning {
                process = Process()
                process.executableURL = URL(filePath: path)
                process.arguments = arguments
                process.currentDirectoryURL = URL(filePath: "/")
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
            }
            if (try? sql("SELECT 1")) == "1" { return }
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw Failed(text: "PostgreSQL did not start")
    }

    /// Sends signal 9 to the server's first process. The other processes then end by themselves.
    func kill() throws {
        let text = try String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8)
        let first = try #require(text.split(separator: "\n").first.flatMap { Int32($0) })
        Foundation.kill(first, SIGKILL)
        process.waitUntilExit()
    }

    private func program(_ name: String, _ arguments: [String]) throws -> (String, [String]) {
        let path = try #require(Self.programs) + "/" + name
        return getuid() == 0
            ? ("/usr/bin/env", ["runuser", "-u", "postgres", "--", path] + arguments) : (path, arguments)
    }

    /// Returns the output without the last line end. The output goes to a file, because a server that the program
    /// starts would hold a pipe open.
    @discardableResult static func run(_ path: String, _ arguments: [String]) throws -> String {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "output")
        try Data().write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: "/")
        let output = try FileHandle(forWritingTo: file)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: file, encoding: .utf8)
        guard process.terminationStatus == 0 else { throw Failed(text: text) }
        return text.trimmingCharacters(in: .newlines)
    }

    struct Failed: Error { let text: String }
}

extension Trait where Self == ConditionTrait {
    static var withPostgreSQL: Self {
        .enabled(if: PostgreSQLServer.programs != nil, "PUREATTEST_POSTGRES_BIN is not set")
    }

    static var withJavaScript: Self {
        .enabled(if: RunningService.Program.module != nil, "PUREATTEST_PARTY_MODULE is not set")
    }
}
