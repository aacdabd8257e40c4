import PureAppStore
import PureAttest
import PureDER
import Testing

@testable import PureAttestPurchasesCore

/// The state of a purchase does not depend on the order in which signed data arrives.
@Suite struct PurchaseStateTests {
    private func purchase(
        _ id: String = "1", bought: Int64 = 0, signed: Int64 = 0, expires: Int64? = nil, revoked: Bool = false,
        product: String = "p"
    ) -> Purchase {
        Purchase(
            environment: .sandbox, originalTransactionID: Array("1".utf8), transactionID: Array(id.utf8),
            productID: Array(product.utf8), purchaseDate: AppStoreDate(millisecondsSince1970: bought),
            signedDate: AppStoreDate(millisecondsSince1970: signed),
            expiresDate: expires.map { AppStoreDate(millisecondsSince1970: $0) }, isRevoked: revoked)
    }

    /// Purchases with all combinations of two values for each property, including combinations that Apple never signs.
    private var states: [Purchase] {
        var states: [Purchase] = []
        for id in ["9", "10"] {
            for bought in [-1, 5] as [Int64] {
                for signed in [3, 4] as [Int64] {
                    for expires in [nil, 7, 8] as [Int64?] {
                        for revoked in [false, true] {
                            states.append(
                                purchase(id, bought: bought, signed: signed, expires: expires, revoked: revoked))
                        }
                    }
                }
            }
        }
        return states + [purchase("9", bought: 5, signed: 4, expires: 8, revoked: true, product: "q")]
    }

    @Test func theLaterStateIsTheSameInEveryOrder() {
        let states = states
        #expect(states.count == 49)
        for a in states {
            #expect(a.later(a) == a)
            for b in states {
                let both = a.later(b)
                #expect(both == b.later(a) && both == both.later(a) && both == both.later(b))
                for c in states where both.later(c) != a.later(b.later(c)) { Issue.record("\(a) \(b) \(c)") }
            }
        }
    }

    @Test func aLaterTransactionReplacesAnEarlierOne() {
        let first = purchase("1", bought: 0, signed: 90, expires: 50, revoked: true)
        let renewed = purchase("2", bought: 40, signed: 10, expires: 60)
        #expect(first.later(renewed) == renewed)
    }

    /// The restored copies of a purchase have different identifiers, and a refund names only one of them.
    @Test func aRefundEndsTheCopiesOfOtherDevices() {
        for (copy, expires) in [("9", 50), ("0", 50), ("9", nil), ("0", nil)] as [(String, Int64?)] {
            let refunded = purchase("1", bought: 7, signed: 2, expires: expires, revoked: true)
            #expect(refunded.later(purchase(copy, bought: 7, signed: 1, expires: expires)).isRevoked)
            #expect(!refunded.later(purchase(copy, bought: 7, signed: 3, expires: expires)).isRevoked)
        }
        // A non-consumable purchase has only one period, whatever purchase date a restored copy states.
        let refunded = purchase("1", bought: 7, signed: 2, revoked: true)
        #expect(refunded.later(purchase("2", bought: 9, signed: 1)).isRevoked)
    }

    @Test func ofOneTransactionTheStateSignedLaterHolds() {
        let paid = purchase(signed: 1, expires: 50)
        let refunded = purchase(signed: 2, expires: 50, revoked: true)
        let reversed = purchase(signed: 3, expires: 50)
        #expect(paid.later(refunded).isRevoked)
        #expect(!refunded.later(reversed).isRevoked)
        // If both states were signed in the same millisecond, the refund holds.
        #expect(purchase(signed: 2).later(refunded).isRevoked)
    }

    @Test func anEndIsOnlyPostponed() {
        let grace = purchase(signed: 1, expires: 70)
        #expect(grace.later(purchase(signed: 2, expires: 50)).expiresDate?.millisecondsSince1970 == 70)
        // A signed end date stays valid even if later data states no end date.
        #expect(grace.later(purchase(signed: 9)) == grace)
    }

    @Test func aPurchaseEndsWithTheSecondOfItsEnd() {
        func isActive(_ purchase: Purchase, _ seconds: Int64) -> Bool {
            purchase.isActive(at: UnixTime(secondsSince1970: seconds))
        }
        #expect(isActive(purchase(expires: 10_999), 9))
        #expect(!isActive(purchase(expires: 10_999), 10))
        #expect(!isActive(purchase(expires: -1), 0) && isActive(purchase(expires: -1), -2))
        #expect(isActive(purchase(), .max) && !isActive(purchase(revoked: true), .min))
    }

