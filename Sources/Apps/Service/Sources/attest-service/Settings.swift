import AttestMiddleware
import AttestService
import HTTPTypes
import Logging
import NIOCore
import PureAttest
import PureAttestServer
import PureBytes
import PureSHA2

/// The reason why the service does not start, in one line: the problem, then the remedy.
struct SettingsError: Error {
    let line: String
    init(_ line: String) { self.line = line }
}

/// The service's settings, read from the environment and checked before the service opens a file or connection.
struct Settings {
    enum Database: Equatable {
        case memory
        case sqlite(path: String)
        case postgreSQL(String)
    }

    let database: Database
    let host: String
    let port: Int
    let sessionKeys: SessionKeys
    let apps: AppSettings
    let android: AndroidSettings?
    let relyingParty: RelyingPartyConfiguration
    let connection: ConnectionLimits
    let hasLimits: Bool
    let generation: Generation?
    let purchases: PurchaseSettings?
    let forwardedBy: HTTPField.Name?
    let connections: Int
    let poolSize: Int
    let storeTimeout: Int
    let shutdown: Int
    let metricsToken: [UInt8]?
    let testAuthority: UInt64?
    let logLevel: Logger.Level
    let selfTest: Bool
    let deprecated: [Setting]

    init(_ environment: [String: String]) throws(SettingsError) { try self.init(reading: Variables(environment)) }

    init(reading variables: Variables) throws(SettingsError) {
        deprecated = variables.deprecated
        database = try Self.database(variables.required(.database))
        sessionKeys = try Self.sessionKeys(variables)
        apps = try variables.apps()
        android = try variables.android()
        host = variables.text(.host) ?? "127.0.0.1"
        port = try variables.number(.port) ?? 8_080
        connections = try variables.number(.connections) ?? 10_000
        poolSize = try variables.number(.pool) ?? 8
        storeTimeout = try variables.number(.storeSeconds) ?? 5
        shutdown = try variables.number(.shutdownSeconds) ?? 10
        testAuthority = try variables.number(.testAuthority).map { UInt64($0) }
        logLevel = try variables.choice(.logLevel, Logger.Level.allCases.map { ($0.rawValue, $0) }) ?? .info
        selfTest = try variables.flag(.selfTest)
        forwardedBy = try Self.forwardedBy(variables)
        metricsToken = try Self.metricsToken(variables)
        generation = try variables.generation()
        hasLimits = try !variables.flag(.noLimits)
        var party = try variables.relyingParty(hasLimits: hasLimits)
        if let generation {
            let budget = try variables.budget(atLeast: generation.maximumTokens)
            party.budget = budget
            purchases = try variables.purchases(of: apps.accepted[0].id, besides: budget)
        } else {
            purchases = nil
        }
        relyingParty = party
        var connection = try variables.connectionLimits(hasLimits: hasLimits, isForwarded: forwardedBy != nil)
        if let generation {
            // Allow the time of the longest answer, and ten seconds to transmit it.
            connection.response = max(connection.response, .seconds(Int64(generation.seconds) + 10))
        }
        self.connection = connection
    }

    private static func database(_ text: String) throws(SettingsError) -> Database {
        if text == "memory" { return .memory }
        if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") { return .postgreSQL(text) }
        // Reject libpq's keyword form and malformed URLs, because they would become a file name that contains the
        // password.
        let keyword = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let isKeywords = ["host", "hostaddr", "port", "dbname", "user", "password", "service", "sslmode"]
            .contains { keyword.elementsEqual($0.utf8) && keyword.count < text.utf8.count }
        guard !text.contains("://"), !isKeywords, !text.utf8.starts(with: "postgres:".utf8),
            !text.utf8.starts(with: "postgresql:".utf8)
        else {
            throw SettingsError("\(Setting.database.variable) must be a path, postgresql://… or memory")
        }
        return .sqlite(path: text)
    }

    /// Derives the name of each secret from the secret itself, so that all processes agree on the names and a rotation
    /// needs no further setting.
    private static func sessionKeys(_ variables: Variables) throws(SettingsError) -> SessionKeys {
        _ = try variables.required(.sessionSecret)
        var keys: [SessionKey] = []
        for setting in [Setting.sessionSecret, .formerSessionSecret] {
            guard let secret = try variables.secret(setting) else { continue }
            // A truncated hash reveals nothing about the secret.
            let id = hexEncodedString(
                [UInt8](SHA256.hash(data: Array("PureAttest kid".utf8) + secret)).prefix(8))
            guard let key = SessionKey(id: id, secret: secret) else {
                throw SettingsError("\(setting.variable) must be 32 bytes or more in hexadecimal")
            }
            keys.append(key)
        }
        return SessionKeys(current: keys[0], former: Array(keys.dropFirst()))
    }

    private static func forwardedBy(_ variables: Variables) throws(SettingsError) -> HTTPField.Name? {
        guard let header = variables.text(.forwardedBy) else { return nil }
        guard let name = HTTPField.Name(header) else {
            throw SettingsError(
                "\(Setting.forwardedBy.variable) must be the name of a header, such as X-Forwarded-For")
        }
        return name
    }

    private static func metricsToken(_ variables: Variables) throws(SettingsError) -> [UInt8]? {
        guard let token = variables.text(.metricsToken) else { return nil }
        guard token.utf8.count >= 16 else {
            throw SettingsError(
                "\(Setting.metricsToken.variable) must have 16 characters or more; make one with openssl rand -hex 16")
        }
        return Array(token.utf8)
    }
}
