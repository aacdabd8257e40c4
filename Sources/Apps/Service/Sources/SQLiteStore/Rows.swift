import PureAttest
import PureAttestServer

extension KeyRecord {
    /// Decodes a row that ``PureAttestServer/StoreSQL`` returns for a record.
    init(_ row: SQLiteRow) throws(SQLiteFailure) {
        let key: RegisteredKey
        do { key = try RegisteredKey(serialized: try row.bytes(0)) } catch { throw .foreignRow }
        self.init(
            key: key, account: try row.optionalBytes(1).map { AccountID(bytes: $0) }, receipt: try row.bytes(2),
            receiptDueAt: try row.optionalTime(3), registeredAt: UnixTime(secondsSince1970: try row.integer(4)),
            lastUsedAt: try row.optionalTime(5), revokedAt: try row.optionalTime(6))
    }
}

extension BudgetAmount {
    init(_ row: SQLiteRow) throws(SQLiteFailure) {
        self.init(requests: try row.integer(0), units: try row.integer(1))
    }
}

extension SQLiteRow {
    fileprivate func optionalTime(_ column: Int32) throws(SQLiteFailure) -> UnixTime? {
        try optionalInteger(column).map { UnixTime(secondsSince1970: $0) }
    }
}
