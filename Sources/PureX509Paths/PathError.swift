public import PureX509

/// The reason why no path was found, or why an OCSP response was rejected. Certificates are numbered as in `X509Error`:
/// the leaf is 0, and an issuer has the number of its subject plus one.
///
/// The type is indirect for the same reason as `X509Error`.
@nonexhaustive
public indirect enum PathError: Error, Hashable, Sendable {
    // MARK: A certificate of the path

    /// A certificate, list or response is malformed, or breaks a rule of RFC 5280 for its place in the path.
    case certificate(X509Error)
    /// The certificate, or a certificate with the same name and key, occurs in the path twice. The path is a cycle, or
    /// the leaf is a trust anchor.
    case repeatedCertificate(certificate: Int)
    /// The path has more intermediate certificates than the verifier allows.
    case pathTooLong
    /// No path was found within ``CertificatePathVerifier/maximumSignatureChecks``.
    case signatureCheckLimitReached
    /// No path was found within ``CertificatePathVerifier/maximumSteps``.
    case stepLimitReached

    // MARK: The whole of a path

    /// A name of the certificate is not in the permitted subtrees (RFC 5280 §6.1.3 b).
    case nameNotPermitted(certificate: Int)
    /// A name of the certificate is in an excluded subtree (RFC 5280 §6.1.3 c).
    case nameExcluded(certificate: Int)
    /// A name of the certificate cannot be compared with its issuers' constraints (RFC 5280 §4.2.1.10). The name's form
    /// is not implemented, or the name is malformed.
    case nameNotComparable(certificate: Int)
    /// Comparisons of names with constraints exceed ``CertificatePathVerifier/maximumNameComparisons``.
    case nameComparisonLimitReached
    /// A policy is required, but none is valid from the anchor down to this certificate (RFC 5280 §6.1.3 f, §6.1.5 g).
    case policyMissing(certificate: Int)
    /// The nodes and edges of the policy graphs exceed ``CertificatePathVerifier/maximumPolicyGraphSize``.
    case policyGraphLimitReached
    /// keyUsage lacks a required usage (RFC 5280 §4.2.1.3).
    case keyUsageMissing(certificate: Int)
    /// No alternative name of the leaf matches the required server identity (RFC 9525 §6).
    case serverIdentityMismatch
    /// The certificate was revoked, for this reason.
    case revoked(certificate: Int, RevocationReason)
    /// No usable revocation list determines the certificate's status (RFC 5280 §6.3.3).
    case revocationStatusUnknown(certificate: Int)
    /// A revocation list is longer than ``CertificateRevocationList/maximumEncodedSize``.
    case revocationListTooLarge

    // MARK: OCSP

    /// An OCSP response breaks a rule, or its status is not good.
    case ocsp(OCSPError)
}

/// Runs a check or reader of PureX509, and wraps its error.
func wrapping<Result>(_ body: () throws(X509Error) -> Result) throws(PathError) -> Result {
    do { return try body() } catch { throw .certificate(error) }
}
