import DebugSampling
import PureAppStoreTesting
import PureAttestTesting
import PureBytes
import PureDER
import PureJSON
import PureJWS
import PureX509
import Testing

@testable import PureAppStore

/// Faultless data from a test App Store is accepted. Data with a fault is rejected with the error of that fault.
@Suite struct TestAppStoreTests {
    static let store = TestAppStore(seed: 38)
    static let signed: Int64 = 1_795_651_100_123

    static func verifier(
        _ environment: AppStoreEnvironment = .sandbox, bundleID: String = "com.example.app", appAppleID: Int64? = 42
    ) throws -> SignedDataVerifier {
        try SignedDataVerifier(
            bundleIDUTF8: bundleID.utf8, appAppleID: appAppleID, environment: environment,
            testRoots: [Certificate(derEncoded: store.root)])
    }

    static let transaction = AppStoreContent.transaction(bundleID: "com.example.app", signedDate: signed)

    @Test func everyKindIsAccepted() throws {
        let (store, verifier) = (Self.store, try Self.verifier())
        let transaction = store.sign(Self.transaction)
        #expect(
            try verifier.verifyAndDecodeTransaction(signedTransaction: transaction, at: now).productID
                == "com.example.monthly")
        let renewal = store.sign(AppStoreContent.renewalInfo(signedDate: Self.signed))
        #expect(try verifier.verifyAndDecodeRenewalInfo(signedRenewalInfo: renewal, at: now).willAutoRenew == true)
        let app = store.sign(
            AppStoreContent.appTransaction(bundleID: "com.example.app", appAppleID: 42, signedDate: Self.signed))
        #expect(try verifier.verifyAndDecodeAppTransaction(signedAppTransaction: app, at: now).appAppleID == 42)
        let notification = store.sign(
            AppStoreContent.notification(
                type: "DID_RENEW", bundleID: "com.example.app", appAppleID: 42, signedDate: Self.signed,
                signedTransaction: transaction, signedRenewalInfo: renewal))
        let verified = try verifier.verifyAndDecodeNotification(signedPayload: notification, at: now)
        guard case .data(let data) = verified.content else { return #expect(Bool(false), "a purchase") }
        #expect(data.transaction?.transactionID == "2000000000000002" && data.renewalInfo?.willAutoRenew == true)
        #expect(verified.type == "DID_RENEW" && verified.subtype == nil)
        let body = Array(#"{"signedPayload":""#.utf8) + notification + Array(#""}"#.utf8)
        #expect(try verifier.verifyAndDecodeNotification(body: body, at: now).id == verified.id)
    }

    @Test(arguments: SignedDataFault.allCases) func everyFaultIsRejected(_ fault: SignedDataFault) throws {
        let verifier = try Self.verifier()
        let text = Self.store.sign(Self.transaction, fault: fault)
        let error = #expect(throws: AppStoreError.self) {
            try verifier.verifyAndDecodeTransaction(signedTransaction: text, at: now)
        }
        #expect(error?.withoutDetails == fault.error.withoutDetails, "\(String(describing: error))")
        #expect(!fault.rule.isEmpty)
    }

