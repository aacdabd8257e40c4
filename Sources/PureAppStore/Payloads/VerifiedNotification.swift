import PureBytes
public import PureJSON

/// A verified server notification of version 2. Only a verifier creates values of this type.
///
/// The App Store repeats a notification until the server answers, and notifications may arrive out of order. So store
/// ``id``, and keep the transaction with the latest ``VerifiedTransaction/signedDate``.
public struct VerifiedNotification: Sendable {
    /// `notificationType`, such as "DID_RENEW", "EXPIRED", "REFUND", "REVOKE" or "TEST".
    public let type: SignedText
    /// `subtype`, such as "VOLUNTARY".
    public let subtype: SignedText?
    /// `notificationUUID`: identical for each delivery of this notification.
    public let id: SignedText
    /// `signedDate`.
    public let signedDate: AppStoreDate
    /// The subject: a purchase, the result of a request, a token or the app.
    public internal(set) var content: Content
    /// All members, as signed.
    public let members: JSONObject
    /// The revocation state of the certificates.
    public internal(set) var certificateStatus = CertificateStatus.notChecked

    /// The subject of a notification.
    public enum Content: Sendable {
        /// `data`: a purchase, or a test.
        case data(Data)
        /// `summary`: the result of a request to extend renewal dates.
        case summary(Summary)
        /// `externalPurchaseToken`.
        case externalPurchaseToken(ExternalPurchaseToken)
        /// `appData`: the app itself.
        case appData(AppData)
    }

    /// A purchase: `data`.
    public struct Data: Sendable {
        /// `environment`.
        public let environment: AppStoreEnvironment
        /// `bundleId`.
        public let bundleID: SignedText
        /// `appAppleId`. Missing in some test notifications and in the sandbox.
        public let appAppleID: Int64?
        /// `bundleVersion`.
        public let bundleVersion: SignedText?
        /// `status` of the subscription: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
        public let status: Int64?
        /// `consumptionRequestReason`.
        public let consumptionRequestReason: SignedText?
        /// The transaction in `signedTransactionInfo`, verified.
        public internal(set) var transaction: VerifiedTransaction?
        /// The renewal information in `signedRenewalInfo`, verified. `nil` also if Apple signed `null`.
        public internal(set) var renewalInfo: VerifiedRenewalInfo?
        /// `signedTransactionInfo`, not verified.
        let signedTransaction: SignedText?
        /// `signedRenewalInfo`, not verified.
        let signedRenewalInfo: SignedText?
    }

    /// The result of a request to extend renewal dates: `summary`.
    public struct Summary: Sendable {
        /// `environment`.
        public let environment: AppStoreEnvironment
        /// `bundleId`.
        public let bundleID: SignedText
        /// `appAppleId`.
        public let appAppleID: Int64?
        /// `productId`.
        public let productID: SignedText?
        /// `requestIdentifier`.
        public let requestID: SignedText?
        /// `succeededCount`.
        public let succeededCount: Int64?
        /// `failedCount`.
        public let failedCount: Int64?
    }

    /// A token of an external purchase: `externalPurchaseToken`.
    public struct ExternalPurchaseToken: Sendable {
        /// Sandbox if ``id`` begins with "SANDBOX", because there is no member for the environment.
        public let environment: AppStoreEnvironment
        /// `externalPurchaseId`.
        public let id: SignedText
        /// `bundleId`.
        public let bundleID: SignedText
        /// `appAppleId`.
        public let appAppleID: Int64?
        /// `tokenCreationDate`.
        public let creationDate: AppStoreDate?
    }

    /// The app itself: `appData`.
    public struct AppData: Sendable {
        /// `environment`.
        public let environment: AppStoreEnvironment
        /// `bundleId`.
        public let bundleID: SignedText
        /// `appAppleId`.
        public let appAppleID: Int64?
        /// The app transaction in `signedAppTransactionInfo`, verified.
        public internal(set) var appTransaction: VerifiedAppTransaction?
        /// `signedAppTransactionInfo`, not verified.
        let signedAppTransaction: SignedText?
    }
}

