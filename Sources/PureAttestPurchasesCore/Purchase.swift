public import PureAppStore
public import PureDER
import PureJSON

/// The latest signed state of a purchase.
///
/// For a subscription, this is the state of the latest period that the server has seen. States arrive in any order,
/// because apps may send old transactions, and notifications may overtake each other. The order has no effect on the
/// result.
public struct Purchase: Hashable, Sendable {
    /// The maximum length of a transaction's identifier, in bytes. Apple's identifiers are at most 18 bytes long.
    public static let maximumIDByteCount = 64
    static var idByteCounts: ClosedRange<Int> { 1...maximumIDByteCount }
    /// The maximum length of a product's identifier, in bytes. App Store Connect permits 100 characters.
    public static let maximumProductIDByteCount = 255

    /// The App Store environment in which the purchase was made.
    public let environment: AppStoreEnvironment
    /// The identifier that all renewals of a subscription share, ASCII.
    public let originalTransactionID: [UInt8]
    /// The identifier of the latest transaction, ASCII.
    public let transactionID: [UInt8]
    /// The product's identifier, UTF-8.
    public let productID: [UInt8]
    /// When the customer paid for the latest transaction.
    public let purchaseDate: AppStoreDate
    /// When the App Store signed this state.
    public let signedDate: AppStoreDate
    /// When the purchase expires, including a grace period that a notification reported; `nil` if it never expires.
    public internal(set) var expiresDate: AppStoreDate?
    /// Whether the purchase was refunded, taken from Family Sharing, or upgraded to another product.
    public let isRevoked: Bool

    /// Returns whether the purchase entitles the customer to the product at `time`.
    public func isActive(at time: UnixTime) -> Bool { !isRevoked && !isExpired(at: time) }

    func isExpired(at time: UnixTime) -> Bool { expiresDate.map { $0.unixTime <= time } ?? false }
}

extension VerifiedTransaction {
    /// Whether the transaction states when the purchase ends. A non-consumable never ends, and the transaction of an
    /// auto-renewable subscription contains the end date.
    ///
    /// The app decides how long a consumable or a non-renewing subscription lasts. Advanced Commerce items have
    /// separate refunds, which this module does not read.
    var statesItsEnd: Bool {
        guard members.value("advancedCommerceInfo") == nil else { return false }
        switch productType {
        case .nonConsumable: return expiresDate == nil
        case .autoRenewableSubscription: return expiresDate != nil
        default: return false
        }
    }
}

extension Purchase {
    /// Reads a transaction, and the grace period in its renewal information, if any.
    ///
    /// Rejects a product if the signed data does not state when the purchase ends. Also rejects identifiers that are
    /// empty or too long.
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
    /// A later period of a subscription (a renewal or a change of product) replaces an earlier period. For two states
    /// of one period, or of a non-consumable, the state that was signed later applies, with the later of the two end
    /// dates. Only a grace period or an extension changes an end date, and both postpone the date. A refund does not
    /// change the end date.
    ///
    /// The transaction's identifier does not identify the period. A restored purchase has a different transaction
    /// identifier on each device, and a refund names only one of these identifiers.
    ///
    /// The result is the maximum of the two states in a total order, with the maximum of their end dates. Therefore it
    /// does not matter in which order states arrive, or whether a state arrives twice.
    func later(_ other: Purchase) -> Purchase {
        guard period == other.period else { return period < other.period ? other : self }
        var later = isSignedEarlier(than: other) ? other : self
        later.expiresDate = latest(expiresDate, other.expiresDate)
        return later
    }

    /// The time when the customer paid for the period. A non-consumable has only one period.
    private var period: Int64 { expiresDate == nil ? .min : purchaseDate.millisecondsSince1970 }

    private func isSignedEarlier(than other: Purchase) -> Bool {
        guard signedDate == other.signedDate else { return signedDate < other.signedDate }
        guard isRevoked == other.isRevoked else { return other.isRevoked }
        // Apple never signs two different states that reach this point. The next lines only make the order total.
        guard purchaseDate == other.purchaseDate else { return purchaseDate < other.purchaseDate }
        guard transactionID == other.transactionID else {
            return transactionID.lexicographicallyPrecedes(other.transactionID)
        }
        return productID.lexicographicallyPrecedes(other.productID)
    }
}

/// Returns the later of two end dates. A missing date counts as earlier than every date, so that a signed end date
/// applies.
private func latest(_ a: AppStoreDate?, _ b: AppStoreDate?) -> AppStoreDate? {
    guard let a, let b else { return a ?? b }
    return max(a, b)
}
