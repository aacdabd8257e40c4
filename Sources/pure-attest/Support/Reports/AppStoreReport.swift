import PureAppStore
import PureDER
import PureJSON
import PureJWS
import PureX509Paths
import VectorSupport

extension RefusalReason {
    /// `detail` contains the case names of the inner errors, such as `certificateChain.expired`.
    init(_ error: AppStoreError, hint: String? = nil) {
        statement = statementForPeople(error)
        self.hint = hint
        let names = caseNames(of: error)
        code = names[0]
        detail = names.count > 1 ? names.dropFirst().joined(separator: ".") : nil
    }
}

/// Describes the error, but omits advice for programmers.
private func statementForPeople(_ error: AppStoreError) -> String {
    guard case .otherEnvironment(let environment) = error else { return "\(error)" }
    return "the data is of the environment \(environment)"
}

/// Returns the case name of an error, followed by the case names of the errors that it wraps.
private func caseNames(of error: any Error) -> [String] {
    let inner: (any Error)? =
        switch error {
        case AppStoreError.signature(let error): error
        case AppStoreError.certificateStatus(_, let error): error
        case AppStoreError.malformedContent(let error): error
        case AppStoreError.transaction(let error), AppStoreError.renewalInfo(let error),
            AppStoreError.appTransaction(let error):
            error
        case JWSError.malformedBase64(_, let error): error
        case JWSError.malformedHeader(let error): error
        case JWSError.malformedSignature(let error): error
        case JWSError.malformedCertificate(_, let error), JWSError.certificateChain(let error): error
        case PathError.ocsp(let error): error
        default: nil
        }
    return [caseName(of: error) ?? "unknown"] + (inner.map { caseNames(of: $0) } ?? [])
}

extension Report {
    init(_ report: SignedDataReport) {
        for (check, outcome) in report.steps {
            switch outcome {
            case .notChecked: add("\(check)", check.label, .text("notChecked"), shown: "not checked")
            case .passed: add("\(check)", check.label, .text("passed"), colour: .green)
            case .notRun: add("\(check)", check.label, .text("notRun"), shown: "not run")
            case .failed(let error):
                add(
                    "\(check)", check.label, .text(caseNames(of: error).joined(separator: ".")),
                    note: statementForPeople(error).printable, shown: "failed", colour: .red)
            }
        }
    }
}

extension SignedDataReport.Check {
    fileprivate var label: String {
        switch self {
        case .form: "JWS form"
        case .algorithm: "Algorithm"
        case .content: "Content"
        case .environment: "Environment"
        case .app: "App"
        case .certificates: "Certificates"
        case .chain: "Certificate chain"
        case .purpose: "Certificate purpose"
        case .revocation: "Certificate status"
        case .signature: "Signature"
        case .date: "Date of signing"
        case .innerData: "Data inside"
        }
    }
}

extension Report {
    init(_ transaction: VerifiedTransaction) {
        add("transactionID", "Transaction ID", .text(transaction.transactionID.description))
        add("originalTransactionID", "Original transaction ID", .text(transaction.originalTransactionID.description))
        add("bundleID", "Bundle ID", .text(transaction.bundleID.description))
        add("productID", "Product ID", .text(transaction.productID.description))
        switch transaction.productType {
        case .autoRenewableSubscription:
            add("type", "Type", .text("autoRenewableSubscription"), shown: "auto-renewable subscription")
        case .nonConsumable: add("type", "Type", .text("nonConsumable"), shown: "non-consumable")
        case .consumable: add("type", "Type", .text("consumable"))
        case .nonRenewingSubscription:
            add("type", "Type", .text("nonRenewingSubscription"), shown: "non-renewing subscription")
        case .other(let text): add("type", "Type", .text(text.description))
        case nil: add("type", "Type", .absent)
        }
        add("quantity", "Quantity", number: transaction.quantity)
        add("environment", "Environment", .text("\(transaction.environment)"))
        switch transaction.ownership {
        case .purchased: add("ownership", "Ownership", .text("purchased"))
        case .familyShared: add("ownership", "Ownership", .text("familyShared"), shown: "shared by the family")
        case .other(let text): add("ownership", "Ownership", .text(text.description))
        case nil: add("ownership", "Ownership", .absent)
        }
        add("appAccountToken", "App account token", text: transaction.appAccountToken)
        add("appTransactionID", "App transaction ID", text: transaction.appTransactionID)
        add("purchaseDate", "Purchased", date: transaction.purchaseDate)
        add("originalPurchaseDate", "Originally purchased", date: transaction.originalPurchaseDate)
        add("expiresDate", "Expires", date: transaction.expiresDate)
        add("revocationDate", "Revoked", date: transaction.revocationDate)
        add("revocationReason", "Revocation reason", number: transaction.revocationReason)
        add("isUpgraded", "Upgraded", .bool(transaction.isUpgraded))
        add("signedDate", "Signed", date: transaction.signedDate)
        add(transaction.certificateStatus)
    }

