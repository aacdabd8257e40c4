import PureAppStoreTesting
import PureDER
import PureJWS
import PureX509
import Testing

@testable import PureAppStore

@Suite struct NotificationTests {
    private let store = TestAppStoreTests.store
    private let signed = TestAppStoreTests.signed

    private func failure(_ json: String) throws -> AppStoreError? {
        try TestAppStoreTests.verifier().explain(.notification, store.sign(json.utf8), at: now).firstFailure
    }

    private func notification(_ content: String, version: String = #","version":"2.0""#) -> String {
        #"{"notificationType":"TEST","notificationUUID":"1","signedDate":\#(signed)\#(version)\#(content)}"#
    }

    private let data = #","data":{"bundleId":"com.example.app","environment":"Sandbox"}"#
    private let summary = #","summary":{"bundleId":"com.example.app","environment":"Sandbox","succeededCount":3}"#

    private func appData(_ jws: [UInt8]) -> String {
        let text = String(decoding: jws, as: UTF8.self)
        return
            #","appData":{"environment":"Sandbox","bundleId":"com.example.app","signedAppTransactionInfo":"\#(text)"}"#
    }

    @Test func exactlyOneContent() throws {
        #expect(try failure(notification(data)) == nil)
        #expect(try failure(notification(summary)) == nil)
        #expect(try failure(notification("")) == .invalidNotificationContent)
        #expect(try failure(notification(data + summary)) == .invalidNotificationContent)
        #expect(try failure(notification(#","data":null"#)) == .invalidNotificationContent)
        #expect(try failure(notification(data, version: "")) == nil)
        #expect(try failure(notification(data, version: #","version":"1.0""#)) == .unsupportedNotificationVersion)
    }

