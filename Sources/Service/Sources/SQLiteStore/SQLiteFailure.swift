/// Why SQLite is out of order. Texts are SQLite's, bounded; no parameter of a statement is in them.
public enum SQLiteFailure: Error, Hashable, Sendable {
    /// SQLite refused, by its extended result code (sqlite.org/rescode.html).
    case refused(code: Int32, message: String)
    /// The transaction that the call was a part of came to nothing, because of another part.
    case takenBack
    /// A row that no statement of this store wrote.
    case foreignRow
    /// The database is none that can have a write-ahead log: one in memory, or on a file system without shared memory.
    case noWriteAheadLog
}

extension SQLiteFailure: CustomStringConvertible {
    /// A sentence for the operator.
    public var description: String {
        switch self {
        case .refused(let code, let message): "SQLite refused (\(code)): \(message)"
        case .takenBack: "SQLite took the transaction back"
        case .foreignRow: "the database holds a row that is not this program's"
        case .noWriteAheadLog: "no write-ahead log can be had there: not a file, or on a network file system"
        }
    }
}