extension VerifiedNotification: AppStoreContent {
    /// Reads the content of a notification (ResponseBodyV2DecodedPayload). Nothing is verified yet, so only
    /// `takeNotificationSteps`, which also verifies each JWS inside the notification, may return the value.
    init(_ payload: PayloadMembers) throws(AppStoreError) {
        members = payload.object
        type = try payload.requiredText("notificationType")
        subtype = try payload.text("subtype")
        id = try payload.requiredText("notificationUUID")
        signedDate = try payload.requiredDate("signedDate")
        if let version = try payload.text("version"), !version.isEqual(to: "2.0") {
            throw .unsupportedNotificationVersion
        }
        var contents: [Content] = []
        if let data = try payload.members("data") { contents.append(.data(try Data(data))) }
        if let summary = try payload.members("summary") { contents.append(.summary(try Summary(summary))) }
        if let token = try payload.members("externalPurchaseToken") {
            contents.append(.externalPurchaseToken(try ExternalPurchaseToken(token)))
        }
        if let data = try payload.members("appData") { contents.append(.appData(try AppData(data))) }
        guard contents.count == 1 else { throw .invalidNotificationContent }
        content = contents[0]
    }

    var environment: AppStoreEnvironment {
        switch content {
        case .data(let data): data.environment
        case .summary(let summary): summary.environment
        case .externalPurchaseToken(let token): token.environment
        case .appData(let data): data.environment
        }
    }

    var app: SignedApp? {
        let (bundleID, appAppleID) =
            switch content {
            case .data(let data): (data.bundleID, data.appAppleID)
            case .summary(let summary): (summary.bundleID, summary.appAppleID)
            case .externalPurchaseToken(let token): (token.bundleID, token.appAppleID)
            case .appData(let data): (data.bundleID, data.appAppleID)
            }
        return SignedApp(bundleID: bundleID, appAppleID: appAppleID, namesAppAppleID: true)
    }
}

extension VerifiedNotification.Data {
    init(_ data: PayloadMembers) throws(AppStoreError) {
        environment = try data.environment("environment")
        bundleID = try data.requiredText("bundleId")
        appAppleID = try data.integer("appAppleId")
        bundleVersion = try data.text("bundleVersion")
        status = try data.integer("status")
        consumptionRequestReason = try data.text("consumptionRequestReason")
        signedTransaction = try data.text("signedTransactionInfo")
        signedRenewalInfo = try data.text("signedRenewalInfo")
    }
}

extension VerifiedNotification.AppData {
    init(_ data: PayloadMembers) throws(AppStoreError) {
        environment = try data.environment("environment")
        bundleID = try data.requiredText("bundleId")
        appAppleID = try data.integer("appAppleId")
        signedAppTransaction = try data.text("signedAppTransactionInfo")
    }
}

extension VerifiedNotification.Summary {
    init(_ summary: PayloadMembers) throws(AppStoreError) {
        environment = try summary.environment("environment")
        bundleID = try summary.requiredText("bundleId")
        appAppleID = try summary.integer("appAppleId")
        productID = try summary.text("productId")
        requestID = try summary.text("requestIdentifier")
        succeededCount = try summary.integer("succeededCount")
        failedCount = try summary.integer("failedCount")
    }
}

extension VerifiedNotification.ExternalPurchaseToken {
    init(_ token: PayloadMembers) throws(AppStoreError) {
        id = try token.requiredText("externalPurchaseId")
        environment = id.utf8.starts(with: ascii("SANDBOX")) ? .sandbox : .production
        bundleID = try token.requiredText("bundleId")
        appAppleID = try token.integer("appAppleId")
        creationDate = try token.date("tokenCreationDate")
    }
}
