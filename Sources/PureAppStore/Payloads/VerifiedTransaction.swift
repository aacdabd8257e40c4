public import PureJSON

/// A transaction that the App Store signed: JWSTransactionDecodedPayload. Only a verifier creates values of this type.
///
/// ``members`` also contains members that Apple adds later, and the details of commitments and advanced commerce.
public struct VerifiedTransaction: Sendable {
    /// The kind of product (`type`).
    public enum ProductType: Hashable, Sendable {
        /// "Auto-Renewable Subscription"
        case autoRenewableSubscription
        /// "Non-Consumable"
        case nonConsumable
        /// "Consumable"
        case consumable
        /// "Non-Renewing Subscription"
        case nonRenewingSubscription
        /// A kind that this version of the module does not know.
        case other(SignedText)
    }

    /// Whether the user bought the product, or shares it by Family Sharing (`inAppOwnershipType`).
    public enum Ownership: Hashable, Sendable {
        /// "PURCHASED"
        case purchased
        /// "FAMILY_SHARED"
        case familyShared
        /// A kind that this version of the module does not know.
        case other(SignedText)
    }

    /// `transactionId`: unique for each purchase and renewal.
    public let transactionID: SignedText
    /// `originalTransactionId`: identical for all renewals of a subscription.
    public let originalTransactionID: SignedText
    /// `webOrderLineItemId`.
    public let webOrderLineItemID: SignedText?
    /// `appTransactionId`: identical for all transactions of one customer in the app.
    public let appTransactionID: SignedText?
    /// `bundleId`.
    public let bundleID: SignedText
    /// `productId`.
    public let productID: SignedText
    /// `subscriptionGroupIdentifier`.
    public let subscriptionGroupID: SignedText?
    /// `environment`.
    public let environment: AppStoreEnvironment
    /// `type`.
    public let productType: ProductType?
    /// `inAppOwnershipType`.
    public let ownership: Ownership?
    /// `appAccountToken`: the UUID that the app passed with the purchase.
    public let appAccountToken: SignedText?
    /// `quantity` of a consumable.
    public let quantity: Int64?
    /// `purchaseDate`: the time at which the App Store charged the customer, or restored the purchase.
    public let purchaseDate: AppStoreDate
    /// `originalPurchaseDate`.
    public let originalPurchaseDate: AppStoreDate?
    /// `expiresDate`: the time at which the subscription expires or renews.
    public let expiresDate: AppStoreDate?
    /// `signedDate`.
    public let signedDate: AppStoreDate
    /// `revocationDate`: the time at which the App Store refunded the purchase, or removed it from Family Sharing. A
    /// transaction with this date no longer entitles the customer to the product.
    public let revocationDate: AppStoreDate?
    /// `revocationReason`: 1 if the customer reported a problem in the app, 0 for other reasons.
    public let revocationReason: Int64?
    /// `isUpgraded`: whether the customer upgraded to a different subscription of the same group.
    public let isUpgraded: Bool
    /// `transactionReason`: "PURCHASE" or "RENEWAL".
    public let transactionReason: SignedText?
    /// `offerType`: 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    public let offerType: Int64?
    /// `offerIdentifier`.
    public let offerID: SignedText?
    /// `offerDiscountType`: "FREE_TRIAL" and others.
    public let offerDiscountType: SignedText?
    /// `storefront`: the three letters of a country.
    public let storefront: SignedText?
    /// `currency`: three letters of ISO 4217.
    public let currency: SignedText?
    /// `price`, in thousandths of ``currency``.
    public let price: Int64?
    /// All members, as signed.
    public let members: JSONObject
    /// The revocation state of the certificates.
    public internal(set) var certificateStatus = CertificateStatus.notChecked

    /// Whether the customer is entitled to the product at `time`: the purchase is not revoked, upgraded or expired.
    ///
    /// A purchase without ``expiresDate`` never expires. Non-renewing subscriptions have no such date, so the app
    /// decides when they end. The app must also record whether a consumable was used. A transaction states neither a
    /// grace period nor a later renewal. For these, see ``VerifiedRenewalInfo``.
    public func isActive(at time: AppStoreDate) -> Bool {
        revocationDate == nil && !isUpgraded && expiresDate.map { time < $0 } != false
    }
}

extension VerifiedTransaction: AppStoreContent {
    init(_ payload: PayloadMembers) throws(AppStoreError) {
        members = payload.object
        transactionID = try payload.requiredText("transactionId")
        originalTransactionID = try payload.requiredText("originalTransactionId")
        webOrderLineItemID = try payload.text("webOrderLineItemId")
        appTransactionID = try payload.text("appTransactionId")
        bundleID = try payload.requiredText("bundleId")
        productID = try payload.requiredText("productId")
        subscriptionGroupID = try payload.text("subscriptionGroupIdentifier")
        environment = try payload.environment("environment")
        productType = try payload.text("type").map { ProductType($0) }
        ownership = try payload.text("inAppOwnershipType").map { Ownership($0) }
        appAccountToken = try payload.text("appAccountToken")
        quantity = try payload.integer("quantity")
        purchaseDate = try payload.requiredDate("purchaseDate")
        originalPurchaseDate = try payload.date("originalPurchaseDate")
        expiresDate = try payload.date("expiresDate")
        signedDate = try payload.requiredDate("signedDate")
        revocationDate = try payload.date("revocationDate")
        revocationReason = try payload.integer("revocationReason")
        isUpgraded = try payload.bool("isUpgraded") ?? false
        transactionReason = try payload.text("transactionReason")
        offerType = try payload.integer("offerType")
        offerID = try payload.text("offerIdentifier")
        offerDiscountType = try payload.text("offerDiscountType")
        storefront = try payload.text("storefront")
        currency = try payload.text("currency")
        price = try payload.integer("price")
    }

    var app: SignedApp? { SignedApp(bundleID: bundleID, appAppleID: nil, namesAppAppleID: false) }
}

extension VerifiedTransaction.ProductType {
    init(_ text: SignedText) {
        if text.isEqual(to: "Auto-Renewable Subscription") {
            self = .autoRenewableSubscription
        } else if text.isEqual(to: "Non-Consumable") {
            self = .nonConsumable
        } else if text.isEqual(to: "Consumable") {
            self = .consumable
        } else if text.isEqual(to: "Non-Renewing Subscription") {
            self = .nonRenewingSubscription
        } else {
            self = .other(text)
        }
    }
}

extension VerifiedTransaction.Ownership {
    init(_ text: SignedText) {
        self =
            text.isEqual(to: "PURCHASED")
            ? .purchased : text.isEqual(to: "FAMILY_SHARED") ? .familyShared : .other(text)
    }
}
