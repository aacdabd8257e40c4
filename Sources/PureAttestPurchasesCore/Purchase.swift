public import PureAppStore
public import PureDER
import PureJSON

/// A purchase as the App Store last signed it.
///
/// Of a subscription this is the state of the latest period that the server saw. States arrive in any order: apps send
/// old transactions, and notifications overtake each other. The stored state is the same in every order.
public struct Purchase: Hashable, Sendable {
    /// The greatest length of a transaction's identifier, in bytes. Apple's have up to 18.
    public static let maximumIDByteCount = 64
    static var idByteCounts: ClosedRange<Int> { 1...maximumIDByteCount }
    /// The greatest length of a product's identifier, in bytes. App Store Connect permits 100 characters.
    public static let maximumProductIDByteCount = 255

    /// Where the purchase was made.
    public let environment: AppStoreEnvironment
    /// The identifier that all renewals of a subscription share, ASCII.
    public let originalTransactionID: [UInt8]
    /// The identifier of the latest transaction, ASCII.
    public let transactionID: [UInt8]
    /// The product, UTF-8.
    public let productID: [UInt8]
    /// When the customer paid for the latest transaction.
    public let purchaseDate: AppStoreDate
    /// When the App Store signed this state.
    public let signedDate: AppStoreDate
    /// When the purchase expires, with a grace period that a notification told of; `nil` if it never does.
    public internal(set) var expiresDate: AppStoreDate?
    /// Whether the purchase was refunded, taken from Family Sharing, or upgraded to another product.
    public let isRevoked: Bool

    /// Whether the purchase entitles to its product at `time`.
    public func isActive(at time: UnixTime) -> Bool { !isRevoked && !isExpired(at: time) }

    func isExpired(at time: UnixTime) -> Bool { expiresDate.map { $0.unixTime <= time } ?? false }
}

extension VerifiedTransaction {
    /// Whether the purchase lasts, and the transaction states how long: a non-consumable has no end, and the end of an
    /// auto-renewable subscription is signed.
    ///
    /// The app decides how long a consumable or a non-renewing subscription lasts. The items of Advanced Commerce have
    /// refunds of their own, which this module does not read.
    var statesItsEnd: Bool {
        guard members["advancedCommerceInfo"] == nil else { return false }
        switch productType {
        case .nonConsumable: return expiresDate == nil
        case .autoRenewableSubscription: return expiresDate != nil
        default: return false
        }
    }
}

extension Purchase {
    /// Reads a transaction, and the grace period of its renewal information if there is any.
    ///
    /// Rejects products whose end the signed data does not state, and identifiers that are empty or too long to keep.
    init(_ transaction: VerifiedTransaction, renewalInfo: VerifiedRenewalInfo? = nil) throws(PurchaseRefusal) {
        guard transaction.statesItsEnd else { throw .otherKind }
        guard Purchase.idByteCounts.contains(transaction.originalTransactionID.utf8.count),
            Purchase.idByteCounts.contains(transaction.transactionID.utf8.count),
            transaction.productID.utf8.count <= Purchase.maximumProductIDByteCount
        else { throw .malformedIdentifier }
        environment = transaction.environment
        originalTransactionID = [UInt8](transaction.originalTransactionID.utf8)
        transactionID = [UInt8](transaction.transactionID.utf8)
        productID = [UInt8](transaction.productID.utf8)
        purchaseDate = transaction.purchaseDate
        signedDate = transaction.signedDate
        expiresDate = transaction.expiresDate
        isRevoked = transaction.revocationDate != nil || transaction.isUpgraded
        if let expires = expiresDate, let renewalInfo, let grace = renewalInfo.gracePeriodExpiresDate,
            renewalInfo.originalTransactionID == transaction.originalTransactionID
        {
            expiresDate = max(expires, grace)
        }
    }

    /// Returns the later of two states of one purchase.
    ///
    /// A later period of a subscription replaces an earlier period: a renewal, or a change of product. Of two states of
    /// one period, or of a non-consumable, the state that was signed later holds, with the later end of both. A refund
    /// changes no end; only a grace period or an extension does, and it postpones the end.
    ///
    /// The identifier of the transaction does not tell periods apart: a restored purchase has another identifier on each
    /// device, and a refund names one of them.
    ///
    /// The result is a maximum in a total order, with a maximum of ends. So it depends neither on the order in which
    /// states arrive nor on how often.
    func later(_ other: Purchase) -> Purchase {
        guard period == other.period else { return period < other.period ? other : self }
        var later = isSignedEarlier(than: other) ? other : self
        later.expiresDate = latest(expiresDate, other.expiresDate)
        return later
    }

    /// When the period was paid. A non-consumable has one period, whenever it was paid or restored.
    private var period: Int64 { expiresDate == nil ? .min : purchaseDate.millisecondsSince1970 }

    private func isSignedEarlier(than other: Purchase) -> Bool {
        guard signedDate == other.signedDate else { return signedDate < other.signedDate }
        guard isRevoked == other.isRevoked else { return other.isRevoked }
        // Two such states are never signed. The rest makes the order total.
        guard purchaseDate == other.purchaseDate else { return purchaseDate < other.purchaseDate }
        guard transactionID == other.transactionID else {
            return transactionID.lexicographicallyPrecedes(other.transactionID)
        }
        return productID.lexicographicallyPrecedes(other.productID)
    }
}

/// The later of two ends. No end at all is earlier than each, so that an end that was signed holds.
private func latest(_ a: AppStoreDate?, _ b: AppStoreDate?) -> AppStoreDate? {
    guard let a, let b else { return a ?? b }
    return max(a, b)
}
