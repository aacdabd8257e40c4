/// Why PostgreSQL is out of order. Texts are the server's, bounded; no parameter of a statement is in them.
public enum PostgreSQLFailure: Error, Hashable, Sendable {
    /// The connection string is none, or lacks something.
    case connectionString(String)
    /// No connection can be had.
    case unreachable(String)
    /// The connection ended before the answer: the statement has taken effect, or not.
    case connectionLost
    /// The statement, or the wait for a connection, took too long: it has taken effect, or not.
    case timedOut
    /// More calls wait than are of use.
    case overloaded
    /// The server refused the statement, by SQLSTATE (PostgreSQL, Appendix A).
    case refused(state: String, message: String)
    /// A row that no statement of this store wrote.
    case foreignRow
}

extension PostgreSQLFailure: CustomStringConvertible {
    /// A sentence for the operator.
    public var description: String {
        switch self {
        case .connectionString(let message): "not a usable connection string: \(message)"
        case .unreachable(let message): "PostgreSQL can't be reached: \(message)"
        case .connectionLost: "PostgreSQL ended the connection"
        case .timedOut: "PostgreSQL took too long"
        case .overloaded: "too many calls wait for PostgreSQL"
        case .refused(let state, let message): "PostgreSQL refused a statement (\(state)): \(message)"
        case .foreignRow: "PostgreSQL holds a row that is not this program's"
        }
    }
}
