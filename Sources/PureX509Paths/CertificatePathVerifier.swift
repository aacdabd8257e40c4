public import PureDER
public import PureX509

/// Validates certificates by RFC 5280 §6.1, and finds the paths to validate.
///
/// Signatures are ECDSA with P-256 or P-384 and SHA-256, SHA-384 or SHA-512, in any combination.
///
/// - Note: What is **not** done: no OCSP, no validity of trust anchors (`TrustAnchor`), and unless ``PathRequirements`` asks for it
///   no revocation, no comparison of the subject with a server's name, and no comparison of names but as bytes.
public struct CertificatePathVerifier: Sendable {
    /// How many signatures of certificates one validation verifies at most: 100, as in Go (`maxChainSignatureChecks`,
    /// crypto/x509) and rustls-webpki (`Budget`). A path that is found at once needs one a certificate.
    ///
    /// Revocation lists do not count, so that a stranger's cannot deny a good one: each is verified once with every key of its
    /// issuer's name that was certified on the way.
    public static var maximumSignatureChecks: Int { 100 }

    /// How many candidates for an issuer one validation looks at: 200,000, as rustls-webpki (`Budget`, calls of
    /// `build_chain`). Each costs a comparison of names.
    public static var maximumSteps: Int { 200_000 }

    /// The path length that a verifier allows if it is not told another: 6, as rustls-webpki (`MAX_SUB_CA_COUNT`).
    public static var defaultMaximumPathLength: Int { 6 }

    /// How many intermediate certificates a path has at most, self-issued ones included: 16. It bounds recursion.
    public static var maximumIntermediateCount: Int { 16 }

    /// Where paths may end.
    public let trustAnchors: [TrustAnchor]

    /// The purpose that every certificate with an extKeyUsage must allow (RFC 5280 §4.2.1.12); `nil` for any. Issuers'
    /// extensions restrict what they issue, as in most verifiers, though the RFC speaks of the leaf only.
    public let requiredPurpose: ASN1ObjectIdentifier?

    /// How many intermediate certificates that are not self-issued a path may have: max_path_length of RFC 5280 §6.1.2 (k).
    public let maximumPathLength: Int

    /// A verifier for paths to `trustAnchors`. Without anchors every path is refused.
    public init(
        trustAnchors: [TrustAnchor], requiredPurpose: ASN1ObjectIdentifier? = nil,
        maximumPathLength: Int = CertificatePathVerifier.defaultMaximumPathLength
    ) {
        self.trustAnchors = trustAnchors
        self.requiredPurpose = requiredPurpose
        self.maximumPathLength = maximumPathLength
    }
}
