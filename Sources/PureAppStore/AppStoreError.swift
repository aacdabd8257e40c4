public import PureDER
public import PureJSON
public import PureJWS
public import PureX509Paths

/// The reason why App Store data was rejected.
@nonexhaustive
public indirect enum AppStoreError: Error, Hashable, Sendable {
    // MARK: The verifier

    /// A verifier for Production needs the app's Apple ID.
    case appAppleIDMissing
    /// Apple does not sign data of the environments Xcode and LocalTesting. See
    /// ``SignedDataVerifier/init(bundleIDUTF8:environment:localKey:)``.
    case localEnvironment(AppStoreEnvironment)
    /// Apple signs the data of this environment, so a local key is not allowed.
    case appleEnvironment(AppStoreEnvironment)

    // MARK: Signature

    /// The JWS, its certificates or its signature were rejected.
    case signature(JWSError)
    /// The header has fewer than three certificates.
    case rootMissing
    /// The leaf is not for App Store data, because it lacks the extension 1.2.840.113635.100.6.11.1. Under the same
    /// root, Apple also issues leaf certificates for App Attest, Apple Pay and developers.
    case leafOfOtherService
    /// The intermediate lacks the extension 1.2.840.113635.100.6.2.1 of Apple Worldwide Developer Relations.
    case intermediateOfOtherService
    /// The caller passed OCSP responses, but no response concerns this certificate: 0 is the leaf, 1 the intermediate.
    case certificateStatusMissing(certificate: Int)
    /// The certificate is revoked, or the OCSP response about it was rejected.
    case certificateStatus(certificate: Int, PathError)

    // MARK: Content

    /// The signed content, or a notification's body, is not JSON.
    case malformedContent(JSONError)
    /// The content or body is not a JSON object. For example, Apple has signed `null` as renewal information.
    case contentNotObject
    /// A member is missing.
    case memberMissing(SignedText)
    /// A member has a different type than Apple documents.
    case invalidMember(SignedText)
    /// The data belongs to a different environment than the verifier's.
    case otherEnvironment(AppStoreEnvironment)
    /// The environment of the data is unknown to this module.
    case unknownEnvironment
    /// The data belongs to another app: its bundle ID differs.
    case otherBundleID(SignedText)
    /// The data belongs to another app: its Apple ID differs or is missing.
    case otherAppAppleID(Int64?)
    /// The data was signed later than the time of verification plus the clock skew.
    case signedInFuture(signed: UnixTime, at: UnixTime)
    /// The data is older than ``SignedDataVerifier/maximumAge`` permits.
    case signedTooLongAgo(signed: UnixTime, at: UnixTime)

    // MARK: Notifications

    /// The body is a notification of version 1, which Apple does not sign. Select version 2 in App Store Connect.
    case notificationVersion1
    /// The notification's version is not 2.0.
    case unsupportedNotificationVersion
    /// The notification does not have exactly one of `data`, `summary`, `externalPurchaseToken` and `appData`.
    case invalidNotificationContent
    /// The transaction inside a notification was rejected.
    case transaction(AppStoreError)
    /// The renewal information inside a notification was rejected.
    case renewalInfo(AppStoreError)
    /// The app transaction inside a notification was rejected.
    case appTransaction(AppStoreError)
}
