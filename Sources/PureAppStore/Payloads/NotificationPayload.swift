import PureJSON

/// The content of a notification (ResponseBodyV2DecodedPayload), before each JWS inside it is verified.
struct NotificationPayload: AppStoreContent {
    let type: SignedText
    let subtype: SignedText?
    let id: SignedText
    let signedDate: AppStoreDate
    let content: Content
    let members: JSONObject
    var certificateStatus = CertificateStatus.notChecked

    enum Content: Sendable {
        case data(NotificationData)
        case summary(VerifiedNotification.Summary)
        case externalPurchaseToken(VerifiedNotification.ExternalPurchaseToken)
        case appData(NotificationAppData)
    }

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
        if let data = try payload.members("data") { contents.append(.data(try NotificationData(data))) }
        if let summary = try payload.members("summary") {
            contents.append(.summary(try VerifiedNotification.Summary(summary)))
        }
        if let token = try payload.members("externalPurchaseToken") {
            contents.append(.externalPurchaseToken(try VerifiedNotification.ExternalPurchaseToken(token)))
        }
        if let data = try payload.members("appData") { contents.append(.appData(try NotificationAppData(data))) }
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
        switch content {
        case .data(let data): SignedApp(bundleID: data.bundleID, appAppleID: data.appAppleID, namesAppAppleID: true)
        case .summary(let summary):
            SignedApp(bundleID: summary.bundleID, appAppleID: summary.appAppleID, namesAppAppleID: true)
        case .externalPurchaseToken(let token):
            SignedApp(bundleID: token.bundleID, appAppleID: token.appAppleID, namesAppAppleID: true)
        case .appData(let data): SignedApp(bundleID: data.bundleID, appAppleID: data.appAppleID, namesAppAppleID: true)
        }
    }
}

/// `data`, whose JWS members are not verified yet.
struct NotificationData: Sendable {
    let environment: AppStoreEnvironment
    let bundleID: SignedText
    let appAppleID: Int64?
    let bundleVersion: SignedText?
    let status: Int64?
    let consumptionRequestReason: SignedText?
    let signedTransaction: SignedText?
    let signedRenewalInfo: SignedText?

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

/// `appData`, whose JWS member is not verified yet.
struct NotificationAppData: Sendable {
    let environment: AppStoreEnvironment
    let bundleID: SignedText
    let appAppleID: Int64?
    let signedAppTransaction: SignedText?

    init(_ data: PayloadMembers) throws(AppStoreError) {
        environment = try data.environment("environment")
        bundleID = try data.requiredText("bundleId")
        appAppleID = try data.integer("appAppleId")
        signedAppTransaction = try data.text("signedAppTransactionInfo")
    }
}
