public import PureJSON

/// Verified renewal information: JWSRenewalInfoDecodedPayload. Only a verifier creates values of this type.
///
/// It contains no bundle ID, so compare ``originalTransactionID`` with a verified transaction of your app.
public struct VerifiedRenewalInfo: Sendable {
    /// `originalTransactionId`: the subscription.
    public let originalTransactionID: SignedText
    /// `productId`: the product of the current period.
    public let productID: SignedText?
    /// `autoRenewProductId`: the product of the next period.
    public let autoRenewProductID: SignedText?
    /// `environment`.
    public let environment: AppStoreEnvironment
    /// `autoRenewStatus`: whether the subscription renews at the end of the period.
    public let willAutoRenew: Bool?
    /// `expirationIntent`: 1 cancelled, 2 billing error, 3 price increase declined, 4 product not available, 5 other.
    public let expirationIntent: Int64?
    /// `isInBillingRetryPeriod`: whether the App Store still tries to charge the customer.
    public let isInBillingRetryPeriod: Bool?
    /// `gracePeriodExpiresDate`: the end of the grace period. During this period the customer keeps the product,
    /// although the App Store could not charge for the renewal.
    public let gracePeriodExpiresDate: AppStoreDate?
    /// `renewalDate`.
    public let renewalDate: AppStoreDate?
    /// `recentSubscriptionStartDate`.
    public let recentSubscriptionStartDate: AppStoreDate?
    /// `priceIncreaseStatus`: 0 if the customer has not answered, 1 if the customer agreed or need not agree.
    public let priceIncreaseStatus: Int64?
    /// `renewalPrice`, in thousandths of ``currency``.
    public let renewalPrice: Int64?
    /// `currency`: three letters of ISO 4217.
    public let currency: SignedText?
    /// `appAccountToken`: the UUID that the app passed with the purchase.
    public let appAccountToken: SignedText?
    /// `appTransactionId`.
    public let appTransactionID: SignedText?
    /// `signedDate`.
    public let signedDate: AppStoreDate
    /// All members, as signed.
    public let members: JSONObject
    /// The revocation state of the certificates.
    public internal(set) var certificateStatus = CertificateStatus.notChecked
}

extension VerifiedRenewalInfo: AppStoreContent {
    init(_ payload: PayloadMembers) throws(AppStoreError) {
        members = payload.object
        originalTransactionID = try payload.requiredText("originalTransactionId")
        productID = try payload.text("productId")
        autoRenewProductID = try payload.text("autoRenewProductId")
        environment = try payload.environment("environment")
        willAutoRenew = try payload.integer("autoRenewStatus").map { $0 == 1 }
        // Requires `autoRenewProductId` or `autoRenewStatus`, so that no transaction passes as renewal information. A
        // transaction has all other required members.
        if autoRenewProductID == nil { _ = try payload.required(willAutoRenew, "autoRenewStatus") }
        expirationIntent = try payload.integer("expirationIntent")
        isInBillingRetryPeriod = try payload.bool("isInBillingRetryPeriod")
        gracePeriodExpiresDate = try payload.date("gracePeriodExpiresDate")
        renewalDate = try payload.date("renewalDate")
        recentSubscriptionStartDate = try payload.date("recentSubscriptionStartDate")
        priceIncreaseStatus = try payload.integer("priceIncreaseStatus")
        renewalPrice = try payload.integer("renewalPrice")
        currency = try payload.text("currency")
        appAccountToken = try payload.text("appAccountToken")
        appTransactionID = try payload.text("appTransactionId")
        signedDate = try payload.requiredDate("signedDate")
    }

    var app: SignedApp? { nil }
}
