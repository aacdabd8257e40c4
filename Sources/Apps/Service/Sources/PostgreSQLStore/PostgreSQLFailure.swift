import SQLStore

/// A failure of PostgreSQL. The texts come from PostgreSQL, have a bounded length, and contain no statement parameters.
public enum PostgreSQLFailure: Error, Hashable, Sendable {
    /// The connection string is malformed or incomplete.
    case connectionString(String)
    /// No connection could be made.
    case unreachable(String)
    /// The connection ended before the answer arrived. The statement may have taken effect.
    case connectionLost
    /// The statement, or the wait for a connection, took too long. The statement may have taken effect.
    case timedOut
    /// Too many calls wait.
    case overloaded
    /// The server rejected the statement, with an SQLSTATE (PostgreSQL, Appendix A).
    case refused(state: String, message: String)
    /// The database contains a row that this store did not write.
    case foreignRow
}

extension PostgreSQLFailure: SQLFailure {}

extension PostgreSQLFailure: CustomStringConvertible {
    /// A description for the operator.
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
