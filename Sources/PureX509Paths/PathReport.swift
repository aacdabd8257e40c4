public import PureX509

/// The result of a search, and the first paths that it rejected, up to ``maximumCandidateCount``.
public struct PathReport: Sendable {
    /// A rejected path, up to the certificate or anchor at which the search rejected it.
    public struct Candidate: Sendable {
        /// The certificates from the leaf to the rejected candidate. A rejected anchor is not included.
        public let certificates: [Certificate]
        /// The trust anchor, if the path reached a trust anchor.
        public let trustAnchor: TrustAnchor?
        /// Why the path was rejected.
        public let error: PathError
    }

    /// The maximum number of recorded candidates: 100, the same as ``CertificatePathVerifier/maximumSignatureChecks``.
    public static var maximumCandidateCount: Int { 100 }

    /// The valid path, or the error of ``CertificatePathVerifier/validate(leaf:intermediates:at:meeting:)``.
    public let result: Result<ValidatedPath, PathError>
    /// The rejected paths, in search order.
    public let refused: [Candidate]
}

/// A path that meets ``PathRequirements``. Only a verifier creates instances, so every instance is a validated path.
public struct ValidatedPath: Sendable {
    /// The certificates and the anchor.
    public let chain: ValidatedCertificateChain
    /// user-constrained-policy-set (RFC 5280 §6.1.6): the accepted policies for which the path is valid, under their
    /// names in the anchor's domain. The set may be empty if the caller and the certificates require no policy.
    public let policies: CertificatePolicySet
}
