public import PureJSON

/// A customer's purchase or download of the app itself: AppTransaction. Only a verifier creates values of this type.
public struct VerifiedAppTransaction: Sendable {
    /// `receiptType`: the environment.
    public let environment: AppStoreEnvironment
    /// `bundleId`.
    public let bundleID: SignedText
    /// `appAppleId`. Missing in data from Xcode.
    public let appAppleID: Int64?
    /// `appTransactionId`: identical for all downloads of the app by one customer.
    public let appTransactionID: SignedText?
    /// `applicationVersion`: the version of the app that requested this data.
    public let applicationVersion: SignedText?
    /// `originalApplicationVersion`: the version that the customer first bought or downloaded.
    public let originalApplicationVersion: SignedText?
    /// `originalPurchaseDate`.
    public let originalPurchaseDate: AppStoreDate?
    /// `originalPlatform`: "iOS", "macOS", "tvOS" or "visionOS".
    public let originalPlatform: SignedText?
    /// `preorderDate`.
    public let preorderDate: AppStoreDate?
    /// `deviceVerification`: the SHA-384 hash of the nonce and the device's identifier (both in lower case), in Base64.
    /// Only an app on the device knows this identifier.
    public let deviceVerification: SignedText?
    /// `deviceVerificationNonce`: a UUID.
    public let deviceVerificationNonce: SignedText?
    /// `receiptCreationDate`: the time at which the App Store signed this data.
    public let signedDate: AppStoreDate
    /// All members, as signed.
    public let members: JSONObject
    /// The revocation state of the certificates.
    public internal(set) var certificateStatus = CertificateStatus.notChecked
}

extension VerifiedAppTransaction: AppStoreContent {
    init(_ payload: PayloadMembers) throws(AppStoreError) {
        members = payload.object
        environment = try payload.environment("receiptType")
        bundleID = try payload.requiredText("bundleId")
        appAppleID = try payload.integer("appAppleId")
        appTransactionID = try payload.text("appTransactionId")
        applicationVersion = try payload.text("applicationVersion")
        originalApplicationVersion = try payload.text("originalApplicationVersion")
        originalPurchaseDate = try payload.date("originalPurchaseDate")
        originalPlatform = try payload.text("originalPlatform")
        preorderDate = try payload.date("preorderDate")
        deviceVerification = try payload.text("deviceVerification")
        deviceVerificationNonce = try payload.text("deviceVerificationNonce")
        signedDate = try payload.requiredDate("receiptCreationDate")
    }

    var app: SignedApp? { SignedApp(bundleID: bundleID, appAppleID: appAppleID, namesAppAppleID: true) }
}
