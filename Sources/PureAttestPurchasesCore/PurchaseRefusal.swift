public import PureAppStore
public import PureAttestServerCore

/// The reason why a purchase is rejected.
@nonexhaustive
public enum PurchaseRefusal: Error, Hashable, Sendable {
    /// The App Store's data does not verify.
    case signedData(AppStoreError)
    /// An identifier in the transaction is empty, or longer than ``Purchase/maximumIDByteCount`` or
    /// ``Purchase/maximumProductIDByteCount``; or a key identifier is not 32 bytes long.
    case malformedIdentifier
    /// This module cannot tell from the signed data when the purchase ends. For example, the product is neither a
    /// non-consumable nor an auto-renewable subscription, or it is an Advanced Commerce item.
    case otherKind
    /// The server has no budget for the product.
    case otherProduct
    /// The purchase was refunded, taken from Family Sharing, or upgraded to another product.
    case revoked
    /// The purchase has expired.
    case expired
    /// The purchase is already used by the maximum number of other keys.
    case tooManyKeys(maximum: Int)
    /// Concurrent requests changed the row of the purchase or of the key before each attempt to write it.
    case contended
    /// The row in the store was written by a later version, or is damaged.
    case unreadableRecord
}

extension PurchaseRefusal {
    /// Returns the answer for a client. The answer is the same for all cases except ``contended`` and
    /// ``unreadableRecord``.
    public var answer: HTTPAnswer {
        switch self {
        case .contended: HTTPAnswer.retryLater
        case .unreadableRecord: .unavailable
        default: .purchaseRefused
        }
    }
}

#if !hasFeature(Embedded)
    extension PurchaseRefusal: CustomStringConvertible {
        /// One line for operators, of bounded length.
        public var description: String {
            switch self {
            case .signedData(let error): error.description
            case .malformedIdentifier: "an identifier is empty, too long, or not of 32 bytes for a key"
            case .otherKind: "the product is neither a non-consumable nor an auto-renewable subscription"
            case .otherProduct: "the server has no budget for the product"
            case .revoked: "the purchase was refunded, revoked or upgraded"
            case .expired: "the purchase has expired"
            case .tooManyKeys(let maximum): "\(maximum) other keys use the purchase already"
            case .contended: "concurrent requests about the same purchase won each attempt; retry"
            case .unreadableRecord: "the store's row of the purchase cannot be read by this version"
            }
        }
    }
#endif
