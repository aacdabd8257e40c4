public import PureDER
public import PureX509

/// How a certificate's issuer name is compared with the subject names of candidates (RFC 5280 §6.1.3 (a)(4)).
@nonexhaustive
public enum NameComparison: Hashable, Sendable {
    /// Compares encodings. Names that differ in one byte are different.
    case encoding
    /// Compares by RFC 5280 §7.1, ignoring string types, ASCII case, and leading, trailing and repeated spaces.
    /// Non-ASCII characters are compared without the folding and normalisation of RFC 4518. A T61String with non-ASCII
    /// bytes equals only T61Strings.
    case rfc5280
}

/// Additional requirements on a path: the inputs of RFC 5280 §6.1.1 and RFC 9525. ``CertificatePathVerifier`` already
/// sets the anchors, the purpose and the maximum length. By default there are no additional requirements.
public struct PathRequirements: Sendable {
    /// Required purposes. Every extKeyUsage in the path must allow all of them (§4.2.1.12). An absent extKeyUsage
    /// allows every purpose.
    public var purposes: [ASN1ObjectIdentifier] = []

    /// Usages that the leaf's keyUsage must contain. An absent keyUsage restricts nothing (§4.2.1.3).
    public var keyUsage: KeyUsage = []

    /// The server that the leaf must identify.
    public var serverIdentity: ServerIdentity?

    /// How names are compared to find issuers. RFC 5280 §7.1 always applies to directoryName constraints.
    public var nameComparison: NameComparison = .encoding

    /// user-initial-policy-set, §6.1.1 (c).
    public var initialPolicies: CertificatePolicySet = .any

    /// initial-explicit-policy, §6.1.1 (f): the path must be valid for one of ``initialPolicies``.
    public var requiresExplicitPolicy = false

    /// initial-policy-mapping-inhibit, §6.1.1 (e).
    public var inhibitsPolicyMapping = false

    /// initial-any-policy-inhibit, §6.1.1 (g).
    public var inhibitsAnyPolicy = false

    /// initial-permitted-subtrees and initial-excluded-subtrees, §6.1.1 (h), (i). A name must satisfy every entry.
    public var nameConstraints: [NameConstraints] = []

    /// Whether non-critical nameConstraints are accepted, as the CA/Browser Forum allows (Baseline Requirements,
    /// 7.1.2.5.2). RFC 5280 §4.2.1.10 requires criticality. Non-critical constraints are still enforced.
    public var acceptsNonCriticalNameConstraints = false

    /// The revocation policy, or `nil` to skip the revocation check.
    public var revocation: RevocationPolicy?

    /// Creates an instance without additional requirements.
    public init() {}
}
