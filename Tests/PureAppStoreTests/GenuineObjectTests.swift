import PureDER
import PureJSON
import PureJWS
import PureX509
import Testing

@testable public import PureAppStore

@Suite struct GenuineObjectTests {
    private static func sandbox(_ object: AppStoreObject) throws -> SignedDataVerifier {
        try SignedDataVerifier(bundleID: object.bundleID, appAppleID: nil, environment: .sandbox)
    }

    private static func error(
        _ object: AppStoreObject, by verifier: SignedDataVerifier, _ text: [UInt8]? = nil, at time: UnixTime = now
    ) -> AppStoreError? {
        do throws(AppStoreError) {
            let text = text ?? object.text
            switch object.reportKind {
            case .transaction: _ = try verifier.verifyAndDecodeTransaction(signedTransaction: text, at: time)
            case .renewalInfo: _ = try verifier.verifyAndDecodeRenewalInfo(signedRenewalInfo: text, at: time)
            case .appTransaction: _ = try verifier.verifyAndDecodeAppTransaction(signedAppTransaction: text, at: time)
            case .notification: _ = try verifier.verifyAndDecodeNotification(signedPayload: text, at: time)
            }
            return nil
        } catch { return error }
    }

    /// Data that Apple signed before 2022-03 names no environment, so no verifier accepts such data. All other steps
    /// pass.
    @Test func genuineObjects() throws {
        let genuine = AppStoreObject.all.filter(\.genuine)
        var verdicts: [AppStoreError?: Int] = [:]
        for object in genuine {
            let error = Self.error(object, by: try Self.sandbox(object))
            verdicts[error, default: 0] += 1
            let report = try Self.sandbox(object).explain(object.reportKind, object.text, at: now)
            let failed = report.steps.filter { if case .failed = $0.outcome { true } else { false } }
            #expect(failed.allSatisfy { $0.check == .content }, "\(object.name): \(failed)")
        }
        let missing = AppStoreError.memberMissing(SignedText(Array("environment".utf8)[...]))
        #expect(AppStoreObject.all.count == 22 && genuine.count == 10)
        #expect(verdicts == [nil: 3, missing: 7])
    }

    @Test func aTransactionIsDecoded() throws {
        let object = try #require(AppStoreObject.named("mingos-transaction"))
        let transaction = try Self.sandbox(object).verifyAndDecodeTransaction(signedTransaction: object.text, at: now)
        let payload = object.payload
        #expect(transaction.transactionID.description == payload["transactionId"] as? String)
        #expect(transaction.originalTransactionID.description == payload["originalTransactionId"] as? String)
        #expect(transaction.productID.description == payload["productId"] as? String)
        #expect(transaction.bundleID.description == "com.goodheartapp" && transaction.environment == .sandbox)
        #expect(transaction.productType == .consumable && transaction.ownership == .purchased)
        #expect(transaction.quantity == payload["quantity"] as? Int64)
        #expect(transaction.price == payload["price"] as? Int64)
        #expect(transaction.currency?.description == payload["currency"] as? String)
        #expect(transaction.storefront?.description == payload["storefront"] as? String)
        #expect(transaction.signedDate.millisecondsSince1970 == payload["signedDate"] as? Int64)
        #expect(transaction.purchaseDate.millisecondsSince1970 == payload["purchaseDate"] as? Int64)
        #expect(transaction.revocationDate == nil && transaction.expiresDate == nil && !transaction.isUpgraded)
        #expect(transaction.isActive(at: transaction.signedDate))
        #expect(transaction.members.members.count == payload.count)
    }

