public import PureX509

/// The reason why no path was found or an OCSP response was rejected. Certificates are numbered from the leaf, 0.
///
/// The enum is indirect for the same reason as `X509Error`.
@nonexhaustive
public indirect enum PathError: Error, Hashable, Sendable {
    // MARK: A certificate of the path

    /// A certificate, CRL or OCSP response is malformed, or a certificate breaks a rule of RFC 5280 for its position.
    case certificate(X509Error)
    /// The path contains two certificates with the same name and key: it is a cycle, or the leaf is a trust anchor.
    case repeatedCertificate(certificate: Int)
    /// The path has more intermediate certificates than the verifier allows.
    case pathTooLong
    /// The search reached the limit ``CertificatePathVerifier/maximumSignatureChecks`` before finding a path.
    case signatureCheckLimitReached
    /// The search reached the limit ``CertificatePathVerifier/maximumSteps`` before finding a path.
    case stepLimitReached

    // MARK: The whole of a path

    /// A name of the certificate is not in the permitted subtrees (RFC 5280 §6.1.3 b).
    case nameNotPermitted(certificate: Int)
    /// A name of the certificate is in an excluded subtree (RFC 5280 §6.1.3 c).
    case nameExcluded(certificate: Int)
    /// A name of the certificate is constrained but cannot be compared (RFC 5280 §4.2.1.10). The form of the name is
    /// not implemented, the name is malformed, or the comparison cannot be decided.
    case nameNotComparable(certificate: Int)
    /// The number of comparisons of names with constraints exceeds ``CertificatePathVerifier/maximumNameComparisons``.
    case nameComparisonLimitReached
    /// A policy is required, but none is valid from the anchor to this certificate (RFC 5280 §6.1.3 f, §6.1.5 g).
    case policyMissing(certificate: Int)
    /// The number of nodes and edges in the policy graphs exceeds ``CertificatePathVerifier/maximumPolicyGraphSize``.
    case policyGraphLimitReached
    /// The leaf's keyUsage lacks a required usage (RFC 5280 §4.2.1.3).
    case keyUsageMissing(certificate: Int)
    /// No alternative name of the leaf matches the required server identity (RFC 9525 §6).
    case serverIdentityMismatch
    /// The certificate was revoked for the given reason.
    case revoked(certificate: Int, RevocationReason)
    /// No usable revocation list determines the certificate's status (RFC 5280 §6.3.3).
    case revocationStatusUnknown(certificate: Int)
    /// A revocation list is longer than ``CertificateRevocationList/maximumEncodedSize`` bytes.
    case revocationListTooLarge

    // MARK: OCSP

    /// An OCSP response breaks a rule, or the status in the response is not good.
    case ocsp(OCSPError)
}

func wrapping<Result>(_ body: () throws(X509Error) -> Result) throws(PathError) -> Result {
    do { return try body() } catch { throw .certificate(error) }
}
