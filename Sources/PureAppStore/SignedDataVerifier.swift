public import PureDER
public import PureECDSA
import PureJWS
public import PureX509
public import PureX509Paths

/// Verifies data that the App Store signed for one app and one environment: transactions, renewal information, app
/// transactions and server notifications.
///
/// ```swift
/// let verifier = try SignedDataVerifier(bundleID: "com.example.app", appAppleID: 1234567890, environment: .production)
/// let transaction = try verifier.verifyAndDecodeTransaction(signedTransaction: text.utf8, at: now)
/// ```
///
/// The verifier opens no network connection. It trusts only chains to Apple Root CA - G3 whose certificates Apple
/// issued for App Store data. Without OCSP responses it does not check whether certificates are revoked.
///
/// Reuse the verifier. Creating a verifier computes a table for the key of an intermediate certificate, which takes
/// about as long as two verifications.
public struct SignedDataVerifier: Sendable {
    /// The time at which the certificates must be valid.
    public enum CertificateTime: Hashable, Sendable {
        /// The time of signing, so stored data still verifies after its leaf has expired. This is the default. Apple's
        /// libraries do the same if online checks are off.
        case signedDate
        /// The time of verification.
        case verification
    }

    /// The bundle ID in UTF-8.
    public let bundleIDUTF8: [UInt8]
    /// The app's Apple ID, compared only in the Production environment.
    public let appAppleID: Int64?
    /// The only environment whose data is accepted.
    public let environment: AppStoreEnvironment
    /// The time at which the certificates must be valid.
    public var certificateTime = CertificateTime.signedDate
    /// The tolerated clock skew in seconds. Data may be signed at most this long after the time of verification.
    /// Default: 300.
    public var clockSkew: UInt32 = 300
    /// The maximum age of signed data in seconds, to which the clock skew is added. `nil`, the default, accepts data
    /// of any age, such as stored data.
    public var maximumAge: UInt32?
    let authority: Authority

    enum Authority: Sendable {
        /// Accepts data that is signed by the leaf of a chain of three certificates.
        case chain(FixedChainVerifier)
        /// Accepts data that is signed by this key of StoreKit Testing in Xcode.
        case key(P256.Signing.PublicKey)
    }

    private init(
        _ bundleID: [UInt8], _ appAppleID: Int64?, _ environment: AppStoreEnvironment, _ authority: Authority
    ) {
        bundleIDUTF8 = bundleID
        self.appAppleID = appAppleID
        self.environment = environment
        self.authority = authority
    }

    /// Creates a verifier for data that Apple signed.
    ///
    /// - Parameters:
    ///   - bundleIDUTF8: the app's bundle ID.
    ///   - appAppleID: the app's Apple ID, shown in App Store Connect. Required for ``AppStoreEnvironment/production``.
    ///   - environment: production or sandbox. A server for both environments needs two verifiers.
    public init(
        bundleIDUTF8: some Collection<UInt8>, appAppleID: Int64?, environment: AppStoreEnvironment
    ) throws(AppStoreError) {
        guard !environment.isLocal else { throw .localEnvironment(environment) }
        guard environment != .production || appAppleID != nil else { throw .appAppleIDMissing }
        self.init([UInt8](bundleIDUTF8), appAppleID, environment, .chain(AppStoreRoots.chainVerifier))
    }

    /// Creates a verifier for tests, which accepts chains to `testRoots` but not to Apple's root.
    ///
    /// A server that uses such a verifier in production gives its products away. The verifier checks only that each
    /// root is well-formed. Issuers need only the extensions of RFC 5280, because certificates in Apple's own test data
    /// have no other extensions.
    public init(
        bundleIDUTF8: some Collection<UInt8>, appAppleID: Int64?, environment: AppStoreEnvironment,
        testRoots: [Certificate]
    ) throws(X509Error) {
        var anchors: [TrustAnchor] = []
        for root in testRoots { anchors.append(try TrustAnchor(root)) }
        self.init(
            [UInt8](bundleIDUTF8), appAppleID, environment,
            .chain(FixedChainVerifier(trustAnchors: anchors, profile: .rfc5280)))
    }

    /// Creates a verifier for StoreKit Testing in Xcode, where a key on one Mac signs the data.
    ///
    /// Xcode exports the key's certificate (Editor, Save Public Certificate). Anybody with this Mac can sign purchases,
    /// so use this verifier only in development. The verifier also requires a signature by this key for data of
    /// ``AppStoreEnvironment/localTesting``.
    public init(
        bundleIDUTF8: some Collection<UInt8>, environment: AppStoreEnvironment, localKey: P256.Signing.PublicKey
    ) throws(AppStoreError) {
        guard environment.isLocal else { throw .appleEnvironment(environment) }
        self.init([UInt8](bundleIDUTF8), nil, environment, .key(localKey))
    }
}

#if !hasFeature(Embedded)
    extension SignedDataVerifier {
        /// Creates a verifier for data that Apple signed. See ``init(bundleIDUTF8:appAppleID:environment:)``.
        public init(
            bundleID: String, appAppleID: Int64?, environment: AppStoreEnvironment
        ) throws(AppStoreError) {
            try self.init(bundleIDUTF8: bundleID.utf8, appAppleID: appAppleID, environment: environment)
        }
    }
#endif

extension SignedDataVerifier {
    /// Verifies a transaction: `signedTransactionInfo`, or `jwsRepresentation` of StoreKit's `VerificationResult`.
    ///
    /// - Parameters:
    ///   - signedTransaction: the JWS in compact serialization, ASCII.
    ///   - ocspResponses: responses for the leaf and the intermediate certificate, from the address in each
    ///     certificate's authorityInfoAccess. Without responses, revocation is not checked, and the result states this.
    ///   - time: now.
    public func verifyAndDecodeTransaction(
        signedTransaction: some Collection<UInt8>, ocspResponses: [OCSPResponse] = [], at time: UnixTime
    ) throws(AppStoreError) -> VerifiedTransaction {
        try verify(try slice(signedTransaction), as: VerifiedTransaction.self, ocspResponses, at: time)
    }

    /// Verifies renewal information (`signedRenewalInfo`), which names no app. See ``VerifiedRenewalInfo``.
    public func verifyAndDecodeRenewalInfo(
        signedRenewalInfo: some Collection<UInt8>, ocspResponses: [OCSPResponse] = [], at time: UnixTime
    ) throws(AppStoreError) -> VerifiedRenewalInfo {
        try verify(try slice(signedRenewalInfo), as: VerifiedRenewalInfo.self, ocspResponses, at: time)
    }

    /// Verifies an app transaction: `jwsRepresentation` of StoreKit's `AppTransaction`.
    public func verifyAndDecodeAppTransaction(
        signedAppTransaction: some Collection<UInt8>, ocspResponses: [OCSPResponse] = [], at time: UnixTime
    ) throws(AppStoreError) -> VerifiedAppTransaction {
        try verify(try slice(signedAppTransaction), as: VerifiedAppTransaction.self, ocspResponses, at: time)
    }

    /// Verifies a notification's `signedPayload`, and the JWS inside it.
    public func verifyAndDecodeNotification(
        signedPayload: some Collection<UInt8>, ocspResponses: [OCSPResponse] = [], at time: UnixTime
    ) throws(AppStoreError) -> VerifiedNotification {
        try verifyNotification(try slice(signedPayload), ocspResponses, at: time)
    }

    private func slice(_ text: some Collection<UInt8>) throws(AppStoreError) -> ArraySlice<UInt8> {
        guard text.count <= JSONWebSignature.maximumSize else { throw .signature(.tooLarge) }
        return ArraySlice(text)
    }
}
