internal import PureAttest
internal import PureAttestServer

package enum SQLParameter: Sendable {
    case bytes([UInt8]?)
    case integer(Int64?)
}

package protocol SQLFailure: Error {
    /// A row that the store did not write.
    static var foreignRow: Self { get }
}

/// A row of a result. The row may be valid only until it is decoded.
package protocol SQLRow {
    associatedtype Failure: SQLFailure

    func optionalBytes(_ column: Int) throws(Failure) -> [UInt8]?
    func optionalInteger(_ column: Int) throws(Failure) -> Int64?
}

extension SQLRow {
    package func bytes(_ column: Int) throws(Failure) -> [UInt8] {
        guard let bytes = try optionalBytes(column) else { throw .foreignRow }
        return bytes
    }

    package func integer(_ column: Int) throws(Failure) -> Int64 {
        guard let number = try optionalInteger(column) else { throw .foreignRow }
        return number
    }

    private func optionalTime(_ column: Int) throws(Failure) -> UnixTime? {
        try optionalInteger(column).map { UnixTime(secondsSince1970: $0) }
    }

    func record() throws(Failure) -> KeyRecord {
        let key: RegisteredKey
        do { key = try RegisteredKey(serialized: try bytes(0)) } catch { throw .foreignRow }
        return KeyRecord(
            key: key, account: try optionalBytes(1).map { AccountID(bytes: $0) }, receipt: try bytes(2),
            receiptDueAt: try optionalTime(3), registeredAt: UnixTime(secondsSince1970: try integer(4)),
            lastUsedAt: try optionalTime(5), revokedAt: try optionalTime(6))
    }

    func amount() throws(Failure) -> BudgetAmount {
        BudgetAmount(requests: try integer(0), units: try integer(1))
    }
}
