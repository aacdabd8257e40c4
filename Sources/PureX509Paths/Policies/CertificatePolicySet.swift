public import PureDER
import PureX509

/// Policies that a caller accepts, or that a path is valid for (RFC 5280 §6.1.1 (c), §6.1.6).
@nonexhaustive
public enum CertificatePolicySet: Hashable, Sendable {
    /// anyPolicy: every one.
    case any
    /// These.
    case only([ASN1ObjectIdentifier])

    /// Whether `policy` is one of them; in a list, anyPolicy stands for every one.
    public func contains(_ policy: ASN1ObjectIdentifier) -> Bool {
        switch self {
        case .any: true
        case .only(let policies): policies.contains { $0 == policy || $0 == .anyPolicy }
        }
    }

    /// Whether it is an empty list, so that no path with a policy is accepted.
    var isEmpty: Bool { self == .only([]) }
}
