public import PureX509

/// Why no path was found. Certificates are numbered as in `X509Error`: 0 is the leaf, and each issuer has its subject's number plus one.
///
/// Indirect, as `X509Error` is.
@nonexhaustive
public indirect enum PathError: Error, Hashable, Sendable {
    // MARK: A certificate of the path

    /// A certificate, or a list, is malformed or breaks a rule of RFC 5280 that binds it by its place in the path.
    case certificate(X509Error)
    /// The certificate occurs in the path twice, as itself or as another certificate of its name and key: the path is a circle
    /// of several, or the leaf is a trust anchor.
    case repeatedCertificate(certificate: Int)
    /// The path has more intermediate certificates than the verifier allows.
    case pathTooLong
    /// No path was found within ``CertificatePathVerifier/maximumSignatureChecks``.
    case signatureCheckLimitReached
    /// No path was found within ``CertificatePathVerifier/maximumSteps``.
    case stepLimitReached

    // MARK: The whole of a path

    /// A name of the certificate is in none of the permitted subtrees (RFC 5280 §6.1.3 b).
    case nameNotPermitted(certificate: Int)
    /// A name of the certificate is in an excluded subtree (RFC 5280 §6.1.3 c).
    case nameExcluded(certificate: Int)
    /// There are constraints on a form of names that is not implemented, or on one in which the certificate has a name that is
    /// not well-formed, and the certificate has such a name (RFC 5280 §4.2.1.10).
    case nameNotComparable(certificate: Int)
    /// More than ``CertificatePathVerifier/maximumNameComparisons`` comparisons of names with constraints.
    case nameComparisonLimitReached
    /// A policy is required, and with this certificate there is none that the path is valid for (RFC 5280 §6.1.3 f, §6.1.5 g).
    case policyMissing(certificate: Int)
    /// The graphs of policies have more nodes and edges than ``CertificatePathVerifier/maximumPolicyGraphSize``.
    case policyGraphLimitReached
    /// keyUsage lacks a usage that was asked for (RFC 5280 §4.2.1.3).
    case keyUsageMissing(certificate: Int)
    /// No alternative name of the leaf is the server's that was asked for (RFC 9525 §6).
    case serverIdentityMismatch
    /// The certificate was revoked, for this reason.
    case revoked(certificate: Int, RevocationReason)
    /// No revocation list that may be used tells the certificate's status (RFC 5280 §6.3.3).
    case revocationStatusUnknown(certificate: Int)
    /// A revocation list is longer than ``CertificateRevocationList/maximumEncodedSize``.
    case revocationListTooLarge
}

/// Runs what PureX509 checks or reads, and wraps its error.
func wrapping<Result>(_ body: () throws(X509Error) -> Result) throws(PathError) -> Result {
    do { return try body() } catch { throw .certificate(error) }
}
