import CPostgreSQL
import Foundation
import SQLStore

/// libpq's binary format. Each parameter declares its type, because the server would otherwise infer a type from the
/// statement.
extension SQLParameter {
    /// The type identifiers, from `SELECT oid FROM pg_type WHERE typname IN ('bytea', 'int8')`.
    var type: Oid {
        switch self {
        case .bytes: 17
        case .integer: 20
        }
    }

    var encoded: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .integer(let number): number.map { number in withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }
        }
    }
}

package struct PostgreSQLRow: SQLRow, Sendable {
    let columns: [[UInt8]?]

    package func optionalBytes(_ column: Int) throws(PostgreSQLFailure) -> [UInt8]? {
        columns.indices.contains(column) ? columns[column] : nil
    }

    package func optionalInteger(_ column: Int) throws(PostgreSQLFailure) -> Int64? {
        guard let bytes = try optionalBytes(column) else { return nil }
        guard bytes.count == 8 else { throw .foreignRow }
        return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
}

/// A connection, used by one thread at a time. After a failure with `connectionLost` or `timedOut`, it is unusable.
final class PostgreSQLConnection {
    private let connection: OpaquePointer
    private let timeout: Duration
    private var prepared: Set<String> = []

    init(_ string: String, timeout: Duration) throws(PostgreSQLFailure) {
        self.timeout = timeout
        // 0 would mean no limit. PostgreSQL accepts at most 2³¹ − 1.
        let milliseconds = Int(min(max(timeout, .milliseconds(1)), .seconds(86_400)) / .milliseconds(1))
        // The connection string in `dbname` overrides the parameters before it.
        let parameters: [(String, String)] = [
            ("connect_timeout", "3"), ("application_name", "attest-service"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "\(milliseconds)"),
            ("client_encoding", "UTF8"), ("dbname", string),
            // Overrides the string, because a standby lags behind and may return a revoked key as valid.
            ("target_session_attrs", "read-write"),
        ]
        connection = withCStrings(parameters.map { $0.0 }) { keywords in
            withCStrings(parameters.map { $0.1 }) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard PQstatus(connection) == CONNECTION_OK else {
            throw .unreachable(bounded(PQerrorMessage(connection)))
        }
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        // Let the server cancel a statement after the time for which its caller waits.
        try run("SET statement_timeout = \(milliseconds)")
    }

    /// `deinit` also runs if `init` throws.
    deinit { PQfinish(connection) }

    /// Whether the server has closed the connection since its last use. If so, the next call can safely use another
    /// connection, because the call has not sent anything yet.
    var isStale: Bool {
        while PQstatus(connection) == CONNECTION_OK {
            var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 0) > 0 else { return false }
            // The socket is readable although no request is open, so the server has sent a notice or closed the
            // connection. When a server shuts down, it sends a notice first. libpq detects the end of the connection
            // only after it has read this notice.
            guard PQconsumeInput(connection) == 1 else { return true }
        }
        return true
    }

    func run(_ sql: String) throws(PostgreSQLFailure) {
        try send { PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1) }
        _ = try rows()
    }

    /// All tables in the statement must exist.
    func prepare(_ sql: String, _ types: [Oid]) throws(PostgreSQLFailure) {
        guard !prepared.contains(sql) else { return }
        try send { PQsendPrepare(connection, name(sql), sql, Int32(types.count), types) }
        _ = try rows()
        prepared.insert(sql)
    }

    /// Prepares the statement at first use.
    func run(_ sql: String, _ parameters: [SQLParameter]) throws(PostgreSQLFailure) -> [PostgreSQLRow] {
        try prepare(sql, parameters.map(\.type))
        let encoded = parameters.map(\.encoded)
        let lengths = encoded.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: parameters.count)
        // All values in one block, in which each value has a distinct address. An empty value needs an address too,
        // because a null address means NULL.
        let block = encoded.map { ($0 ?? []) + [0] }.reduce([], +)
        try send {
            block.withUnsafeBufferPointer { block in
                var offset = 0
                var pointers: [UnsafePointer<CChar>?] = []
                for bytes in encoded {
                    let start = block.baseAddress.map {
                        UnsafeRawPointer($0 + offset).assumingMemoryBound(to: CChar.self)
                    }
                    pointers.append(bytes == nil ? nil : start)
                    offset += (bytes?.count ?? 0) + 1
                }
                return PQsendQueryPrepared(
                    connection, name(sql), Int32(parameters.count), pointers, lengths, formats, 1)
            }
        }
        return try rows()
    }

    /// Names of prepared statements are local to a connection.
    private func name(_ sql: String) -> String { "s\(UInt(bitPattern: sql.hashValue))" }

    private func send(_ body: () -> Int32) throws(PostgreSQLFailure) {
        guard body() == 1 else { throw .connectionLost }
    }

    /// Waits for at most `timeout`, and returns the rows of the last result.
    private func rows() throws(PostgreSQLFailure) -> [PostgreSQLRow] {
        let end = ContinuousClock.now + timeout
        // `nil` means that no result has arrived, so the outcome is unknown.
        var rows: [PostgreSQLRow]?
        var failure: PostgreSQLFailure?
        while true {
            try waitUntilReadable(before: end)
            guard let result = PQgetResult(connection) else { break }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: rows = read(result)
            default:
                let state = PQresultErrorField(result, Self.sqlState).map { String(cString: $0) }
                // The error's detail is omitted, because it may contain values of the row.
                failure = failure ?? self.failure(state, bounded(PQresultErrorField(result, Self.primaryMessage)))
            }
        }
        if let failure { throw failure }
        guard let rows else { throw .connectionLost }
        return rows
    }

    /// `PG_DIAG_SQLSTATE` and `PG_DIAG_MESSAGE_PRIMARY`, which C defines as characters.
    private static let sqlState = Int32(UInt8(ascii: "C"))
    private static let primaryMessage = Int32(UInt8(ascii: "M"))

    /// SQLSTATE 57014 (query_canceled) reports the server's statement timeout. Codes that start with 57P mean that the
    /// server ends the connection. If there is no SQLSTATE, libpq itself wrote the message, and the connection is lost.
    private func failure(_ state: String?, _ message: String) -> PostgreSQLFailure {
        guard let state, PQstatus(connection) == CONNECTION_OK, !state.hasPrefix("57P") else { return .connectionLost }
        return state == "57014" ? .timedOut : .refused(state: state, message: message)
    }

    private func waitUntilReadable(before end: ContinuousClock.Instant) throws(PostgreSQLFailure) {
        while PQisBusy(connection) == 1 {
            let left = end - .now
            guard left > .zero else { throw .timedOut }
            var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, Int32(clamping: left.components.seconds * 1_000 + 1_000))
            guard PQconsumeInput(connection) == 1 else { throw .connectionLost }
        }
    }

    private func read(_ result: OpaquePointer) -> [PostgreSQLRow] {
        (0..<PQntuples(result)).map { row in
            PostgreSQLRow(
                columns: (0..<PQnfields(result)).map { column in
                    guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else {
                        return nil
                    }
                    return [UInt8](UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column))))
                })
        }
    }
}

/// Returns libpq's text in one line of at most 300 characters.
private func bounded(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    return String(
        String(cString: text).split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: " ").prefix(300))
}

private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = strings.map { UnsafePointer<CChar>(strdup($0)) } + [nil]
    defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
    return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
}
