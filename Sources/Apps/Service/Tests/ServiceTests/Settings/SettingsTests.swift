import Foundation
import ServiceClient
import Testing

/// Tests that the service prints one line with the reason and exits with status 2 if it cannot start.
@Suite struct SettingsTests {
    @Test(arguments: [
        ("ATTEST_PORT", "-1"), ("ATTEST_PORT", "99999"), ("ATTEST_PORT", ""), ("ATTEST_PORT", "http"),
        ("ATTEST_HOST", "256.1.1.1"),
        ("ATTEST_DATABASE", ""), ("ATTEST_DATABASE", "/"), ("ATTEST_DATABASE", "/nonexistent/store.sqlite"),
        ("ATTEST_DATABASE", "mysql://h/x"),
        ("ATTEST_DATABASE", "postgresql://user:s3cret@127.0.0.1:1/x"),
        ("ATTEST_DATABASE", "postgresql://user:s3cret@db.example/x"),
        ("ATTEST_DATABASE", "postgresql://user:s3cret@127.0.0.1:99999999/x?nothing=1"),
        ("ATTEST_DATABASE", "postgresql://user:s3cret@x/y@127.0.0.1:1/d?sslmode=disable"),
        ("ATTEST_DATABASE", "postgresql://user:s3cret/x@127.0.0.1:1/d?sslmode=disable"),
        ("ATTEST_DATABASE", "host=127.0.0.1 port=1 user=u password=s3cret"), ("ATTEST_DATABASE", "dbname=d"),
        ("ATTEST_DATABASE", "postgresql:/user:s3cret@h/d"),
        ("ATTEST_SESSION_SECRET", "5a5a"),
        ("ATTEST_SESSION_SECRET", String(repeating: "5g", count: 32)), ("ATTEST_FORMER_SESSION_SECRET", "x"),
        ("ATTEST_APP_ID", "example"),
        ("ATTEST_APP_ID", "TEST123456."), ("ATTEST_APP_ID", "TEST123456.a,"),
        ("ATTEST_APP_ID", "TEST12345.com.example"),
        ("ATTEST_APP_ID", "TEST123456.a,TEST123456.a"), ("ATTEST_APP_ID", "TEST123456.a=iOS"),
        ("ATTEST_LAUNCH_CATEGORIES", "appstore"), ("ATTEST_LAUNCH_MINIMUM_VERSION", "4.b"),
        ("ATTEST_LAUNCH_BUILDS", "00"), ("ATTEST_LAUNCH_BUILDS", String(repeating: "0", count: 40)),
        ("ATTEST_SYSTEM_MINIMUM_VERSION", "18.x"), ("ATTEST_SYSTEM_UNKNOWN", "1"), ("ATTEST_ENROLMENT_NAME", "b"),
        ("ATTEST_SYSTEM_BUILDS", "ä"), ("ATTEST_COUNTER_POLICY", "loose"),
        ("ATTEST_SESSION_USE", "twice"), ("ATTEST_LAUNCH_MISSING", "yes"), ("ATTEST_APP_ENVIRONMENT", "staging"),
        ("ATTEST_ANSWERS", "both"), ("ATTEST_LOG_LEVEL", "loud"),
        ("ATTEST_NO_LIMITS", "yes"), ("ATTEST_SELF_TEST", "yes"), ("ATTEST_TEST_AUTHORITY", "one"),
        ("ATTEST_METRICS_TOKEN", "short"),
        ("ATTEST_FORWARDED_BY", "a b"),
        ("ATTEST_CONNECTIONS", "0"), ("ATTEST_POOL", "0"), ("ATTEST_SHUTDOWN_SECONDS", "1e9"),
        ("ATTEST_ENROLMENT_PER_SECOND", "-1"), ("ATTEST_ENROLMENT_PER_ADDRESS", "many"),
        ("ATTEST_ENROLMENT_PER_THOUSAND", "1001"),
        ("ATTEST_ENROLMENT_FROM", "1800000000"), ("ATTEST_ENROLMENT_UNTIL", "2026-12-01"), ("ATTEST_PROCESSES", "0"),
    ])
    func mistakesEndTheStart(name: String, value: String) throws {
        let (status, text) = try start([name: value])
        #expect(status == 2)
        #expect(text.hasPrefix("attest-service: ") && text.split(separator: "\n").count == 1, "\(text)")
        #expect(text.contains(name) && !text.contains("s3cret"))
    }

    @Test(arguments: ["ATTEST_DATABASE", "ATTEST_SESSION_SECRET", "ATTEST_APP_ID"])
    func requiredSettingsAreNamed(name: String) throws {
        let (status, text) = try start([name: nil])
        #expect(status == 2 && text.hasPrefix("attest-service: \(name) is not set; set it to "))
        #expect(text.split(separator: "\n").count == 1)
    }

