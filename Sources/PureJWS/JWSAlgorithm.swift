public import PureECDSA

/// A signature algorithm that this module verifies (RFC 7518 §3.4).
public enum JWSAlgorithm: Hashable, Sendable {
    /// `ES256`: ECDSA on P-256 with SHA-256.
    case es256
    /// `ES384`: ECDSA on P-384 with SHA-384.
    case es384

    /// The value of `alg`, compared as bytes: RFC 7515 §4.1.1, "case-sensitive".
    var name: StaticString {
        switch self {
        case .es256: "ES256"
        case .es384: "ES384"
        }
    }
}

/// A trusted key with its only permitted algorithm, so a header cannot choose a different algorithm (RFC 8725 §3.1).
public enum JWSVerificationKey: Hashable, Sendable {
    /// Verifies ES256.
    case es256(P256.Signing.PublicKey)
    /// Verifies ES384.
    case es384(P384.Signing.PublicKey)

    /// The key's algorithm.
    var algorithm: JWSAlgorithm {
        switch self {
        case .es256: .es256
        case .es384: .es384
        }
    }
}
