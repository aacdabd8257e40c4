/// Creates the JSON that a test App Store signs, from a few values. All other members are constants.
public enum AppStoreContent {
    /// A transaction. Times are in milliseconds since 1970.
    public static func transaction(
        bundleID: String, productID: String = "com.example.monthly", transactionID: String = "2000000000000002",
        originalTransactionID: String = "2000000000000001", environment: String = "Sandbox", signedDate: Int64,
        purchaseDate: Int64? = nil, expiresDate: Int64? = nil, more members: String = ""
    ) -> [UInt8] {
        let purchased = purchaseDate ?? max(signedDate, .min + 1_000) - 1_000
        let expires = expiresDate.map { #","expiresDate":\#($0)"# } ?? ""
        return Array(
            """
            {"transactionId":"\(transactionID)","originalTransactionId":"\(originalTransactionID)",\
            "bundleId":"\(bundleID)","productId":"\(productID)","purchaseDate":\(purchased),\
            "originalPurchaseDate":\(purchased)\(expires),"quantity":1,"type":"Auto-Renewable Subscription",\
            "inAppOwnershipType":"PURCHASED","signedDate":\(signedDate),"environment":"\(environment)",\
            "transactionReason":"PURCHASE","storefront":"DEU","storefrontId":"143443","price":4990,"currency":"EUR"\
            \(members)}
            """.utf8)
    }

    /// Renewal information.
    public static func renewalInfo(
        originalTransactionID: String = "2000000000000001", productID: String = "com.example.monthly",
        environment: String = "Sandbox", signedDate: Int64, more members: String = ""
    ) -> [UInt8] {
        Array(
            """
            {"originalTransactionId":"\(originalTransactionID)","autoRenewProductId":"\(productID)",\
            "productId":"\(productID)","autoRenewStatus":1,"signedDate":\(signedDate),\
            "environment":"\(environment)"\(members)}
            """.utf8)
    }

    /// An app transaction.
    public static func appTransaction(
        bundleID: String, appAppleID: Int64?, environment: String = "Sandbox", signedDate: Int64,
        more members: String = ""
    ) -> [UInt8] {
        let id = appAppleID.map { #""appAppleId":\#($0),"# } ?? ""
        return Array(
            """
            {"receiptType":"\(environment)",\(id)"bundleId":"\(bundleID)","applicationVersion":"1",\
            "originalApplicationVersion":"1","receiptCreationDate":\(signedDate),"originalPurchaseDate":\(signedDate),\
            "originalPlatform":"iOS"\(members)}
            """.utf8)
    }

    /// A notification about a purchase, which contains the given JWS.
    public static func notification(
        type: String, subtype: String? = nil, id: String = "5e09dcfc-205e-4ea1-9883-96676f394992", bundleID: String,
        appAppleID: Int64?, environment: String = "Sandbox", signedDate: Int64, signedTransaction: [UInt8]? = nil,
        signedRenewalInfo: [UInt8]? = nil, more members: String = ""
    ) -> [UInt8] {
        func member(_ name: String, _ jws: [UInt8]?) -> String {
            jws.map { #","\#(name)":"\#(String(decoding: $0, as: UTF8.self))""# } ?? ""
        }
        let apple = appAppleID.map { #","appAppleId":\#($0)"# } ?? ""
        return Array(
            """
            {"notificationType":"\(type)",\(subtype.map { #""subtype":"\#($0)","# } ?? "")"notificationUUID":"\(id)",\
            "data":{"bundleId":"\(bundleID)"\(apple),"environment":"\(environment)"\
            \(member("signedTransactionInfo", signedTransaction))\(member("signedRenewalInfo", signedRenewalInfo))},\
            "version":"2.0","signedDate":\(signedDate)\(members)}
            """.utf8)
    }
}
