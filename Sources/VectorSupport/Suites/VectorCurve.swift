import PureECDSA
private import PureSHA2

/// A curve of the package, selected at run time by its name in a vector file.
public enum VectorCurve: Hashable, Sendable, CaseIterable {
    /// P-256, secp256r1.
    case p256
    /// P-384, secp384r1.
    case p384

    /// Creates the curve with this name in SP 800-186 or SEC 2; `nil` if the package does not have it.
    public init?(named name: String) {
        switch name {
        case "P-256", "secp256r1": self = .p256
        case "P-384", "secp384r1": self = .p384
        default: return nil
        }
    }

    var keyType: any VectorPublicKey.Type { self == .p256 ? P256.Signing.PublicKey.self : P384.Signing.PublicKey.self }

    /// The length of a coordinate, a scalar or half a raw signature, in bytes.
    public var byteCount: Int { self == .p256 ? 32 : 48 }
}

/// A hash function of the package, selected at run time by its name in a vector file.
public enum VectorHash: Hashable, Sendable, CaseIterable {
    case sha256
    case sha384
    case sha512

    /// Creates the function with this name in FIPS 180-4; `nil` if the package does not have it.
    public init?(named name: String) {
        switch name {
        case "SHA-256": self = .sha256
        case "SHA-384": self = .sha384
        case "SHA-512": self = .sha512
        default: return nil
        }
    }

    /// Returns the message's digest.
    public func digest(of message: some Collection<UInt8>) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: message))
        case .sha384: Array(SHA384.hash(data: message))
        case .sha512: Array(SHA512.hash(data: message))
        }
    }
}
