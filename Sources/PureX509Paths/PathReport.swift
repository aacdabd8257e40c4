public import PureX509

/// The outcome of every path that a search tried.
public struct PathReport: Sendable {
    /// A path that failed, up to the certificate or anchor where it failed.
    public struct Candidate: Sendable {
        /// The certificates, starting at the leaf. They include the rejected certificate unless it is an anchor.
        public let certificates: [Certificate]
        /// The trust anchor, if the path reached one.
        public let trustAnchor: TrustAnchor?
        /// Why the path was rejected.
        public let error: PathError
    }

    /// The maximum number of recorded candidates: the first 100, as for
    /// ``CertificatePathVerifier/maximumSignatureChecks``.
    public static var maximumCandidateCount: Int { 100 }

    /// The valid path, or the error of ``CertificatePathVerifier/validate(leaf:intermediates:at:meeting:)``.
    public let result: Result<ValidatedPath, PathError>
    /// The candidates that failed, in search order.
    public let refused: [Candidate]
}

/// A path that meets ``PathRequirements``. Only a verifier creates one, so an instance proves the validation.
public struct ValidatedPath: Sendable {
    /// The certificates and the anchor.
    public let chain: ValidatedCertificateChain
    /// user-constrained-policy-set (RFC 5280 §6.1.6): the accepted policies, in the anchor's domain, for which the path
    /// is valid. The set may be empty unless the path required a policy.
    public let policies: CertificatePolicySet
}
