public import PureDER
public import PureX509

/// How the name of an issuer is compared with the name of a subject (RFC 5280 §6.1.3 (a)(4)).
@nonexhaustive
public enum NameComparison: Hashable, Sendable {
    /// As encodings: names that differ in a byte are different.
    case encoding
    /// By RFC 5280 §7.1: types of strings, case of ASCII and spaces at the ends or repeated do not count. Characters beyond
    /// ASCII are compared as they are, without the folding and normalisation of RFC 4518.
    case rfc5280
}

/// What a path has to be beyond ``CertificatePathVerifier``'s anchors, purpose and length: the inputs of RFC 5280 §6.1.1 and RFC 9525.
///
/// The default asks for nothing more.
public struct PathRequirements: Sendable {
    /// Purposes that every certificate with an extKeyUsage must allow (§4.2.1.12), all of them.
    public var purposes: [ASN1ObjectIdentifier] = []

    /// Usages that the keyUsage of the leaf must have, if it is there; an absent one restricts nothing (§4.2.1.3).
    public var keyUsage: KeyUsage = []

    /// The server that the leaf must be for.
    public var serverIdentity: ServerIdentity?

    /// How names are compared to find issuers. Names in directoryName constraints are always compared by RFC 5280 §7.1.
    public var nameComparison: NameComparison = .encoding

    /// user-initial-policy-set, §6.1.1 (c).
    public var initialPolicies: CertificatePolicySet = .any

    /// initial-explicit-policy, §6.1.1 (f): the path must be valid for one of ``initialPolicies``.
    public var requiresExplicitPolicy = false

    /// initial-policy-mapping-inhibit, §6.1.1 (e).
    public var inhibitsPolicyMapping = false

    /// initial-any-policy-inhibit, §6.1.1 (g).
    public var inhibitsAnyPolicy = false

    /// initial-permitted-subtrees and initial-excluded-subtrees, §6.1.1 (h), (i): names are within each of these.
    public var nameConstraints: [NameConstraints] = []

    /// Whether nameConstraints may be not critical, as the CA/Browser Forum allows (Baseline Requirements, 7.1.2.5.2). They are
    /// processed all the same. RFC 5280 §4.2.1.10 does not allow it.
    public var acceptsNonCriticalNameConstraints = false

    /// What is to be known of revocation; `nil`: nothing.
    public var revocation: RevocationPolicy?

    /// Nothing but what a verifier asks for by itself.
    public init() {}
}
