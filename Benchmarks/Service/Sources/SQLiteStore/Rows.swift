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

    func account() throws -> AccountID? {
        let data: Data? = self["account"]
        return data.map { AccountID(bytes: $0) }
    }

    func time(_ column: String) throws -> UnixTime {
        guard let seconds: Int64 = self[column] else { throw ForeignRow() }
        return UnixTime(secondsSince1970: seconds)
    }
}

extension Challenge {
    init(row: Row) throws {
        guard let number: Int64 = row["purpose"], let raw = UInt8(exactly: number), let purpose = Purpose(rawValue: raw)
        else { throw ForeignRow() }
        self.init(
            id: try row.bytes("id"), value: try row.bytes("value"), purpose: purpose, keyID: try row.bytes("key_id"),
            account: try row.account(), issuedAt: try row.time("issued_at"), expiresAt: try row.time("expires_at"))
    }
}

extension KeyRecord {
    init(row: Row) throws {
        let revokedAt: Int64? = row["revoked_at"]
        self.init(
            key: try AttestedKey(serialized: try row.bytes("record")), account: try row.account(),
            unverifiedReceipt: try row.bytes("receipt"), registeredAt: try row.time("registered_at"),
            revokedAt: revokedAt.map { UnixTime(secondsSince1970: $0) })
    }
}
