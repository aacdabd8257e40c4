import PureAppStore
import PureAttestPurchasesCore
import PureAttestServerCore
import PureAttestServerMessages
import PureJWS
@_spi(Bindings) import PureX509

extension PurchaseRefusal {
    /// The values of a rejection, as `DecisionMessages.init(purchases:)` describes them.
    var values: [WireValue] {
        let answer = answer
        var cases: [WireValue] = []
        if case .signedData(let error) = self { cases = error.names }
        return [
            WireValue(name), .number(Int64(answer.status)), WireValue(answer.code.name), WireValue(answer.retryAfter),
        ] + cases
    }

    private var name: StaticString {
        switch self {
        case .signedData: "signedData"
        case .malformedIdentifier: "malformedIdentifier"
        case .otherKind: "otherKind"
        case .otherProduct: "otherProduct"
        case .revoked: "revoked"
        case .expired: "expired"
        case .tooManyKeys: "tooManyKeys"
        case .contended: "contended"
        case .unreadableRecord: "unreadableRecord"
        @unknown default: "unknown"
        }
    }
}

extension AppStoreError {
    /// The names of the error's enum case and of the enum cases nested inside it.
    fileprivate var names: [WireValue] {
        let inner: [WireValue] =
            switch self {
            case .signature(let error): error.names
            case .transaction(let error), .renewalInfo(let error), .appTransaction(let error): error.names
            default: []
            }
        return [WireValue(name)] + inner
    }

    private var name: StaticString {
        switch self {
        case .appAppleIDMissing: "appAppleIDMissing"
        case .localEnvironment: "localEnvironment"
        case .appleEnvironment: "appleEnvironment"
        case .signature: "signature"
        case .rootMissing: "rootMissing"
        case .leafOfOtherService: "leafOfOtherService"
        case .intermediateOfOtherService: "intermediateOfOtherService"
        case .certificateStatusMissing: "certificateStatusMissing"
        case .certificateStatus: "certificateStatus"
        case .malformedContent: "malformedContent"
        case .contentNotObject: "contentNotObject"
        case .memberMissing: "memberMissing"
        case .invalidMember: "invalidMember"
        case .otherEnvironment: "otherEnvironment"
        case .unknownEnvironment: "unknownEnvironment"
        case .otherBundleID: "otherBundleID"
        case .otherAppAppleID: "otherAppAppleID"
        case .signedInFuture: "signedInFuture"
        case .signedTooLongAgo: "signedTooLongAgo"
        case .notificationVersion1: "notificationVersion1"
        case .unsupportedNotificationVersion: "unsupportedNotificationVersion"
        case .invalidNotificationContent: "invalidNotificationContent"
        case .transaction: "transaction"
        case .renewalInfo: "renewalInfo"
        case .appTransaction: "appTransaction"
        @unknown default: "unknown"
        }
    }
}

extension JWSError {
    fileprivate var names: [WireValue] {
        let rule: [WireValue] =
            switch self {
            case .malformedCertificate(_, let error), .certificateChain(let error):
                [.number(Int64(X509Error.Reason(error).rawValue))]
            default: []
            }
        return [WireValue(name)] + rule
    }

    private var name: StaticString {
        switch self {
        case .tooLarge: "tooLarge"
        case .notCompactSerialization: "notCompactSerialization"
        case .malformedBase64: "malformedBase64"
        case .malformedHeader: "malformedHeader"
        case .headerNotObject: "headerNotObject"
        case .invalidParameter: "invalidParameter"
        case .unsupportedParameter: "unsupportedParameter"
        case .algorithmMismatch: "algorithmMismatch"
        case .malformedSignature: "malformedSignature"
        case .invalidSignature: "invalidSignature"
        case .certificatesMissing: "certificatesMissing"
        case .certificateCount: "certificateCount"
        case .malformedCertificate: "malformedCertificate"
        case .certificateChain: "certificateChain"
        case .untrustedRoot: "untrustedRoot"
        case .keyOfOtherAlgorithm: "keyOfOtherAlgorithm"
        // Errors about JWKs, which App Store data cannot cause.
        default: "unknown"
        }
    }
}
