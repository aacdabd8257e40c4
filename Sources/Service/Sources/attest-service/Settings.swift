import AttestMiddleware
import AttestService
import Foundation
import HTTPTypes
import Logging
import NIOCore
import PureAttest
import PureAttestServer
import PureBytes
import PureSHA2

/// Why the service does not start: one line for whoever starts it.
struct SettingsError: Error {
    let line: String
    init(_ line: String) { self.line = line }
}

/// The service's settings, all from the environment and all checked before anything is opened.
struct Settings {
    enum Database: Equatable {
        case memory
        case sqlite(path: String)
        case postgreSQL(String)
    }

    var database: Database
    var host = "127.0.0.1"
    var port = 8_080
    var sessionKeys: SessionKeys
    var app: AppID
    var environment = PureAttest.Environment.production
    var answers = AnswerPolicy.precise
    var limits: RelyingPartyConfiguration.Limits
    var budget: Budget?
    var generation: Generation?
    var enrolment = Enrolment()
    var forwardedBy: HTTPField.Name?
    var connections = 10_000
    var connection = ConnectionLimits()
    var poolSize = 8
    var storeTimeout = 5
    var shutdown = 10
    var metricsToken: [UInt8]?
    var android: AndroidSettings?
    var testAuthority: UInt64?
    var logLevel = Logger.Level.info
    var selfTest = false

    /// Name, what it is, and its default. `attest-service --help` prints them.
    static let descriptions: [(name: String, text: String)] = [
        ("DATABASE", "an SQLite file, postgresql://…, or \"memory\", which forgets all keys at the end"),
        ("SESSION_SECRET", "hexadecimal, 32 bytes or more; the same in all processes and after a restart"),
        ("FORMER_SESSION_SECRET", "the one before, for as long as its tokens live"),
        ("APP_ID", "such as A1B2C3D4E5.com.example.app"),
        ("APP_ENVIRONMENT", "production (default) or development"),
        (
            "ANDROID_APPS",
            "package=digest, with commas in between: Android apps that are accepted besides, each with the SHA-256 of its signing certificate in hexadecimal, of several with + in between"
        ),
        (
            "ANDROID_REVOCATION_LIST",
            "a file with Google's list (android.googleapis.com/attestation/status), read again when it changes; needed with ANDROID_APPS. Once it is three days old no Android key is registered"
        ),
        ("ANDROID_LEVEL", "where Android keys have to be kept: tee (default) or strongbox"),
        ("ANSWERS", "precise (default) or uniform"),
        ("HOST, PORT", "where to listen: 127.0.0.1 and 8080; port 0 is any free one, and is printed"),
        (
            "ADDRESS_PER_MINUTE",
            "challenges, registrations and authentications of one network address: 600; 0 is any number"
        ),
        (
            "ENROLMENT_PER_SECOND",
            "new keys, over all processes: 50; 0 is any number. Apple's advice is to stay under 100 (PROCESSES)"
        ),
        ("ENROLMENT_PER_ADDRESS", "new keys of one network address in a minute: 120; 0 is any number"),
        (
            "ENROLMENT_PER_THOUSAND",
            "how many of a thousand devices may make keys: 1000. By key identifier, as this service knows no accounts"
        ),
        (
            "ENROLMENT_FROM, ENROLMENT_UNTIL",
            "instead: nobody before, all after, evenly in between; in seconds since 1970"
        ),
        ("ENROLMENT_NAME", "of the roll-out: another name puts each device at another place"),
        ("PROCESSES", "how many share the pace of ENROLMENT_PER_SECOND: 1. Each has its own of all other limits"),
        (
            "FORWARDED_BY",
            "the header in which your proxy writes the client's address last; then CONNECTIONS_PER_ADDRESS is 0"
        ),
        ("CONNECTIONS", "at most: 10000, or what the limit of descriptors allows"),
        ("CONNECTIONS_PER_ADDRESS", "at most: 256; 0 is any number"),
        ("HEADER_SECONDS, BODY_SECONDS, IDLE_SECONDS", "what a client may take: 10, 15, 30"),
        ("POOL", "connections to PostgreSQL: 8"),
        ("STORE_SECONDS", "what the store may take for one call: 5"),
        ("SHUTDOWN_SECONDS", "after SIGTERM or SIGINT: 10"),
        ("METRICS_TOKEN", "the bearer token of /metrics, 16 characters or more; without it there is no such route"),
        (
            "GENERATE_URL",
            "a language model's chat completions, https://…: POST /generate streams from it. Without it there is no such route"
        ),
        ("GENERATE_KEY", "the service's own key for it"),
        ("GENERATE_KEY_HEADER", "the header that has the key: Authorization, after Bearer"),
        ("GENERATE_MODELS", "which may be asked for, with commas in between; the first unless a request says"),
        (
            "GENERATE_TOKENS",
            "the most tokens of an answer: 1024. So many are reserved until it is known how many it used"
        ),
        (
            "GENERATE_BYTES_PER_TOKEN",
            "for how many bytes of a request one more token is reserved: 1, as none is shorter; 0 for none, where prompts are not counted"
        ),
        ("GENERATE_TOKENS_MEMBER", "how the model calls that number: max_tokens"),
        ("GENERATE_MEMBERS", "what else of a request is passed on, such as temperature,top_p: nothing"),
        ("GENERATE_USAGE", "where answers say what they used: usage.total_tokens"),
        ("GENERATE_SECONDS", "what an answer may take, to its end: 120"),
        ("BUDGET_DAYS", "the period of each key's budget of GENERATE_URL, counted from 1970 on: 1"),
        ("BUDGET_REQUESTS, BUDGET_UNITS", "how many requests and tokens in a period; needed with GENERATE_URL"),
        (
            "SELF_TEST",
            "1: known answers are computed at the start, and a program that computes others does not start"
        ),
        ("LOG_LEVEL", "trace, debug, info (default), notice, warning, error or critical"),
        ("NO_LIMITS", "1: no limits by key and address, and no pace of enrolment, for a load run"),
        ("TEST_AUTHORITY", "a seed: trusts virtual devices in place of Apple's. Never on a real server"),
    ]

