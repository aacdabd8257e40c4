import Foundation
import GRDB
import PureAttest
import PureAttestServer

/// A row that no statement of this store wrote.
struct ForeignRow: Error {}

extension [UInt8] {
    var data: Data { Data(self) }
}

extension Row {
    func bytes(_ column: String) throws -> [UInt8] {
        guard let data: Data = self[column] else { throw ForeignRow() }
        return [UInt8](data)
    }

    func time(_ column: String) -> UnixTime? {
        let seconds: Int64? = self[column]
        return seconds.map { UnixTime(secondsSince1970: $0) }
    }
}

extension KeyRecord {
    init(row: Row) throws {
        let account: Data? = row["account"]
        guard let registeredAt = row.time("registered_at") else { throw ForeignRow() }
        self.init(
            key: try AttestedKey(serialized: try row.bytes("record")), account: account.map { AccountID(bytes: $0) },
            receipt: try row.bytes("receipt"), receiptDueAt: row.time("receipt_due_at"), registeredAt: registeredAt,
            lastUsedAt: row.time("last_used_at"), revokedAt: row.time("revoked_at"))
    }
}
