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
/// The verifier opens no connection. It trusts Apple Root CA - G3 only, and the certificates that Apple issued for App
/// Store data only. Without OCSP responses it does not check whether certificates are revoked.
///
/// Creating a verifier computes a table of an intermediate certificate's key, which costs about two verifications.
/// Keep it.
public struct SignedDataVerifier: Sendable {
    /// When the certificates must be valid.
    public enum CertificateTime: Hashable, Sendable {
        /// When the App Store signed the data, so that stored data verifies after its leaf has expired. The default, and
        /// the choice of Apple's libraries without online checks.
        case signedDate
        /// At the time of verification.
        case verification
    }

    /// The bundle ID, UTF-8.
    public let bundleIDUTF8: [UInt8]
    /// The app's Apple ID, compared in Production.
    public let appAppleID: Int64?
    /// The only environment whose data is accepted.
    public let environment: AppStoreEnvironment
    /// When the certificates must be valid.
    public var certificateTime = CertificateTime.signedDate
    /// How far clocks may differ, in seconds: data signed in the future is accepted up to this. Default: 300.
    public var clockSkew: UInt32 = 300
    /// The longest time since the data was signed, in seconds, to which the clock skew is added. `nil`, the default,
    /// accepts stored data.
    public var maximumAge: UInt32?
    let authority: Authority

    /// Whose signatures are accepted.
    enum Authority: Sendable {
        /// Leaves under a chain of three certificates.
        case chain(FixedChainVerifier)
        /// One key, of StoreKit Testing in Xcode.
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
    ///   - environment: production or sandbox. A server for both needs a verifier for each.
    public init(
        bundleIDUTF8: some Collection<UInt8>, appAppleID: Int64?, environment: AppStoreEnvironment
    ) throws(AppStoreError) {
        guard !environment.isLocal else { throw .localEnvironment(environment) }
        guard environment != .production || appAppleID != nil else { throw .appAppleIDMissing }
        self.init([UInt8](bundleIDUTF8), appAppleID, environment, .chain(AppStoreRoots.chainVerifier))
    }

    /// Creates a verifier for tests, which accepts chains to `testRoots` and none to Apple's root.
    ///
    /// A server that accepts such data gives its products away. The roots' form is checked, and nothing else. Issuers
    /// need only the marks of RFC 5280, because the certificates in Apple's own test data have no more.
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

    /// Creates a verifier for StoreKit Testing in Xcode, whose data a key on one Mac signs.
    ///
    /// Xcode exports the key's certificate (Editor, Save Public Certificate). Anybody with that Mac can sign purchases,
    /// so use it in development only. Data of ``AppStoreEnvironment/localTesting`` is accepted if it is signed so.
    public init(
        bundleIDUTF8: some Collection<UInt8>, environment: AppStoreEnvironment, localKey: P256.Signing.PublicKey
    ) throws(AppStoreError) {
        guard environment.isLocal else { throw .appleEnvironment(environment) }
        self.init([UInt8](bundleIDUTF8), nil, environment, .key(localKey))
    }
}

#if !hasFeature(Embedded)
    extension SignedDataVerifier {
        /// Creates a verifier for data that Apple signed; see ``init(bundleIDUTF8:appAppleID:environment:)``.
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
    ///   - ocspResponses: responses about the leaf and the intermediate certificate, from the addresses in their
    ///     authorityInfoAccess. Without any, revocation is not checked, and the result says so.
    ///   - time: now.
    public func verifyAndDecodeTransaction(
        signedTransaction: some Collection<UInt8>, ocspResponses: [OCSPResponse] = [], at time: UnixTime
    ) throws(AppStoreError) -> VerifiedTransaction {
        try verify(try slice(signedTransaction), as: VerifiedTransaction.self, ocspResponses, at: time)
    }

    /// Verifies renewal information: `signedRenewalInfo`. It names no app; see ``VerifiedRenewalInfo``.
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
