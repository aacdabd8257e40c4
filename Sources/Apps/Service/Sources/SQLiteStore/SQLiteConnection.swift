import CSQLite
import SQLStore

/// The current row of a statement, valid until the next step.
package struct SQLiteRow: SQLRow {
    fileprivate let statement: OpaquePointer

    package func optionalBytes(_ column: Int) throws(SQLiteFailure) -> [UInt8]? {
        let column = Int32(column)
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            // `sqlite3_column_blob` must precede `sqlite3_column_bytes` (sqlite.org/c3ref/column_blob.html). The
            // address of an empty value is null.
            let address = sqlite3_column_blob(statement, column)
            return [UInt8](UnsafeRawBufferPointer(start: address, count: Int(sqlite3_column_bytes(statement, column))))
        default: throw .foreignRow
        }
    }

    package func optionalInteger(_ column: Int) throws(SQLiteFailure) -> Int64? {
        let column = Int32(column)
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return sqlite3_column_int64(statement, column)
        default: throw .foreignRow
        }
    }

    func text(_ column: Int) throws(SQLiteFailure) -> String {
        guard let text = sqlite3_column_text(statement, Int32(column)) else { throw .foreignRow }
        return String(cString: text)
    }
}

/// Used by one thread at a time. Each statement is prepared once.
final class SQLiteConnection {
    private let handle: OpaquePointer
    private var prepared: [String: OpaquePointer] = [:]

    /// - Parameter timeout: the maximum time to wait while another process writes, in seconds.
    init(path: String, timeout: Int) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened else { throw .refused(code: SQLITE_NOMEM, message: "out of memory") }
        guard status == SQLITE_OK else {
            defer { sqlite3_close_v2(opened) }
            throw Self.failure(opened)
        }
        handle = opened
        sqlite3_busy_timeout(handle, 1_000 * min(max(Int32(clamping: timeout), 0), 3_600))
    }

    /// The database file keeps this setting.
    func useWriteAheadLog(timeout: Int) throws(SQLiteFailure) {
        let end = ContinuousClock.now + .seconds(timeout)
        while true {
            do throws(SQLiteFailure) {
                let modes = try rows("PRAGMA journal_mode = WAL", []) { (row) throws(SQLiteFailure) in try row.text(0) }
                // If WAL is impossible, as for an in-memory database, SQLite returns the unchanged mode and no error.
                guard modes == ["wal"] else { throw .noWriteAheadLog }
                return
            } catch {
                // SQLite does not call its busy handler while another process creates the file, so wait here.
                guard case .refused(let code, _) = error, code & 0xFF == SQLITE_BUSY, ContinuousClock.now < end else {
                    throw error
                }
                sqlite3_sleep(10)
            }
        }
    }

    deinit {
        for statement in prepared.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// SQLite rolls back some transactions by itself.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func run(_ sql: String) throws(SQLiteFailure) {
        _ = try rows(sql, [][...]) { _ throws(SQLiteFailure) in }
    }

    /// Runs a statement until `SQLITE_DONE` or an error. Outside a transaction, `SQLITE_DONE` means that SQLite has
    /// committed the statement's changes.
    func rows<Value>(
        _ sql: String, _ parameters: ArraySlice<SQLParameter>,
        _ decode: (SQLiteRow) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> [Value] {
        let statement = try statement(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        var index: Int32 = 0
        for parameter in parameters {
            index += 1
            guard bind(parameter, to: statement, at: index) == SQLITE_OK else { throw Self.failure(handle) }
        }
        var values: [Value] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: values.append(try decode(SQLiteRow(statement: statement)))
            case SQLITE_DONE: return values
            default: throw Self.failure(handle)
            }
        }
    }

    private func statement(_ sql: String) throws(SQLiteFailure) -> OpaquePointer {
        if let statement = prepared[sql] { return statement }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw Self.failure(handle) }
        prepared[sql] = statement
        return statement
    }

    private func bind(_ value: SQLParameter, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .bytes(nil), .integer(nil): sqlite3_bind_null(statement, index)
        case .integer(let number?): sqlite3_bind_int64(statement, index, number)
        // A null address would mean NULL.
        case .bytes(let bytes?) where bytes.isEmpty: sqlite3_bind_zeroblob(statement, index, 0)
        case .bytes(let bytes?):
            bytes.withUnsafeBytes {
                // The value of `SQLITE_TRANSIENT`, which makes SQLite copy the bytes.
                let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                return sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), copy)
            }
        }
    }

    private static func failure(_ handle: OpaquePointer) -> SQLiteFailure {
        let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
        return .refused(code: sqlite3_extended_errcode(handle), message: String(message.prefix(300)))
    }
}
