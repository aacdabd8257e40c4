import PureAppStore
import PureAppStoreTesting
import PureBytes
import PureDER
import PureECDSA
import PureJSON
import PureJWS
import PureX509
import VectorSupport

// The parsers for JSON, JSON Web Signatures and App Store data, each with an object that the parser accepts.

extension PublicParser {
    static func purchases() throws -> [PublicParser] {
        let store = TestAppStore(seed: 1)
        let now = UnixTime(secondsSince1970: 1_795_651_200)
        let bundleID = "com.example.app"
        let root = try Certificate(derEncoded: store.root)
        let verifier = try SignedDataVerifier(
            bundleIDUTF8: bundleID.utf8, appAppleID: 42, environment: .sandbox, testRoots: [root])
        let signed = now.secondsSince1970 * 1_000
        let transaction = store.sign(AppStoreContent.transaction(bundleID: bundleID, signedDate: signed))
        let renewal = store.sign(AppStoreContent.renewalInfo(signedDate: signed))
        let app = store.sign(AppStoreContent.appTransaction(bundleID: bundleID, appAppleID: 42, signedDate: signed))
        let notification = store.sign(
            AppStoreContent.notification(
                type: "TEST", bundleID: bundleID, appAppleID: 42, signedDate: signed, signedTransaction: transaction))
        let body = Array(#"{"signedPayload":""#.utf8) + notification + Array(#""}"#.utf8)
        let members = #""kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","kid":"a""#
        let key = Array(#"{\#(members),"y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#.utf8)
        let set = Array(#"{"keys":["#.utf8) + key + Array("]}".utf8)
        let keys = try JSONWebKeySet(decoding: set)
        guard case .es256(let localKey) = keys.keys[0].key else { return [] }
        return [
            PublicParser("JSONValue.swift", "init(decoding:limits:)", Array(#"{"a":[1,"x"]}"#.utf8)) {
                try JSONValue(decoding: $0).object?["a"]?.array?.map { ($0.stringUTF8, $0.number?.int64) }
            },
            PublicParser("JSONWebSignature.swift", "init(compactSerialization:)", transaction) {
                let jws = try JSONWebSignature(compactSerialization: $0)
                return (jws.header.algorithmUTF8, jws.unverifiedPayload, jws.signature)
            },
            PublicParser("JSONWebKey.swift", "init(decoding:)", key) { try JSONWebKey(decoding: $0) },
            PublicParser("JSONWebKey.swift", "init(decoding:)", set) { try JSONWebKeySet(decoding: $0).keys },
            PublicParser("JSONWebKey.swift", "key(id:)", Array("a".utf8)) { try keys.key(id: $0) },
            PublicParser(
                "SignedDataVerifier.swift", "init(bundleIDUTF8:appAppleID:environment:)", Array(bundleID.utf8)
            ) {
                try SignedDataVerifier(bundleIDUTF8: $0, appAppleID: 42, environment: .production).bundleIDUTF8
            },
            PublicParser(
                "SignedDataVerifier.swift", "init(bundleIDUTF8:appAppleID:environment:testRoots:)",
                Array(bundleID.utf8)
            ) {
                try SignedDataVerifier(
                    bundleIDUTF8: $0, appAppleID: 42, environment: .sandbox, testRoots: [root]
                ).bundleIDUTF8
            },
            PublicParser(
                "SignedDataVerifier.swift", "init(bundleIDUTF8:environment:localKey:)", Array(bundleID.utf8)
            ) {
                try SignedDataVerifier(bundleIDUTF8: $0, environment: .xcode, localKey: localKey).bundleIDUTF8
            },
            PublicParser(
                "SignedDataVerifier.swift", "verifyAndDecodeTransaction(signedTransaction:ocspResponses:at:)",
                transaction
            ) { try verifier.verifyAndDecodeTransaction(signedTransaction: $0, at: now).transactionID },
            PublicParser(
                "SignedDataVerifier.swift", "verifyAndDecodeRenewalInfo(signedRenewalInfo:ocspResponses:at:)", renewal
            ) { try verifier.verifyAndDecodeRenewalInfo(signedRenewalInfo: $0, at: now).productID },
            PublicParser(
                "SignedDataVerifier.swift", "verifyAndDecodeAppTransaction(signedAppTransaction:ocspResponses:at:)", app
            ) { try verifier.verifyAndDecodeAppTransaction(signedAppTransaction: $0, at: now).bundleID },
            PublicParser(
                "SignedDataVerifier.swift", "verifyAndDecodeNotification(signedPayload:ocspResponses:at:)", notification
            ) { try verifier.verifyAndDecodeNotification(signedPayload: $0, at: now).id },
            PublicParser(
                "NotificationVerification.swift", "verifyAndDecodeNotification(body:ocspResponses:at:)", body
            ) { try verifier.verifyAndDecodeNotification(body: $0, at: now).id },
            PublicParser("SignedDataReport.swift", "explain(_:_:ocspResponses:at:)", transaction) {
                verifier.explain(.transaction, $0, at: now).steps.map { ($0.check, $0.outcome) }
            },
        ]
    }
}
