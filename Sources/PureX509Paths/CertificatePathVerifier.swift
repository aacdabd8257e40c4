public import PureDER
public import PureX509

/// Finds certification paths, and validates them by RFC 5280 §6.1.
///
/// Signatures are ECDSA with P-256 or P-384 and SHA-256, SHA-384 or SHA-512, in any combination.
///
/// - Note: This verifier does **not** check OCSP, nor the validity periods of trust anchors (`TrustAnchor`). It checks
///   revocation and server names only if ``PathRequirements`` requires these checks. By default, it compares names as
///   bytes.
public struct CertificatePathVerifier: Sendable {
    /// The maximum number of certificate signatures that a validation verifies: 100, as in Go
    /// (`maxChainSignatureChecks`, crypto/x509) and rustls-webpki (`Budget`). A search without backtracking verifies
    /// one signature per certificate of the path.
    ///
    /// Signatures of revocation lists do not count, because untrusted lists could exhaust the limit before a valid list
    /// is verified. Each list is verified at most once with each key that is certified for the list's issuer name.
    public static var maximumSignatureChecks: Int { 100 }

    /// The maximum number of issuer candidates examined per validation: 200,000, as in rustls-webpki (`Budget`, calls
    /// of `build_chain`). For each candidate, the search compares two names.
    public static var maximumSteps: Int { 200_000 }

    /// The default of ``maximumPathLength``: 6, as in rustls-webpki (`MAX_SUB_CA_COUNT`).
    public static var defaultMaximumPathLength: Int { 6 }

    /// The maximum number of intermediates in a path, including self-issued certificates: 16. It bounds the recursion.
    public static var maximumIntermediateCount: Int { 16 }

    /// The trust anchors at which paths may end.
    public let trustAnchors: [TrustAnchor]

    /// The purpose that every certificate's extKeyUsage must allow (RFC 5280 §4.2.1.12), or `nil` for any purpose. A
    /// certificate without extKeyUsage allows every purpose. As in most verifiers, the purpose also restricts issuers,
    /// although the RFC considers only the leaf.
    public let requiredPurpose: ASN1ObjectIdentifier?

    /// max_path_length (RFC 5280 §6.1.2 (k)): the maximum number of intermediates, not counting self-issued ones.
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
