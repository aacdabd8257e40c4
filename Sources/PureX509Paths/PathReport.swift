public import PureX509

/// What became of each path that a search tried.
public struct PathReport: Sendable {
    /// A path that was not valid, as far as it was followed.
    public struct Candidate: Sendable {
        /// The certificates from the leaf on, the one that was refused included unless it is an anchor.
        public let certificates: [Certificate]
        /// The trust anchor, if one was reached.
        public let trustAnchor: TrustAnchor?
        /// Why it was refused.
        public let error: PathError
    }

    /// The most candidates that are remembered, the first ones: 100, as many as ``CertificatePathVerifier/maximumSignatureChecks``.
    public static var maximumCandidateCount: Int { 100 }

    /// The valid path, or the error of ``CertificatePathVerifier/validate(leaf:intermediates:at:meeting:)``.
    public let result: Result<ValidatedPath, PathError>
    /// The candidates that failed, in the order in which they were tried.
    public let refused: [Candidate]
}

/// A path that meets ``PathRequirements``. Only a verifier makes one: having it is the proof.
public struct ValidatedPath: Sendable {
    /// The certificates and the anchor.
    public let chain: ValidatedCertificateChain
    /// user-constrained-policy-set (RFC 5280 §6.1.6): the policies of the anchor's domain, among those that the caller accepts, for
    /// which the path is valid. Empty unless one was required.
    public let policies: CertificatePolicySet
}
