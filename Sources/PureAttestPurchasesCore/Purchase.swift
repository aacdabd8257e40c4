import PureBytes
public import PureAppStore
public import PureDER

/// A purchase as the App Store last signed it: the state of the latest transaction that the server saw.
///
/// States arrive in any order: apps send old transactions, and notifications overtake each other. ``later(_:)`` gives the
/// same state in every order.
public struct Purchase: Hashable, Sendable {
    /// The greatest length of a transaction's identifier, in bytes. Apple's have up to 18.
    public static let maximumIDByteCount = 64
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
    /// Whether the product is a non-consumable, which has no end, or a subscription whose end is signed. How long a
    /// consumable or a non-renewing subscription lasts is the app's decision.
    var statesItsEnd: Bool {
        switch productType {
        case .nonConsumable: true
        case .autoRenewableSubscription: expiresDate != nil
        default: false
        }
    }
}

extension Purchase {
    /// Reads a transaction, and the grace period of its renewal information if there is any.
    ///
    /// Rejects products whose end the signed data does not state, and identifiers that no store needs to keep.
    init(_ transaction: VerifiedTransaction, renewalInfo: VerifiedRenewalInfo? = nil) throws(PurchaseRefusal) {
        guard transaction.statesItsEnd else { throw .otherKind }
        guard transaction.originalTransactionID.utf8.count <= Purchase.maximumIDByteCount,
            transaction.transactionID.utf8.count <= Purchase.maximumIDByteCount,
            transaction.productID.utf8.count <= Purchase.maximumProductIDByteCount
        else { throw .identifierTooLong }
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
    /// A later transaction replaces an earlier transaction: a renewal, or a change of product. Of two states of one transaction,
    /// the state that was signed later holds, with the later end of both. An end is only ever postponed, by a grace period
    /// or an extension; who is refunded is revoked.
    ///
    /// The result is a maximum in a total order, with a maximum of ends, so it does not depend on the order in which
    /// states arrive, nor on how often.
    func later(_ other: Purchase) -> Purchase {
        guard purchaseDate == other.purchaseDate, transactionID == other.transactionID else {
            return isEarlierTransaction(than: other) ? other : self
        }
        var later = isSignedEarlier(than: other) ? other : self
        later.expiresDate = latest(expiresDate, other.expiresDate)
        return later
    }

    private func isEarlierTransaction(than other: Purchase) -> Bool {
        guard purchaseDate == other.purchaseDate else { return purchaseDate < other.purchaseDate }
        return precedes(transactionID, other.transactionID)
    }

    private func isSignedEarlier(than other: Purchase) -> Bool {
        guard signedDate == other.signedDate else { return signedDate < other.signedDate }
        guard isRevoked == other.isRevoked else { return other.isRevoked }
        return precedes(productID, other.productID)
    }
}

/// The later end; `nil` is never.
private func latest(_ a: AppStoreDate?, _ b: AppStoreDate?) -> AppStoreDate? {
    guard let a, let b else { return nil }
    return max(a, b)
}

/// Orders identifiers by length and then by bytes, which is the order of decimal numbers.
private func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
}
