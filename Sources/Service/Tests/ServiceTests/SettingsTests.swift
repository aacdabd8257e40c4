import Foundation
import ServiceClient
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
        ("NO_LIMITS", "yes"), ("SELF_TEST", "yes"), ("TEST_AUTHORITY", "one"), ("METRICS_TOKEN", "short"),
        ("FORWARDED_BY", "a b"),
        ("CONNECTIONS", "0"), ("POOL", "0"), ("SHUTDOWN_SECONDS", "1e9"),
        ("ENROLMENT_PER_SECOND", "-1"), ("ENROLMENT_PER_ADDRESS", "many"), ("ENROLMENT_PER_THOUSAND", "1001"),
        ("ENROLMENT_FROM", "1800000000"), ("ENROLMENT_UNTIL", "2026-12-01"), ("PROCESSES", "0"),
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

    /// Each of these is one mistake of two settings.
    @Test(arguments: [
        ["ENROLMENT_FROM": "1800000000", "ENROLMENT_UNTIL": "1700000000"],
        ["ENROLMENT_PER_THOUSAND": "10", "ENROLMENT_FROM": "1700000000", "ENROLMENT_UNTIL": "1800000000"],
        ["ENROLMENT_PER_THOUSAND": "10", "ENROLMENT_UNTIL": "1800000000"],
    ])
    func aRolloutIsOneOfTwo(settings: [String: String]) throws {
        let (status, text) = try start(settings.mapValues { $0 })
        #expect(status == 2 && text.contains("ENROLMENT_") && text.split(separator: "\n").count == 1)
    }

    /// Each of these is a mistake of the settings of `/generate`, which are good without it.
    @Test(arguments: [
        ("GENERATE_URL", "http://model.example/v1"), ("GENERATE_URL", "https://u:p@model.example/"),
        ("GENERATE_URL", "model"), ("GENERATE_URL", "ftp://localhost/"), ("GENERATE_KEY", nil),
        ("GENERATE_KEY", "a\r\nb"), ("GENERATE_MODELS", nil), ("GENERATE_MODELS", "a,,b"), ("GENERATE_TOKENS", "0"),
        ("GENERATE_TOKENS", "1001"), ("GENERATE_BYTES_PER_TOKEN", "-1"), ("GENERATE_BYTES_PER_TOKEN", "1001"),
        ("GENERATE_MEMBERS", "n"), ("GENERATE_MEMBERS", "max_tokens"),
        ("GENERATE_TOKENS_MEMBER", "stream"), ("GENERATE_USAGE", "usage."), ("GENERATE_SECONDS", "0"),
        ("GENERATE_KEY_HEADER", "a b"), ("GENERATE_KEY_HEADER", "Content-Type"), ("BUDGET_REQUESTS", nil),
        ("BUDGET_UNITS", nil), ("BUDGET_UNITS", "9007199254740992"), ("BUDGET_DAYS", "0"), ("BUDGET_DAYS", "3661"),
    ])
    func mistakesOfGenerationEndTheStart(name: String, value: String?) throws {
        var settings: [String: String?] = [
            "GENERATE_URL": "https://model.example/v1/chat/completions", "GENERATE_KEY": "s3cret",
            "GENERATE_MODELS": "small", "BUDGET_REQUESTS": "10", "BUDGET_UNITS": "1000", "GENERATE_TOKENS": "100",
        ]
        settings[name] = .some(value)
        let (status, text) = try start(settings)
        #expect(status == 2 && text.split(separator: "\n").count == 1, "\(text)")
        #expect(text.contains(name) && !text.contains("s3cret"))
    }

    /// Every variable that is read has its line in the help, and no other.
    @Test func theHelpHasAllSettings() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/attest-service")
        let code = try ["Settings.swift", "GenerationSettings.swift", "AndroidSettings.swift"].map {
            try String(contentsOf: sources.appending(path: $0), encoding: .utf8)
        }.joined()
        let read = Set(
            code.matches(of: /[. (](?:text|number|choice|secret|required|list)\("([A-Z_]+)"/).map { String($0.1) })
        let help = try start([:], ["--help"], output: true).text
        let listed = help.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .flatMap { $0.trimmingCharacters(in: .whitespaces).components(separatedBy: ", ") }
        #expect(read.count > 20 && read == Set(listed) && listed.count == read.count)
        // Names in the texts are names of settings too.
        let named = Set(help.matches(of: /\b[A-Z]+_[A-Z_]+\b/).map { String($0.0) })
        #expect(named.isSubset(of: read), "\(named.subtracting(read))")
    }

    /// The settings of enrolment reach what decides: a device that may not make a key now is told to do so later.
    @Test func enrolmentIsAsSet() throws {
        func answers(_ settings: [String: String], _ count: Int = 8) throws -> [HTTPAnswerReceived] {
            let service = try RunningService(database: "memory", limits: true, settings)
            let connection = try service.connect()
            return try (0..<count).map { number in
                let keyID = Data(repeating: UInt8(number), count: 32).base64EncodedString()
                return try connection.send(
                    "POST", "/challenge", json: ["purpose": "attestation", "keyID": keyID])
            }
        }
        func admitted(_ settings: [String: String], _ count: Int = 8) throws -> Int {
            let answers = try answers(settings, count)
            #expect(answers.allSatisfy { $0.status == 200 || $0.status == 429 && $0.body["error"] == "enrolLater" })
            return answers.filter { $0.status == 200 }.count
        }
        #expect(try admitted([:]) == 8)
        #expect(try admitted(["ENROLMENT_PER_THOUSAND": "0"]) == 0)
        #expect(try answers(["ENROLMENT_FROM": "4000000000", "ENROLMENT_UNTIL": "4000000001"], 1)[0].retryAfter != nil)
        #expect(try admitted(["ENROLMENT_FROM": "1000000000", "ENROLMENT_UNTIL": "1000000001"]) == 8)
        #expect(try admitted(["ENROLMENT_PER_ADDRESS": "3"]) == 3)
        // A second or two may pass meanwhile.
        #expect(3...5 ~= (try admitted(["ENROLMENT_PER_SECOND": "3"])))
        #expect(1...3 ~= (try admitted(["ENROLMENT_PER_SECOND": "8", "PROCESSES": "8"])))
        let (half, other) = (
            ["ENROLMENT_PER_THOUSAND": "500"], ["ENROLMENT_PER_THOUSAND": "500", "ENROLMENT_NAME": "b"]
        )
        let statuses = try [half, half, other].map { try answers($0, 40).map(\.status) }
        #expect(statuses[0] == statuses[1] && statuses[0] != statuses[2])
    }

    @Test func aPortThatIsTakenIsSaid() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let (status, text) = try start(["PORT": String(service.port)])
        #expect(status == 2 && text.contains("PORT") && text.split(separator: "\n").count == 1)
    }

    @Test func aSelfTestThatPassesIsLogged() throws {
        let folder = try TemporaryFolder()
        let errors = folder.url.appending(path: "errors")
        let service = try RunningService(
            database: "memory", errors: errors, ["SELF_TEST": "1", "LOG_LEVEL": "info"])
        #expect(try service.connect().send("GET", "/health").status == 200)
        #expect(try String(contentsOf: errors, encoding: .utf8).contains("The self-test has passed"))
    }

    /// A copy of the program with one bit changed in the last number of P-256's table, which hardly anything reads: with the setting
    /// it does not start, and makes no database.
    @Test func aDamagedProgramDoesNotStart() throws {
        let folder = try TemporaryFolder()
        let damaged = folder.url.appending(path: "damaged")
        let table = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../PureECDSA/Generated/P256GeneratorTable.swift")
        let digits = try #require(String(contentsOf: table, encoding: .utf8).matches(of: /0x([0-9a-f_]+)/).last?.1)
        let number = try #require(UInt64(digits.replacing("_", with: ""), radix: 16))
        let pattern = withUnsafeBytes(of: number.littleEndian) { Data($0) }
        var program = try Data(contentsOf: RunningService.executable)
        // Where it is not optimised it is there twice.
        while let place = program.range(of: pattern)?.lowerBound { program[place] ^= 0x10 }
        try program.write(to: damaged)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: damaged.path)

        // An address that is none: without the self-test the start goes on to it, and ends there.
        var settings = ["DATABASE": folder.database.path, "HOST": "256.1.1.1", "SELF_TEST": "1"]
        let (status, text) = try start(settings, executable: damaged)
        #expect(status == 2 && text == "attest-service: SELF_TEST: generatorTableP256 is not as it has to be\n")
        #expect(!FileManager.default.fileExists(atPath: folder.database.path))
        settings["SELF_TEST"] = "0"
        #expect(try start(settings, executable: damaged).text.hasPrefix("attest-service: HOST, PORT: "))
    }

    @Test func argumentsAreNoSettings() throws {
        #expect(try start([:], ["--help"]).status == 0)
        let (status, text) = try start([:], ["--port", "80"])
        #expect(status == 2 && text.contains("SESSION_SECRET"))
    }

    /// Its status, and what it writes to standard error, or to standard output.
    private func start(
        _ settings: [String: String?], _ arguments: [String] = [], output: Bool = false,
        executable: URL = RunningService.executable
    ) throws -> (status: Int32, text: String) {
        var environment = RunningService.environment(database: "memory")
        for (name, value) in settings { environment[name] = value }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        let errors = Pipe()
        process.standardError = output ? FileHandle.nullDevice : errors
        process.standardOutput = output ? errors : FileHandle.nullDevice
        try process.run()
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
