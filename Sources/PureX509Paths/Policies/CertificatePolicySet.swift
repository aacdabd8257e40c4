public import PureDER
import PureX509

/// Policies that a caller accepts, or for which a path is valid (RFC 5280 §6.1.1 (c), §6.1.6).
@nonexhaustive
public enum CertificatePolicySet: Hashable, Sendable {
    /// anyPolicy: every policy.
    case any
    /// The listed policies.
    case only([ASN1ObjectIdentifier])

    /// Whether the set contains `policy`. A list with anyPolicy contains every policy.
    public func contains(_ policy: ASN1ObjectIdentifier) -> Bool {
        switch self {
        case .any: true
        case .only(let policies): policies.contains { $0 == policy || $0 == .anyPolicy }
        }
    }

    /// Whether the set is an empty list, which contains no policy.
    var isEmpty: Bool { self == .only([]) }
}