    /// A report on faulty data names the error of the fault. A notification that contains this data is rejected with
    /// the same error.
    @Test(arguments: debugSample(SignedDataFault.allCases, every: 3, of: "faults in notifications"))
    func everyFaultIsReported(_ fault: SignedDataFault) throws {
        let verifier = try Self.verifier()
        let text = Self.store.sign(Self.transaction, fault: fault)
        let error = verifier.explain(.transaction, text, at: now).firstFailure
        #expect(error?.withoutDetails == fault.error.withoutDetails)
        let outer = Self.store.sign(
            AppStoreContent.notification(
                type: "SUBSCRIBED", bundleID: "com.example.app", appAppleID: 42, signedDate: Self.signed,
                signedTransaction: text.filter { $0 != UInt8(ascii: "\n") }))
        guard fault != .signatureWhiteSpace, let error else { return }
        #expect(throws: AppStoreError.transaction(error)) {
            try verifier.verifyAndDecodeNotification(signedPayload: outer, at: now)
        }
    }

    @Test func faultsAreCounted() {
        let severities = SignedDataFault.allCases.map(\.severity)
        #expect(severities.count == 54)
        #expect(severities.filter { $0 == .hole }.count == 29)
    }

    @Test func dataOfOthersIsRejected() throws {
        let text = Self.store.sign(Self.transaction)
        func error(_ verifier: SignedDataVerifier) -> AppStoreError? {
            #expect(throws: AppStoreError.self) {
                try verifier.verifyAndDecodeTransaction(signedTransaction: text, at: now)
            }
        }
        #expect(error(try Self.verifier(.production)) == .otherEnvironment(.sandbox))
        #expect(error(try Self.verifier(bundleID: "com.example.app2")) == .otherBundleID("com.example.app"))
        #expect(error(try Self.verifier(bundleID: "com.example.ap")) == .otherBundleID("com.example.app"))
        let apple = try SignedDataVerifier(bundleID: "com.example.app", appAppleID: 42, environment: .sandbox)
        #expect(error(apple) == .signature(.untrustedRoot))
        let other = try SignedDataVerifier(
            bundleIDUTF8: "com.example.app".utf8, appAppleID: 42, environment: .sandbox,
            testRoots: [Certificate(derEncoded: TestAppStore(seed: 39).root)])
        #expect(error(other) == .signature(.untrustedRoot))
        #expect(throws: AppStoreError.appAppleIDMissing) {
            try SignedDataVerifier(bundleID: "com.example.app", appAppleID: nil, environment: .production)
        }
    }

    /// The Apple ID is compared only in Production, because Apple omits it from some sandbox data.
    @Test func theAppleIDIsCompared() throws {
        func app(_ id: Int64?, _ environment: AppStoreEnvironment) throws -> AppStoreError? {
            let name = environment == .production ? "Production" : "Sandbox"
            let text = Self.store.sign(
                AppStoreContent.appTransaction(
                    bundleID: "com.example.app", appAppleID: id, environment: name, signedDate: Self.signed))
            return try Self.verifier(environment).explain(.appTransaction, text, at: now).firstFailure
        }
        #expect(try app(42, .production) == nil)
        #expect(try app(43, .production) == .otherAppAppleID(43))
        #expect(try app(nil, .production) == .otherAppAppleID(nil))
        #expect(try app(43, .sandbox) == nil && app(nil, .sandbox) == nil)
        // A transaction contains no Apple ID.
        let text = Self.store.sign(
            AppStoreContent.transaction(
                bundleID: "com.example.app", environment: "Production", signedDate: Self.signed))
        _ = try Self.verifier(.production).verifyAndDecodeTransaction(signedTransaction: text, at: now)
    }

    @Test func dates() throws {
        var verifier = try Self.verifier()
        func failure(_ milliseconds: Int64) -> AppStoreError? {
            let content = AppStoreContent.transaction(bundleID: "com.example.app", signedDate: milliseconds)
            return verifier.explain(.transaction, Self.store.sign(content), at: now).firstFailure
        }
        let seconds = now.secondsSince1970
        #expect(failure((seconds + 300) * 1_000 + 999) == nil)
        let future = UnixTime(secondsSince1970: seconds + 301)
        #expect(failure((seconds + 301) * 1_000) == .signedInFuture(signed: future, at: now))
        verifier.clockSkew = 0
        verifier.maximumAge = 60
        #expect(failure(seconds * 1_000) == nil && failure((seconds - 60) * 1_000) == nil)
        let old = UnixTime(secondsSince1970: seconds - 61)
        #expect(failure((seconds - 61) * 1_000 + 999) == .signedTooLongAgo(signed: old, at: now))
        verifier.clockSkew = 1
        #expect(failure((seconds - 61) * 1_000) == nil)
        #expect(AppStoreDate(millisecondsSince1970: -1).unixTime.secondsSince1970 == -1)
        #expect(AppStoreDate(millisecondsSince1970: -1_000).unixTime.secondsSince1970 == -1)
        #expect(AppStoreDate(millisecondsSince1970: 1_999).unixTime.secondsSince1970 == 1)
    }

    @Test func activity() throws {
        func transaction(_ more: String, expires: Int64? = nil) throws -> VerifiedTransaction {
            let content = AppStoreContent.transaction(
                bundleID: "com.example.app", signedDate: Self.signed, expiresDate: expires, more: more)
            return try Self.verifier().verifyAndDecodeTransaction(signedTransaction: Self.store.sign(content), at: now)
        }
        let (end, date) = (Self.signed + 1_000, { AppStoreDate(millisecondsSince1970: $0) })
        #expect(try transaction("").isActive(at: date(.max)))
        #expect(try transaction("", expires: end).isActive(at: date(end - 1)))
        #expect(try !transaction("", expires: end).isActive(at: date(end)))
        #expect(try !transaction(#","revocationDate":\#(Self.signed)"#, expires: end).isActive(at: date(end - 1)))
        #expect(try !transaction(#","isUpgraded":true"#).isActive(at: date(0)))
        #expect(try transaction(#","isUpgraded":false,"revocationDate":null"#).isActive(at: date(0)))
    }

    @Test(arguments: [
        "transactionId", "originalTransactionId", "bundleId", "productId", "purchaseDate", "signedDate", "environment",
    ]) func missingMembersAreNamed(_ name: String) throws {
        let text = String(decoding: Self.transaction, as: UTF8.self)
        let renamed = text.replacing("\"\(name)\"", with: "\"x\(name)\"")
        for content in [
            renamed,
            text.replacing(#/"(\w+)":("[^"]*"|\d+)/#) { match in
                match.1 == name ? "\"\(match.1)\":null" : String(match.0)
            },
        ] {
            let failure = try Self.verifier().explain(.transaction, Self.store.sign(content.utf8), at: now).firstFailure
            #expect(failure == .memberMissing(SignedText(Array(name.utf8)[...])))
        }
        let other = text.replacing(#/"(\w+)":("[^"]*"|\d+)/#) { match in
            match.1 == name ? "\"\(match.1)\":[]" : String(match.0)
        }
        let failure = try Self.verifier().explain(.transaction, Self.store.sign(other.utf8), at: now).firstFailure
        #expect(failure == .invalidMember(SignedText(Array(name.utf8)[...])))
    }

    @Test func unknownEnvironmentsAreRejected() throws {
        let content = AppStoreContent.transaction(
            bundleID: "com.example.app", environment: "production", signedDate: Self.signed)
        let failure = try Self.verifier(.production).explain(.transaction, Self.store.sign(content), at: now)
            .firstFailure
        #expect(failure == .unknownEnvironment)
    }
}

extension AppStoreError {
    /// The error, with zero for each offset and time that depends on the encoding.
    var withoutDetails: AppStoreError {
        switch self {
        case .malformedContent(let error): .malformedContent(error.withoutOffset)
        case .signature(.malformedHeader(let error)): .signature(.malformedHeader(error.withoutOffset))
        case .signature(.malformedBase64(.certificate(let index), _)):
            .signature(.malformedBase64(.certificate(index), .invalidCharacter(offset: 0)))
        case .signature(.certificateChain(let error)):
            .signature(.certificateChain(error.checked(at: UnixTime(secondsSince1970: 0))))
        default: self
        }
    }
}

extension JSONError {
    var withoutOffset: JSONError {
        switch self {
        case .malformed: .malformed(offset: 0)
        case .duplicateName: .duplicateName(offset: 0)
        default: self
        }
    }
}