    init(_ info: VerifiedRenewalInfo) {
        add("originalTransactionID", "Original transaction ID", .text(info.originalTransactionID.description))
        add("productID", "Product ID", text: info.productID)
        add("autoRenewProductID", "Next product ID", text: info.autoRenewProductID)
        add("environment", "Environment", .text("\(info.environment)"))
        add("willAutoRenew", "Renews", info.willAutoRenew.map { .bool($0) } ?? .absent)
        add("expirationIntent", "Expiration intent", number: info.expirationIntent)
        add("isInBillingRetryPeriod", "Billing retry", info.isInBillingRetryPeriod.map { .bool($0) } ?? .absent)
        add("gracePeriodExpiresDate", "Grace period expires", date: info.gracePeriodExpiresDate)
        add("renewalDate", "Renewal", date: info.renewalDate)
        add("appAccountToken", "App account token", text: info.appAccountToken)
        add("signedDate", "Signed", date: info.signedDate)
        add(info.certificateStatus)
    }

    init(_ app: VerifiedAppTransaction) {
        add("bundleID", "Bundle ID", .text(app.bundleID.description))
        add("appAppleID", "Apple ID", number: app.appAppleID)
        add("appTransactionID", "App transaction ID", text: app.appTransactionID)
        add("environment", "Environment", .text("\(app.environment)"))
        add("applicationVersion", "Version", text: app.applicationVersion)
        add("originalApplicationVersion", "Original version", text: app.originalApplicationVersion)
        add("originalPlatform", "Original platform", text: app.originalPlatform)
        add("originalPurchaseDate", "Originally purchased", date: app.originalPurchaseDate)
        add("preorderDate", "Preordered", date: app.preorderDate)
        add("signedDate", "Signed", date: app.signedDate)
        add(app.certificateStatus)
    }

    init(_ notification: VerifiedNotification) {
        add("type", "Type", .text(notification.type.description))
        add("subtype", "Subtype", text: notification.subtype)
        add("id", "ID", .text(notification.id.description))
        add("signedDate", "Signed", date: notification.signedDate)
        add(notification.certificateStatus)
        switch notification.content {
        case .data(let data):
            addApp(data.bundleID, data.appAppleID, data.environment)
            add("status", "Subscription status", number: data.status)
            add("transaction", "Transaction", data.transaction.map { .group(Report($0)) } ?? .absent)
            add("renewalInfo", "Renewal information", data.renewalInfo.map { .group(Report($0)) } ?? .absent)
        case .summary(let summary):
            addApp(summary.bundleID, summary.appAppleID, summary.environment)
            add("productID", "Product ID", text: summary.productID)
            add("requestID", "Request ID", text: summary.requestID)
            add("succeededCount", "Succeeded", number: summary.succeededCount)
            add("failedCount", "Failed", number: summary.failedCount)
        case .externalPurchaseToken(let token):
            addApp(token.bundleID, token.appAppleID, token.environment)
            add("externalPurchaseID", "External purchase ID", .text(token.id.description))
            add("creationDate", "Token created", date: token.creationDate)
        case .appData(let data):
            addApp(data.bundleID, data.appAppleID, data.environment)
            add("appTransaction", "App transaction", data.appTransaction.map { .group(Report($0)) } ?? .absent)
        }
    }

    private mutating func addApp(_ bundleID: SignedText, _ appleID: Int64?, _ environment: AppStoreEnvironment) {
        add("bundleID", "Bundle ID", .text(bundleID.description))
        add("appAppleID", "Apple ID", number: appleID)
        add("environment", "Environment", .text("\(environment)"))
    }

    private mutating func add(_ status: CertificateStatus) {
        switch status {
        case .notChecked:
            add(
                "certificateStatus", "Certificate status", .text("notChecked"), note: "no --ocsp", shown: "not checked")
        case .good(let time):
            add("certificateStatus", "Certificate status", .text("good"), note: "until \(time)")
        }
    }

    private mutating func add(_ key: String, _ label: String, text: SignedText?) {
        add(key, label, text.map { .text($0.description) } ?? .absent)
    }

    private mutating func add(_ key: String, _ label: String, date: AppStoreDate?) {
        add(key, label, date.map { .time($0.unixTime) } ?? .absent)
    }

    private mutating func add(_ key: String, _ label: String, number: Int64?) {
        add(key, label, number.map { .number($0) } ?? .absent)
    }
}
