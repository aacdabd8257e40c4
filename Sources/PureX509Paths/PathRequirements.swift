public import PureDER
public import PureX509

/// The comparison of an issuer's name with a subject's name (RFC 5280 §6.1.3 (a)(4)).
@nonexhaustive
public enum NameComparison: Hashable, Sendable {
    /// Compares encodings. Names that differ in one byte are different.
    case encoding
    /// Compares by RFC 5280 §7.1, ignoring string types, ASCII case, and leading, trailing and repeated spaces.
    /// Characters beyond ASCII are compared without the folding and normalisation of RFC 4518.
    case rfc5280
}

/// Requirements on a path beyond the anchors, purpose and length of ``CertificatePathVerifier``: the inputs of RFC 5280
/// §6.1.1 and RFC 9525. The default adds no requirement.
public struct PathRequirements: Sendable {
    /// Purposes that every certificate with an extKeyUsage must allow (§4.2.1.12). All are required.
    public var purposes: [ASN1ObjectIdentifier] = []

    /// Usages that the leaf's keyUsage must contain. An absent keyUsage restricts nothing (§4.2.1.3).
    public var keyUsage: KeyUsage = []

    /// The server that the leaf must identify.
    public var serverIdentity: ServerIdentity?

    /// How names are compared to find issuers. directoryName constraints always use RFC 5280 §7.1.
    public var nameComparison: NameComparison = .encoding

    /// user-initial-policy-set, §6.1.1 (c).
    public var initialPolicies: CertificatePolicySet = .any

    /// initial-explicit-policy, §6.1.1 (f): the path must be valid for one of ``initialPolicies``.
    public var requiresExplicitPolicy = false

    /// initial-policy-mapping-inhibit, §6.1.1 (e).
    public var inhibitsPolicyMapping = false

    /// initial-any-policy-inhibit, §6.1.1 (g).
    public var inhibitsAnyPolicy = false

    /// initial-permitted-subtrees and initial-excluded-subtrees, §6.1.1 (h), (i). Every entry constrains the names.
    public var nameConstraints: [NameConstraints] = []

    /// Whether nameConstraints may be non-critical, as the CA/Browser Forum allows (Baseline Requirements, 7.1.2.5.2).
    /// RFC 5280 §4.2.1.10 requires criticality. Non-critical constraints are still enforced.
    public var acceptsNonCriticalNameConstraints = false

    /// The revocation policy, or `nil` to skip the revocation check.
    public var revocation: RevocationPolicy?

    /// Creates requirements that add nothing to the verifier's own checks.
    public init() {}
}