    /// Each argument is one conflict between settings.
    @Test(arguments: [
        ["ATTEST_ENROLMENT_FROM": "1800000000", "ATTEST_ENROLMENT_UNTIL": "1700000000"],
        [
            "ATTEST_ENROLMENT_PER_THOUSAND": "10", "ATTEST_ENROLMENT_FROM": "1700000000",
            "ATTEST_ENROLMENT_UNTIL": "1800000000",
        ],
        ["ATTEST_ENROLMENT_PER_THOUSAND": "10", "ATTEST_ENROLMENT_UNTIL": "1800000000"],
    ])
    func aRolloutIsOneOfTwo(settings: [String: String]) throws {
        let (status, text) = try start(settings.mapValues { $0 })
        #expect(status == 2 && text.contains("ATTEST_ENROLMENT_") && text.split(separator: "\n").count == 1)
    }

    /// Each argument is one fault in otherwise good settings of `/generate`.
    @Test(arguments: [
        ("ATTEST_GENERATE_URL", "http://model.example/v1"), ("ATTEST_GENERATE_URL", "https://u:p@model.example/"),
        ("ATTEST_GENERATE_URL", "model"), ("ATTEST_GENERATE_URL", "ftp://localhost/"), ("ATTEST_GENERATE_KEY", nil),
        ("ATTEST_GENERATE_KEY", "a\r\nb"), ("ATTEST_GENERATE_MODELS", nil), ("ATTEST_GENERATE_MODELS", "a,,b"),
        ("ATTEST_GENERATE_TOKENS", "0"),
        ("ATTEST_GENERATE_TOKENS", "1001"), ("ATTEST_GENERATE_BYTES_PER_TOKEN", "-1"),
        ("ATTEST_GENERATE_BYTES_PER_TOKEN", "1001"),
        ("ATTEST_GENERATE_MEMBERS", "n"), ("ATTEST_GENERATE_MEMBERS", "max_tokens"),
        ("ATTEST_GENERATE_MEMBERS", "temperature,audio"), ("ATTEST_GENERATE_MEMBERS", "modalities"),
        ("ATTEST_GENERATE_MEMBERS", "web_search_options"), ("ATTEST_GENERATE_MEMBERS", "tools"),
        ("ATTEST_GENERATE_MEMBERS", "prediction"), ("ATTEST_GENERATE_MEMBERS", "best_of"),
        ("ATTEST_GENERATE_MEMBERS", "max_completion_tokens"), ("ATTEST_GENERATE_PARTS", "image_url"),
        ("ATTEST_GENERATE_PARTS", "image_url=0"), ("ATTEST_GENERATE_PARTS", "image_url=x"),
        ("ATTEST_GENERATE_PARTS", "text=1"), ("ATTEST_GENERATE_PARTS", "a=1,a=2"), ("ATTEST_GENERATE_PARTS", "=1"),
        ("ATTEST_GENERATE_TOKENS_MEMBER", "stream"), ("ATTEST_GENERATE_USAGE", "usage."),
        ("ATTEST_GENERATE_SECONDS", "0"),
        ("ATTEST_GENERATE_KEY_HEADER", "a b"), ("ATTEST_GENERATE_KEY_HEADER", "Content-Type"),
        ("ATTEST_BUDGET_REQUESTS", nil),
        ("ATTEST_BUDGET_UNITS", nil), ("ATTEST_BUDGET_UNITS", "9007199254740992"), ("ATTEST_BUDGET_DAYS", "0"),
        ("ATTEST_BUDGET_DAYS", "3661"),
        ("ATTEST_PURCHASE_PRODUCTS", "pro"), ("ATTEST_PURCHASE_PRODUCTS", "pro=10"),
        ("ATTEST_PURCHASE_PRODUCTS", "pro=10:1000:1"), ("ATTEST_PURCHASE_PRODUCTS", "pro=10:x:1000"),
        ("ATTEST_PURCHASE_PRODUCTS", "pro=:10:1000"), ("ATTEST_PURCHASE_PRODUCTS", "=10:1000"),
        ("ATTEST_PURCHASE_PRODUCTS", "pro=9:1000"), ("ATTEST_PURCHASE_PRODUCTS", "pro=10:999"),
        ("ATTEST_PURCHASE_PRODUCTS", "pro=10:9007199254740992"), ("ATTEST_PURCHASE_PRODUCTS", "pro=10:-1000"),
        ("ATTEST_PURCHASE_PRODUCTS", "pro=10:1000,pro=20:1000"), ("ATTEST_PURCHASE_SANDBOX_PRODUCTS", "pro=10:999"),
        ("ATTEST_APP_APPLE_ID", nil), ("ATTEST_APP_APPLE_ID", "0"), ("ATTEST_PURCHASE_KEYS", "101"),
        ("ATTEST_PURCHASE_PRODUCTS", nil),
    ])
    func mistakesOfGenerationEndTheStart(name: String, value: String?) throws {
        var settings: [String: String?] = [
            "ATTEST_GENERATE_URL": "https://model.example/v1/chat/completions", "ATTEST_GENERATE_KEY": "s3cret",
            "ATTEST_GENERATE_MODELS": "small", "ATTEST_BUDGET_REQUESTS": "10", "ATTEST_BUDGET_UNITS": "1000",
            "ATTEST_GENERATE_TOKENS": "100", "ATTEST_PURCHASE_PRODUCTS": "pro=10:1000", "ATTEST_APP_APPLE_ID": "42",
        ]
        settings[name] = .some(value)
        let (status, text) = try start(settings)
        #expect(status == 2 && text.split(separator: "\n").count == 1, "\(text)")
        #expect(text.contains(name) && !text.contains("s3cret"))
    }