    @Test func everyContentNamesItsApp() throws {
        for content in [
            #""data":{"environment":"Sandbox""#, #""summary":{"environment":"Sandbox""#,
            #""externalPurchaseToken":{"externalPurchaseId":"SANDBOX_1""#, #""appData":{"environment":"Sandbox""#,
        ] {
            #expect(try failure(notification(",\(content),\"bundleId\":\"com.example.app\"}")) == nil, "\(content)")
            #expect(
                try failure(notification(",\(content),\"bundleId\":\"com.other\"}")) == .otherBundleID("com.other"))
            #expect(try failure(notification(",\(content)}")) == .memberMissing("bundleId"))
        }
        let production = #","externalPurchaseToken":{"externalPurchaseId":"1","bundleId":"com.example.app"}"#
        #expect(try failure(notification(production)) == .otherEnvironment(.production))
    }

    @Test func everyContentNamesItsAppleID() throws {
        let verifier = try TestAppStoreTests.verifier(.production)
        for content in [
            #""data":{"environment":"Production""#, #""summary":{"environment":"Production""#,
            #""externalPurchaseToken":{"externalPurchaseId":"1""#, #""appData":{"environment":"Production""#,
        ] {
            for (id, expected) in [
                (#","appAppleId":42"#, nil), (#","appAppleId":43"#, .otherAppAppleID(43)), ("", .otherAppAppleID(nil)),
            ] as [(String, AppStoreError?)] {
                let json = notification(",\(content),\"bundleId\":\"com.example.app\"\(id)}")
                let failure = verifier.explain(.notification, store.sign(json.utf8), at: now).firstFailure
                #expect(failure == expected, "\(content)\(id)")
            }
        }
    }

    @Test func theOtherContentsAreDecoded() throws {
        let verifier = try TestAppStoreTests.verifier()
        func content(_ json: String) throws -> VerifiedNotification.Content {
            try verifier.verifyAndDecodeNotification(signedPayload: store.sign(notification(json).utf8), at: now)
                .content
        }
        guard case .summary(let result) = try content(summary) else { return #expect(Bool(false)) }
        #expect(result.succeededCount == 3 && result.failedCount == nil)
        let app = store.sign(
            AppStoreContent.appTransaction(bundleID: "com.example.app", appAppleID: 42, signedDate: signed))
        let json = appData(app)
        guard case .appData(let rescinded) = try content(json) else { return #expect(Bool(false)) }
        #expect(rescinded.appTransaction?.appAppleID == 42)
        let token = #"""
            ,"externalPurchaseToken":{"externalPurchaseId":"SANDBOX_7","bundleId":"com.example.app",
            "tokenCreationDate":1700000000000}
            """#
        guard case .externalPurchaseToken(let purchase) = try content(token) else { return #expect(Bool(false)) }
        #expect(purchase.id == "SANDBOX_7" && purchase.creationDate?.unixTime.secondsSince1970 == 1_700_000_000)
    }

    @Test func innerDataIsVerified() throws {
        let transaction = AppStoreContent.transaction(bundleID: "com.other", signedDate: signed)
        let renewal = AppStoreContent.renewalInfo(environment: "Production", signedDate: signed)
        let app = AppStoreContent.appTransaction(bundleID: "com.other", appAppleID: 1, signedDate: signed)
        func outer(_ transaction: [UInt8]?, _ renewal: [UInt8]?) -> String {
            String(
                decoding: AppStoreContent.notification(
                    type: "EXPIRED", subtype: "VOLUNTARY", bundleID: "com.example.app", appAppleID: 42,
                    signedDate: signed, signedTransaction: transaction, signedRenewalInfo: renewal), as: UTF8.self)
        }
        #expect(try failure(outer(store.sign(transaction), nil)) == .transaction(.otherBundleID("com.other")))
        #expect(try failure(outer(nil, store.sign(renewal))) == .renewalInfo(.otherEnvironment(.production)))
        let json = appData(store.sign(app))
        #expect(try failure(notification(json)) == .appTransaction(.otherBundleID("com.other")))
        // A different test App Store signed the inner data.
        let good = AppStoreContent.transaction(bundleID: "com.example.app", signedDate: signed)
        #expect(
            try failure(outer(TestAppStore(seed: 1).sign(good), nil)) == .transaction(.signature(.untrustedRoot)))
        // Apple has signed `null` as renewal information.
        #expect(try failure(outer(store.sign(good), store.sign("null".utf8))) == nil)
        #expect(try failure(outer(store.sign(good), store.sign("[1]".utf8))) == .renewalInfo(.contentNotObject))
        // The content `null` is valid only as the payload of a JWS.
        for text in ["null", "", "x"] {
            #expect(
                try failure(outer(store.sign(good), Array(text.utf8)))
                    == .renewalInfo(.signature(.notCompactSerialization)))
        }
    }

    /// Operators act on the error for a wrong Apple ID, so data that Apple did not sign must not cause it.
    @Test func onlySignedDataNameAnotherApp() throws {
        let verifier = try TestAppStoreTests.verifier(.production)
        let content = #","data":{"bundleId":"com.example.app","appAppleId":43,"environment":"Production"}"#
        let signature = store.sign(notification(content).utf8, fault: .signatureOfOtherKey)
        #expect(throws: AppStoreError.signature(.invalidSignature)) {
            try verifier.verifyAndDecodeNotification(signedPayload: signature, at: now)
        }
    }

    @Test func bodies() throws {
        let verifier = try TestAppStoreTests.verifier()
        func error(_ body: String) -> AppStoreError? {
            #expect(throws: AppStoreError.self) {
                try verifier.verifyAndDecodeNotification(body: body.utf8, at: now)
            }
        }
        #expect(error(#"{"notification_type":"DID_RENEW","password":"x"}"#) == .notificationVersion1)
        #expect(error(#"{"notification_type":null}"#) == .memberMissing("signedPayload"))
        #expect(error("{}") == .memberMissing("signedPayload"))
        #expect(error(#"{"signedPayload":1}"#) == .invalidMember("signedPayload"))
        #expect(error("[]") == .contentNotObject)
        #expect(error(#"{"signedPayload":"x"}"#) == .signature(.notCompactSerialization))
        #expect(error(String(repeating: " ", count: 1 << 18) + "{}") == .signature(.tooLarge))
    }
}
