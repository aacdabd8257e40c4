import CSQLite
import Foundation

/// A connection to a store's file that uses none of the store's code.
final class SQLiteFile {
    struct Failure: Error { let message: String }

    private let handle: OpaquePointer

    init(_ url: URL) throws {
        var opened: OpaquePointer?
        let status = sqlite3_open(url.path, &opened)
        guard status == SQLITE_OK, let opened else {
            sqlite3_close(opened)
            throw Failure(message: "\(url.path): status \(status)")
        }
        handle = opened
    }

    deinit { sqlite3_close(handle) }

    @discardableResult func run(_ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
                    })
            case SQLITE_DONE: return rows
            default: throw Failure(message: String(cString: sqlite3_errmsg(handle)))
            }
        }
    }
}
