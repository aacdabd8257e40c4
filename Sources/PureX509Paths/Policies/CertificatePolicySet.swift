public import PureDER
import PureX509

/// A set of policies: the policies that the caller accepts, or the policies for which a path is valid (RFC 5280 §6.1.1
/// (c), §6.1.6).
@nonexhaustive
public enum CertificatePolicySet: Hashable, Sendable {
    /// anyPolicy: every policy.
    case any
    /// The listed policies.
    case only([ASN1ObjectIdentifier])

    /// Whether the set contains `policy`. A list that includes anyPolicy contains every policy.
    public func contains(_ policy: ASN1ObjectIdentifier) -> Bool {
        switch self {
        case .any: true
        case .only(let policies): policies.contains { $0 == policy || $0 == .anyPolicy }
        }
    }

    var isEmpty: Bool { self == .only([]) }
}
