public import PureDER
public import PureX509

/// Validates certificates by RFC 5280 §6.1, and finds the paths to validate.
///
/// Signatures are ECDSA with P-256 or P-384 and SHA-256, SHA-384 or SHA-512, in any combination.
///
/// - Note: **Not** checked: OCSP, and the validity of trust anchors (`TrustAnchor`). Unless ``PathRequirements``
///   requires it, revocation and server names are not checked either, and names are compared only as bytes.
public struct CertificatePathVerifier: Sendable {
    /// The maximum number of certificate signatures verified per validation: 100, as in Go (`maxChainSignatureChecks`,
    /// crypto/x509) and rustls-webpki (`Budget`). A path found without backtracking needs one per certificate.
    ///
    /// The signatures of revocation lists are not included, because untrusted lists could exhaust the limit before a
    /// good list is verified. Their bound is one check of each list with every certified key of its issuer's name.
    public static var maximumSignatureChecks: Int { 100 }

    /// The maximum number of issuer candidates examined per validation: 200,000, as in rustls-webpki (`Budget`, calls
    /// of `build_chain`). Each candidate costs a comparison of names.
    public static var maximumSteps: Int { 200_000 }

    /// The default of ``maximumPathLength``: 6, as in rustls-webpki (`MAX_SUB_CA_COUNT`).
    public static var defaultMaximumPathLength: Int { 6 }

    /// The maximum number of intermediate certificates in a path, including self-issued ones: 16. Bounds recursion.
    public static var maximumIntermediateCount: Int { 16 }

    /// The trust anchors at which paths may end.
    public let trustAnchors: [TrustAnchor]

    /// The purpose that every certificate with an extKeyUsage must allow (RFC 5280 §4.2.1.12), or `nil` for any
    /// purpose. As in most verifiers, this restricts issuers too. The RFC considers only the leaf's extension.
    public let requiredPurpose: ASN1ObjectIdentifier?

    /// The maximum number of intermediates that are not self-issued: max_path_length of RFC 5280 §6.1.2 (k).
    public let maximumPathLength: Int

    /// Creates a verifier for paths to `trustAnchors`. A verifier without anchors rejects every path.
    public init(
        trustAnchors: [TrustAnchor], requiredPurpose: ASN1ObjectIdentifier? = nil,
        maximumPathLength: Int = CertificatePathVerifier.defaultMaximumPathLength
    ) {
        self.trustAnchors = trustAnchors
        self.requiredPurpose = requiredPurpose
        self.maximumPathLength = maximumPathLength
    }
}