    @Test func recordsAreReadAsTheyWereWritten() throws {
        let keys = (0..<3).map { [UInt8](repeating: $0, count: 32) }
        for state in states + [purchase(String(repeating: "7", count: 64), product: String(repeating: "é", count: 127))]
        {
            for count in 0...3 {
                let record = PurchaseRecord(purchase: state, keyIDs: Array(keys.prefix(count)))
                let bytes = record.serialized
                #expect(try read(bytes) == record)
                for end in 0..<bytes.count where (bytes.count - end) % 32 != 0 || end < bytes.count - 32 * count {
                    #expect(throws: PurchaseRefusal.unreadableRecord) { try read(Array(bytes[..<end])) }
                }
            }
        }
    }

    /// The format of rows is fixed, because later versions read stored rows.
    @Test func rowsKeepTheirFormat() {
        let record = PurchaseRecord(
            purchase: purchase("10", bought: 258, signed: -1, expires: 3, revoked: true, product: "pq"),
            keyIDs: [[UInt8](repeating: 7, count: 32)])
        let dates: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 255, count: 8) + [3] + [0, 0, 0, 0, 0, 0, 0, 3]
        let names: [UInt8] = [2, 0x31, 0x30, 2, 0x70, 0x71]
        #expect(record.serialized == [1] + dates + names + [UInt8](repeating: 7, count: 32))
        let codes = [1, 2, 3, 4] as [UInt8]
        for (environment, code) in zip([AppStoreEnvironment.production, .sandbox, .xcode, .localTesting], codes) {
            let rows = PurchaseRows(party: .development, environment: environment)
            #expect(rows.purchase([9, 9]) == [1, 2, code, 9, 9] && rows.key([5]) == [2, 2, code, 5])
            #expect(rows.budget([9]) == [code, 9] && rows.keyRow(purchaseID: [9]) == [1, 9])
        }
    }

    @Test func anUnstatedEndIsZero() {
        for isRevoked in [false, true] {
            var bytes = PurchaseRecord(purchase: purchase(revoked: isRevoked), keyIDs: []).serialized
            bytes[25] = 1
            #expect(throws: PurchaseRefusal.unreadableRecord) { try read(bytes) }
        }
    }

    @Test func eachValueHasOneEncoding() {
        let keys = [[UInt8](repeating: 7, count: 32)]
        for expires in [nil, 9] as [Int64?] {
            let bytes = PurchaseRecord(purchase: purchase(expires: expires), keyIDs: keys).serialized
            for index in bytes.indices {
                for bit in 0..<8 {
                    var changed = bytes
                    changed[index] ^= 1 << bit
                    if let record = try? read(changed) { #expect(record.serialized == changed) }
                    if index == 0 { #expect(throws: PurchaseRefusal.unreadableRecord) { try read(changed) } }
                }
            }
        }
    }

    private func read(_ bytes: [UInt8]) throws -> PurchaseRecord {
        try PurchaseRecord(serialized: bytes, environment: .sandbox, originalTransactionID: Array("1".utf8))
    }

    @Test func rowsOfDifferentPartiesAreApart() {
        var names: Set<[UInt8]> = []
        for party in [Environment.production, .development] {
            for environment in AppStoreEnvironment.allCases {
                let rows = PurchaseRows(party: party, environment: environment)
                names.formUnion([rows.purchase([1, 1]), rows.key([1, 1]), rows.purchase([1]), rows.key([])])
                #expect(rows.purchase([9])[1...] == rows.key([9])[1...])
            }
        }
        #expect(names.count == 32)
    }

    @Test func aKeysRowOfAnotherVersionIsUnreadable() throws {
        let rows = PurchaseRows(party: .production, environment: .production)
        #expect(try rows.purchaseID(inKeyRow: rows.keyRow(purchaseID: [7, 8])) == [7, 8])
        for bytes in [[], [0, 7], [2, 7]] as [[UInt8]] {
            #expect(throws: PurchaseRefusal.unreadableRecord) { try rows.purchaseID(inKeyRow: bytes) }
        }
    }
}
