import PureAppStore
import PureAttestServerCore
import PureBytes

// A row of a purchase:
//
//   bytes
//       1  version: 1
//       8  purchase date of the latest transaction, in milliseconds since 1970, big-endian, two's complement
//       8  signed date, likewise
//       1  bit 0: revoked; bit 1: has an end
//       8  end, likewise; 0 without
//     1+n  identifier of the latest transaction, after its length
//     1+n  product, after its length
//    32·k  the keys that use the purchase, in the order of their registration
//
// Each record has exactly one encoding, so stores may compare records as bytes.

struct PurchaseRecord: Hashable, Sendable {
    private static var version: UInt8 { 1 }

    var purchase: Purchase
    var keyIDs: [[UInt8]]

    var serialized: [UInt8] {
        var bytes = [Self.version]
        bytes += bigEndian(purchase.purchaseDate.millisecondsSince1970)
        bytes += bigEndian(purchase.signedDate.millisecondsSince1970)
        bytes.append((purchase.isRevoked ? 1 : 0) | (purchase.expiresDate == nil ? 0 : 2))
        bytes += bigEndian(purchase.expiresDate?.millisecondsSince1970 ?? 0)
        // Both lengths are at most 255: `Purchase.init` checks them.
        bytes.append(UInt8(truncatingIfNeeded: purchase.transactionID.count))
        bytes += purchase.transactionID
        bytes.append(UInt8(truncatingIfNeeded: purchase.productID.count))
        bytes += purchase.productID
        for keyID in keyIDs { bytes += keyID }
        return bytes
    }

    init(purchase: Purchase, keyIDs: [[UInt8]]) { (self.purchase, self.keyIDs) = (purchase, keyIDs) }

    init(
        serialized: [UInt8], environment: AppStoreEnvironment, originalTransactionID: [UInt8]
    ) throws(PurchaseRefusal) {
        let bytes = ByteReader(ArraySlice(serialized))
        guard let record = try? Self(bytes, environment, originalTransactionID) else { throw .unreadableRecord }
        self = record
    }

    private init?(
        _ record: ByteReader, _ environment: AppStoreEnvironment, _ originalTransactionID: [UInt8]
    ) throws(ByteReaderError) {
        var bytes = record
        guard try bytes.readByte() == Self.version else { return nil }
        let purchaseDate = try bytes.readDate()
        let signedDate = try bytes.readDate()
        let flags = try bytes.readByte()
        let end = try bytes.readDate()
        guard flags & ~3 == 0, flags & 2 != 0 || end.millisecondsSince1970 == 0 else { return nil }
        let transactionID = try bytes.readBytes(Int(try bytes.readByte()))
        let productID = try bytes.readBytes(Int(try bytes.readByte()))
        purchase = Purchase(
            environment: environment, originalTransactionID: originalTransactionID,
            transactionID: [UInt8](transactionID), productID: [UInt8](productID), purchaseDate: purchaseDate,
            signedDate: signedDate, expiresDate: flags & 2 == 0 ? nil : end, isRevoked: flags & 1 != 0)
        keyIDs = []
        while !bytes.isAtEnd { keyIDs.append([UInt8](try bytes.readBytes(keyIDByteCount))) }
    }
}

extension ByteReader {
    fileprivate mutating func readDate() throws(ByteReaderError) -> AppStoreDate {
        AppStoreDate(millisecondsSince1970: Int64(truncatingIfNeeded: try readBigEndian(UInt64.self)))
    }
}
