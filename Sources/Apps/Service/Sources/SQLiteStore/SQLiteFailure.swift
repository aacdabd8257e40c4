import SQLStore

/// A failure of SQLite. The texts come from SQLite, have a bounded length, and contain no statement parameters.
public enum SQLiteFailure: Error, Hashable, Sendable {
    /// SQLite reported an error, with its extended result code (sqlite.org/rescode.html).
    case refused(code: Int32, message: String)
    /// The call shared a transaction with another write, whose failure rolled the transaction back.
    case takenBack
    /// Too many writes wait.
    case overloaded
    /// The database contains a row that this store did not write.
    case foreignRow
    /// The database cannot have a write-ahead log: it is in memory, or on a file system without shared memory.
    case noWriteAheadLog
}

extension SQLiteFailure: SQLFailure {}

extension SQLiteFailure: CustomStringConvertible {
    /// A description for the operator.
    public var description: String {
        switch self {
        case .refused(let code, let message): "SQLite refused (\(code)): \(message)"
        case .takenBack: "SQLite took the transaction back"
        case .overloaded: "too many writes wait for SQLite"
        case .foreignRow: "the database holds a row that is not this program's"
        case .noWriteAheadLog: "no write-ahead log can be had there: not a file, or on a network file system"
        }
    }
}