    /// If a device may not yet register a key, the service tells it to do so later.
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
        #expect(try admitted(["ATTEST_ENROLMENT_PER_THOUSAND": "0"]) == 0)
        #expect(
            try answers(["ATTEST_ENROLMENT_FROM": "4000000000", "ATTEST_ENROLMENT_UNTIL": "4000000001"], 1)[0]
                .retryAfter != nil)
        #expect(try admitted(["ATTEST_ENROLMENT_FROM": "1000000000", "ATTEST_ENROLMENT_UNTIL": "1000000001"]) == 8)
        #expect(try admitted(["ATTEST_ENROLMENT_PER_ADDRESS": "3"]) == 3)
        // The test takes a second or two, in which the rate admits further keys.
        #expect(3...5 ~= (try admitted(["ATTEST_ENROLMENT_PER_SECOND": "3"])))
        #expect(1...3 ~= (try admitted(["ATTEST_ENROLMENT_PER_SECOND": "8", "ATTEST_PROCESSES": "8"])))
        let (half, other) = (
            ["ATTEST_ENROLMENT_PER_THOUSAND": "500"],
            ["ATTEST_ENROLMENT_PER_THOUSAND": "500", "ATTEST_ENROLMENT_NAME": "b"]
        )
        let statuses = try [half, half, other].map { try answers($0, 40).map(\.status) }
        #expect(statuses[0] == statuses[1] && statuses[0] != statuses[2])
    }

    @Test func aPortThatIsTakenIsSaid() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let (status, text) = try start(["ATTEST_PORT": String(service.port), "ATTEST_LOG_LEVEL": "info"])
        #expect(
            status == 2
                && text == "attest-service: ATTEST_PORT: \(service.port) is in use on 127.0.0.1; "
                    + "choose another or stop the other process\n"
        )
    }

    @Test(arguments: [
        ("256.1.1.1", "is not an address or a host name that resolves"),
        ("nothing.invalid", "is not an address or a host name that resolves"),
        ("203.0.113.1", "is not an address of this machine"),
    ])
    func anAddressThatIsNoneIsSaid(host: String, reason: String) throws {
        let (status, text) = try start(["ATTEST_HOST": host, "ATTEST_LOG_LEVEL": "info"])
        #expect(status == 2 && text.hasPrefix("attest-service: ATTEST_HOST: \(host) \(reason); "), "\(text)")
        #expect(text.split(separator: "\n").count == 1)
    }

    @Test func aSelfTestThatPassesIsLogged() throws {
        let folder = try TemporaryFolder()
        let errors = folder.url.appending(path: "errors")
        let service = try RunningService(
            database: "memory", errors: errors, ["ATTEST_SELF_TEST": "1", "ATTEST_LOG_LEVEL": "info"])
        #expect(try service.connect().send("GET", "/health").status == 200)
        #expect(try String(contentsOf: errors, encoding: .utf8).contains("The self-test has passed"))
    }

    /// In a copy of the program, one bit is changed in the last number of P-256's table, which is rarely read. The
    /// self-test prevents the copy from starting, and from creating a database.
    @Test func aDamagedProgramDoesNotStart() throws {
        let folder = try TemporaryFolder()
        let damaged = folder.url.appending(path: "damaged")
        let table = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../../../PureECDSA/Generated/P256GeneratorTable.swift")
        let digits = try #require(String(contentsOf: table, encoding: .utf8).matches(of: /0x([0-9a-f_]+)/).last?.1)
        let number = try #require(UInt64(digits.replacing("_", with: ""), radix: 16))
        let pattern = withUnsafeBytes(of: number.littleEndian) { Data($0) }
        var program = try Data(contentsOf: RunningService.executable)
        // An unoptimised program contains the number twice.
        while let place = program.range(of: pattern)?.lowerBound { program[place] ^= 0x10 }
        try program.write(to: damaged)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: damaged.path)

        // The malformed address ends the start without the self-test only when the service begins to listen.
        var settings = ["ATTEST_DATABASE": folder.database.path, "ATTEST_HOST": "256.1.1.1", "ATTEST_SELF_TEST": "1"]
        let (status, text) = try start(settings, executable: damaged)
        #expect(
            status == 2
                && text.hasPrefix("attest-service: ATTEST_SELF_TEST: generatorTableP256 is not as it has to be; "))
        #expect(!FileManager.default.fileExists(atPath: folder.database.path))
        settings["ATTEST_SELF_TEST"] = "0"
        #expect(try start(settings, executable: damaged).text.hasPrefix("attest-service: ATTEST_HOST: "))
    }

    @Test func argumentsAreNoSettings() throws {
        #expect(try start([:], ["--help"]).status == 0)
        let (status, text) = try start([:], ["--port", "80"])
        #expect(status == 2 && text.contains("ATTEST_SESSION_SECRET"))
    }

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