    /// The leaf certificate of the oldest objects expired in 2023.
    @Test func theTimeOfCertificatesIsAChoice() throws {
        let object = try #require(AppStoreObject.named("imdhemy-notification-test"))
        var verifier = try Self.sandbox(object)
        #expect(Self.error(object, by: verifier) == nil)
        verifier.certificateTime = .verification
        // 2023-09-24T02:50:33Z
        let end = UnixTime(secondsSince1970: 1_695_523_833)
        #expect(
            Self.error(object, by: verifier)
                == .signature(.certificateChain(.expired(certificate: 0, notAfter: end, at: now))))
        #expect(Self.error(object, by: verifier, at: UnixTime(secondsSince1970: 1_662_122_493)) == nil)
    }

    /// Two mock objects contain a certificate with the name and key of the test root, but with other bytes.
    @Test(
        arguments: [
            ("apple-swift-testNotification", nil), ("apple-swift-renewalInfo", .memberMissing("originalTransactionId")),
            ("apple-swift-transactionInfo", .memberMissing("transactionId")),
            ("apple-swift-wrongBundleId", .memberMissing("signedDate")),
            ("apple-swift-missingX5CHeaderClaim", .memberMissing("signedDate")),
            ("getmimo-AlgParameterIsUnsupported_Fails", .signature(.algorithmMismatch(expected: .es256))),
            ("getmimo-Nox5cParameter_Fails", .signature(.certificateCount(0))),
            ("getmimo-ChainCertificateCompromised_Fails", .signature(.untrustedRoot)),
            ("getmimo-InvalidSignature_Fails", .memberMissing("transactionId")),
        ] as [(String, AppStoreError?)]) func mocks(_ name: String, _ expected: AppStoreError?) throws
    {
        let object = try #require(AppStoreObject.named(name))
        let verifier = try SignedDataVerifier(
            bundleIDUTF8: object.bundleID.utf8, appAppleID: 1234, environment: .sandbox,
            testRoots: AppStoreObject.testRoots())
        #expect(Self.error(object, by: verifier) == expected)
        // The Apple root has issued none of these certificates.
        #expect(Self.error(object, by: try Self.sandbox(object)) != nil)
    }

    /// Mock data that lacks members of genuine data still passes each check of the certificates and the signature.
    @Test(arguments: ["apple-swift-renewalInfo", "apple-swift-transactionInfo", "apple-swift-wrongBundleId"])
    func mockChains(_ name: String) throws {
        let object = try #require(AppStoreObject.named(name))
        let roots = try AppStoreObject.testRoots()
        let verifier = try SignedDataVerifier(
            bundleIDUTF8: object.bundleID.utf8, appAppleID: 1234, environment: .sandbox, testRoots: roots)
        let outcomes = verifier.explain(object.reportKind, object.text, at: now).steps
        for check in [SignedDataReport.Check.form, .algorithm, .certificates, .purpose, .signature] {
            #expect(outcomes.contains { $0.check == check && $0.outcome == .passed }, "\(check)")
        }
        let apple = try Self.sandbox(object).explain(object.reportKind, object.text, at: now).steps
        #expect(!apple.contains { $0.check == .chain && $0.outcome == .passed })
    }

    /// Xcode signs data with a key on the developer's Mac. A verifier for the sandbox rejects this data, because the
    /// data states the environment Xcode.
    @Test(arguments: [
        "apple-swift-xcode-signed-transaction", "apple-swift-xcode-signed-renewal-info",
        "apple-swift-xcode-signed-app-transaction",
    ]) func xcode(_ name: String) throws {
        let object = try #require(AppStoreObject.named(name))
        #expect(Self.error(object, by: try Self.sandbox(object)) == .otherEnvironment(.xcode))
        for environment in [AppStoreEnvironment.xcode, .localTesting] {
            #expect(throws: AppStoreError.localEnvironment(environment)) {
                try SignedDataVerifier(bundleID: "com.example", appAppleID: 1, environment: environment)
            }
        }
        let key = try XcodeKey.key(of: object)
        let verifier = try SignedDataVerifier(
            bundleIDUTF8: object.bundleID.utf8, environment: .xcode, localKey: key)
        for environment in [AppStoreEnvironment.production, .sandbox] {
            #expect(throws: AppStoreError.appleEnvironment(environment)) {
                try SignedDataVerifier(bundleIDUTF8: "com.example".utf8, environment: environment, localKey: key)
            }
        }
        #expect(Self.error(object, by: verifier) == nil)
        // First, the verifier has a key that did not sign the data. Then, it has the wrong environment.
        let other = try XcodeKey.key(of: try #require(AppStoreObject.named("mingos-transaction")))
        #expect(
            Self.error(
                object,
                by: try SignedDataVerifier(bundleIDUTF8: object.bundleID.utf8, environment: .xcode, localKey: other))
                == .signature(.invalidSignature))
        #expect(
            Self.error(
                object,
                by: try SignedDataVerifier(
                    bundleIDUTF8: object.bundleID.utf8, environment: .localTesting, localKey: key))
                == .otherEnvironment(.xcode))
    }

    @Test func everyChangeIsRejected() throws {
        let object = try #require(AppStoreObject.named("mingos-transaction"))
        let verifier = try Self.sandbox(object)
        let text = object.text
        var (count, accepted) = (0, [Int]())
        for index in stride(from: 0, to: text.count, by: changeStride) {
            for change in [text[index] ^ 1, text[index] ^ 0x20] {
                var changed = text
                changed[index] = change
                count += 1
                if Self.error(object, by: verifier, changed) == nil { accepted.append(index) }
            }
        }
        #expect(accepted == [])
        #expect(count >= text.count / changeStride * 2)
        for size in stride(from: 0, to: text.count, by: changeStride) {
            #expect(Self.error(object, by: verifier, Array(text.prefix(size))) != nil)
        }
    }

    private var changeStride: Int {
        #if DEBUG
            37
        #else
            1
        #endif
    }

    @Test func theEmbeddedIntermediateIsIssuedByTheRoot() {
        #expect(AppStoreRoots.chainVerifier.trustAnchors.count == 1)
        #expect(AppStoreRoots.chainVerifier.preparedCertificate(AppStoreRoots.developerRelationsG6[...]) != nil)
    }
}

extension SignedText: ExpressibleByStringLiteral {
    /// Lets tests write expected text as a string literal.
    public init(stringLiteral text: String) { self.init(Array(text.utf8)[...]) }
}
