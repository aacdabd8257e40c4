import PureAppStoreTesting
import PureJWS
import Testing

@testable import PureAppStore

@Suite struct AppStoreLimitTests {
    private let store = TestAppStoreTests.store
    private let signed = TestAppStoreTests.signed

    @Test func theSizeOfTextsIsLimited() throws {
        let verifier = try TestAppStoreTests.verifier()
        for (more, expected) in [(0, JWSError.notCompactSerialization), (1, .tooLarge), (1_000, .tooLarge)] {
            let text = [UInt8](repeating: UInt8(ascii: "A"), count: 262_144 + more)
            let error = AppStoreError.signature(expected)
            #expect(throws: error) { try verifier.verifyAndDecodeTransaction(signedTransaction: text, at: now) }
            #expect(throws: error) { try verifier.verifyAndDecodeRenewalInfo(signedRenewalInfo: text, at: now) }
            #expect(throws: error) { try verifier.verifyAndDecodeAppTransaction(signedAppTransaction: text, at: now) }
            #expect(throws: error) { try verifier.verifyAndDecodeNotification(signedPayload: text, at: now) }
            for kind in SignedDataReport.Kind.allCases {
                #expect(verifier.explain(kind, text, at: now).firstFailure == error)
            }
        }
    }

    @Test func theSizeOfBodiesIsLimited() throws {
        let verifier = try TestAppStoreTests.verifier()
        let body = Array("{}".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: 262_144 - 2)
        #expect(throws: AppStoreError.memberMissing("signedPayload")) {
            try verifier.verifyAndDecodeNotification(body: body, at: now)
        }
        #expect(throws: AppStoreError.signature(.tooLarge)) {
            try verifier.verifyAndDecodeNotification(body: body + [UInt8(ascii: " ")], at: now)
        }
    }

    /// An error contains at most 155 bytes of a bundle ID, which is the maximum length in App Store Connect.
    @Test(arguments: [154, 155, 156, 200]) func theBundleIDInErrorsIsLimited(_ count: Int) throws {
        let bundleID = String(repeating: "a", count: count)
        let content = AppStoreContent.transaction(bundleID: bundleID, signedDate: signed)
        let failure = try TestAppStoreTests.verifier().explain(.transaction, store.sign(content), at: now).firstFailure
        #expect(failure == .otherBundleID(SignedText(Array(bundleID.utf8.prefix(155))[...])))
    }

    /// An error may contain a bundle ID that the sender chose, so its text must be safe for logs and terminals.
    @Test func errorsArePrintable() {
        let error = AppStoreError.otherBundleID(" az~\u{1f}\u{7f}\u{1b}[0m\n\u{e9}")
        #expect("\(error)" == "the data is of the app  az~???[0m???")
    }

    @Test func productTypesAndOwnership() throws {
        for (type, expected) in [
            ("Auto-Renewable Subscription", VerifiedTransaction.ProductType.autoRenewableSubscription),
            ("Non-Consumable", .nonConsumable), ("Consumable", .consumable),
            ("Non-Renewing Subscription", .nonRenewingSubscription), ("consumable", .other("consumable")),
        ] {
            #expect(VerifiedTransaction.ProductType(SignedText(Array(type.utf8)[...])) == expected)
        }
        for (name, expected) in [
            ("PURCHASED", VerifiedTransaction.Ownership.purchased), ("FAMILY_SHARED", .familyShared), ("", .other("")),
        ] {
            #expect(VerifiedTransaction.Ownership(SignedText(Array(name.utf8)[...])) == expected)
        }
    }

    /// Verification with a local key needs no certificates, and OCSP responses apply only to certificates.
    @Test func reportsSayWhatWasNotChecked() throws {
        func unchecked(_ verifier: SignedDataVerifier, _ text: [UInt8]) -> [SignedDataReport.Check] {
            let report = verifier.explain(.transaction, text, at: now)
            #expect(report.firstFailure == nil)
            return report.steps.filter { $0.outcome == .notChecked }.map(\.check)
        }
        let object = try #require(AppStoreObject.named("apple-swift-xcode-signed-transaction"))
        let local = try SignedDataVerifier(
            bundleIDUTF8: object.bundleID.utf8, environment: .xcode, localKey: XcodeKey.key(of: object))
        #expect(unchecked(local, object.text) == [.certificates, .chain, .purpose, .revocation])
        #expect(unchecked(try TestAppStoreTests.verifier(), store.sign(TestAppStoreTests.transaction)) == [.revocation])
    }

    @Test func aVerifierForProductionKnowsTheAppleID() throws {
        let verifier = try SignedDataVerifier(bundleID: "com.example.app", appAppleID: 42, environment: .production)
        #expect(verifier.appAppleID == 42 && verifier.environment == .production)
        #expect(verifier.bundleIDUTF8 == Array("com.example.app".utf8))
    }
}