    init(_ variables: [String: String]) throws(SettingsError) {
        let read = Variables(values: variables)
        database = try Self.database(read.required("DATABASE"))
        let secret = try read.secret("SESSION_SECRET")
        guard let secret else { throw SettingsError("SESSION_SECRET is not set") }
        let former = try read.secret("FORMER_SESSION_SECRET")
        // The name of a secret follows from it, so that all processes agree and a rotation needs no other setting.
        var formerKeys: [SessionKey] = []
        if let former { formerKeys.append(try Self.key(former)) }
        sessionKeys = SessionKeys(current: try Self.key(secret), former: formerKeys)
        let appID = try read.required("APP_ID")
        let parts = appID.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].count == 10, !parts.contains(where: \.isEmpty), appID.utf8.count <= 255 else {
            throw SettingsError("APP_ID is not a team identifier of 10 characters, a dot and a bundle identifier")
        }
        app = AppID(bytes: Array(appID.utf8))
        environment =
            try read.choice("APP_ENVIRONMENT", ["production": .production, "development": .development]) ?? .production
        android = try read.android()
        answers = try read.choice("ANSWERS", ["precise": .precise, "uniform": .uniform]) ?? .precise
        if let host = try read.text("HOST") { self.host = host }
        port = try read.number("PORT", 0...65_535) ?? port
        connections = try read.number("CONNECTIONS", 1...1_000_000) ?? connections
        poolSize = try read.number("POOL", 1...256) ?? poolSize
        storeTimeout = try read.number("STORE_SECONDS", 1...60) ?? storeTimeout
        shutdown = try read.number("SHUTDOWN_SECONDS", 1...300) ?? shutdown
        testAuthority = try read.number("TEST_AUTHORITY", 0...Int.max).map { UInt64($0) }
        if let seconds = try read.number("HEADER_SECONDS", 1...300) { connection.header = .seconds(Int64(seconds)) }
        if let seconds = try read.number("BODY_SECONDS", 1...300) { connection.body = .seconds(Int64(seconds)) }
        if let seconds = try read.number("IDLE_SECONDS", 1...3_600) { connection.idle = .seconds(Int64(seconds)) }
        let levels = Dictionary(uniqueKeysWithValues: Logger.Level.allCases.map { ($0.rawValue, $0) })
        logLevel = try read.choice("LOG_LEVEL", levels) ?? .info
        selfTest = try read.choice("SELF_TEST", ["1": true, "0": false]) ?? false
        if let header = try read.text("FORWARDED_BY") {
            guard let name = HTTPField.Name(header) else {
                throw SettingsError("FORWARDED_BY is not the name of a header")
            }
            forwardedBy = name
            connection.perAddress = nil
        }
        if let most = try read.number("CONNECTIONS_PER_ADDRESS", 0...1_000_000) {
            connection.perAddress = most == 0 ? nil : most
        }
        if let token = try read.text("METRICS_TOKEN") {
            guard token.utf8.count >= 16 else { throw SettingsError("METRICS_TOKEN has fewer than 16 characters") }
            metricsToken = Array(token.utf8)
        }
        limits = RelyingPartyConfiguration.Limits()
        if let perMinute = try read.number("ADDRESS_PER_MINUTE", 0...1_000_000) {
            limits.sources =
                perMinute == 0 ? nil : RateLimit(burst: UInt32(perMinute / 6), perMinute: UInt32(perMinute))
        }
        enrolment = try Self.enrolment(read)
        if let perMinute = try read.number("ENROLMENT_PER_ADDRESS", 0...1_000_000) {
            limits.enrolments = perMinute == 0 ? nil : RateLimit(burst: UInt32(perMinute), perMinute: UInt32(perMinute))
        }
        generation = try read.generation()
        if let generation {
            budget = try read.budget(atLeast: generation.maximumTokens)
            // What an answer may take at most, and the rest of its way.
            connection.response = max(connection.response, .seconds(Int64(generation.seconds) + 10))
        }
        if try read.choice("NO_LIMITS", ["1": true, "0": false]) ?? false {
            // A load run signs with few keys and much oftener than a user's device does.
            limits.authentications = nil
            limits.requests = nil
            limits.unattested = nil
            limits.sources = nil
            limits.failures = nil
            limits.registrations = nil
            limits.enrolments = nil
            enrolment.keysPerSecond = nil
            connection.perAddress = nil
        }
    }

    private static func enrolment(_ read: Variables) throws(SettingsError) -> Enrolment {
        var enrolment = Enrolment()
        if let pace = try read.number("ENROLMENT_PER_SECOND", 0...1_000_000) {
            enrolment.keysPerSecond = pace == 0 ? nil : UInt32(pace)
        }
        enrolment.processes = UInt32(try read.number("PROCESSES", 1...100_000) ?? 1)
        enrolment.name = try read.text("ENROLMENT_NAME") ?? ""
        let share = try read.number("ENROLMENT_PER_THOUSAND", 0...1_000)
        // The year 9999, RFC 3339's last.
        let times = 0...253_402_300_799
        let (start, end) = (try read.number("ENROLMENT_FROM", times), try read.number("ENROLMENT_UNTIL", times))
        switch (share, start, end) {
        case (nil, nil, nil): break
        case (let share?, nil, nil): enrolment.rollout = .share(perThousand: UInt32(share))
        case (nil, let start?, let end?) where start < end:
            enrolment.rollout = .gradual(
                from: UnixTime(secondsSince1970: Int64(start)), until: UnixTime(secondsSince1970: Int64(end)))
        case (nil, _, _): throw SettingsError("ENROLMENT_FROM and ENROLMENT_UNTIL are not a time and a later one")
        default: throw SettingsError("ENROLMENT_PER_THOUSAND and ENROLMENT_FROM, ENROLMENT_UNTIL exclude each other")
        }
        return enrolment
    }

    private static func database(_ text: String) throws(SettingsError) -> Database {
        if text == "memory" { return .memory }
        if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") { return .postgreSQL(text) }
        guard !text.contains("://") else {
            throw SettingsError("DATABASE is neither a path nor postgresql://… nor \"memory\"")
        }
        return .sqlite(path: text)
    }

    private static func key(_ secret: [UInt8]) throws(SettingsError) -> SessionKey {
        // Nothing of the secret can be had from a part of a hash.
        let id = hexEncodedString([UInt8](SHA256.hash(data: Array("PureAttest kid".utf8) + secret)).prefix(8))
        guard let key = SessionKey(id: id, secret: secret) else {
            throw SettingsError("SESSION_SECRET has fewer than 32 bytes")
        }
        return key
    }
}
