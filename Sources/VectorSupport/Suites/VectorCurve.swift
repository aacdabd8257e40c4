import PureECDSA
private import PureSHA2

/// A curve that the package implements, selected at run time by its name in a vector file.
package enum VectorCurve: Hashable, Sendable, CaseIterable {
    /// P-256, secp256r1.
    case p256
    /// P-384, secp384r1.
    case p384

    /// Creates the curve with this SP 800-186 or SEC 2 name; `nil` if the package does not implement the curve.
    package init?(named name: String) {
        switch name {
        case "P-256", "secp256r1": self = .p256
        case "P-384", "secp384r1": self = .p384
        default: return nil
        }
    }

    var keyType: any VectorPublicKey.Type { self == .p256 ? P256.Signing.PublicKey.self : P384.Signing.PublicKey.self }

    /// The length in bytes of a coordinate, of a scalar, and of half a raw signature.
    package var byteCount: Int { self == .p256 ? 32 : 48 }
}

/// A hash function that the package implements, selected at run time by its name in a vector file.
package enum VectorHash: Hashable, Sendable, CaseIterable {
    case sha256
    case sha384
    case sha512

    /// Creates the hash function with this FIPS 180-4 name; `nil` if the package does not implement the function.
    package init?(named name: String) {
        switch name {
        case "SHA-256": self = .sha256
        case "SHA-384": self = .sha384
        case "SHA-512": self = .sha512
        default: return nil
        }
    }

    /// Returns the message's digest.
    package func digest(of message: some Collection<UInt8>) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: message))
        case .sha384: Array(SHA384.hash(data: message))
        case .sha512: Array(SHA512.hash(data: message))
        }
    }
}
