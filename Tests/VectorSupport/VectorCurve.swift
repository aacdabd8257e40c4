public import PureECDSA
private import PureSHA2

/// A curve of the package, chosen at run time by the name in a vector file.
public enum VectorCurve: Hashable, Sendable, CaseIterable {
    /// P-256, secp256r1.
    case p256
    /// P-384, secp384r1.
    case p384

    /// The curve with this name in SP 800-186 or SEC 2; `nil` for one that the package does not have.
    public init?(named name: some StringProtocol) {
        switch name {
        case "P-256", "secp256r1": self = .p256
        case "P-384", "secp384r1": self = .p384
        default: return nil
        }
    }

    /// How many bytes a coordinate, a scalar or half a raw signature takes.
    public var byteCount: Int { self == .p256 ? 32 : 48 }
}

/// A hash function of the package, chosen at run time by the name in a vector file.
public enum VectorHash: Hashable, Sendable, CaseIterable {
    /// SHA-256.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512

    /// The function with this name in FIPS 180-4; `nil` for one that the package does not have.
    public init?(named name: some StringProtocol) {
        switch name {
        case "SHA-256": self = .sha256
        case "SHA-384": self = .sha384
        case "SHA-512": self = .sha512
        default: return nil
        }
    }

    /// The message's digest.
    public func digest(of message: some Collection<UInt8>) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: message))
        case .sha384: Array(SHA384.hash(data: message))
        case .sha512: Array(SHA512.hash(data: message))
        }
    }
}

/// How the integers r and s of a signature are written.
public enum VectorSignatureForm: Hashable, Sendable {
    /// `Ecdsa-Sig-Value` of RFC 3279 §2.2.3.
    case der
    /// r and s one after the other, each as long as n (IEEE P1363).
    case raw
}

/// A public key on a ``VectorCurve``.
public enum VectorKey: Hashable, Sendable {
    /// A key on P-256.
    case p256(P256.Signing.PublicKey)
    /// A key on P-384.
    case p384(P384.Signing.PublicKey)

    /// The key of a point in the form of SEC 1 §2.3.3, uncompressed, or compressed when it has that length.
    public init(point: some Collection<UInt8>, on curve: VectorCurve) throws(ECDSAError) {
        let isCompressed = point.count == curve.byteCount + 1
        self =
            switch (curve, isCompressed) {
            case (.p256, false): .p256(try P256.Signing.PublicKey(x963Representation: point))
            case (.p256, true): .p256(try P256.Signing.PublicKey(compressedRepresentation: point))
            case (.p384, false): .p384(try P384.Signing.PublicKey(x963Representation: point))
            case (.p384, true): .p384(try P384.Signing.PublicKey(compressedRepresentation: point))
            }
    }

    /// The key of a `SubjectPublicKeyInfo`.
    public init(derRepresentation der: some Collection<UInt8>, on curve: VectorCurve) throws(ECDSAError) {
        self =
            switch curve {
            case .p256: .p256(try P256.Signing.PublicKey(derRepresentation: der))
            case .p384: .p384(try P384.Signing.PublicKey(derRepresentation: der))
            }
    }

    /// The point, uncompressed: 04, x, y.
    public var x963Representation: [UInt8] {
        switch self {
        case .p256(let key): key.x963Representation
        case .p384(let key): key.x963Representation
        }
    }

    /// Whether the bytes are a signature of the message under this key; false too when they are no signature at all.
    public func isValidSignature(
        _ signature: some Collection<UInt8>, as form: VectorSignatureForm, hash: VectorHash,
        message: some Collection<UInt8>
    ) -> Bool {
        switch self {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(signature, as: form) else { return false }
            return switch hash {
            case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: message))
            case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: message))
            case .sha512: key.isValidSignature(signature, for: SHA512.hash(data: message))
            }
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(signature, as: form) else { return false }
            return switch hash {
            case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: message))
            case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: message))
            case .sha512: key.isValidSignature(signature, for: SHA512.hash(data: message))
            }
        }
    }
}

extension P256.Signing.ECDSASignature {
    fileprivate init(_ bytes: some Collection<UInt8>, as form: VectorSignatureForm) throws(ECDSAError) {
        switch form {
        case .der: try self.init(derRepresentation: bytes)
        case .raw: try self.init(rawRepresentation: bytes)
        }
    }
}

extension P384.Signing.ECDSASignature {
    fileprivate init(_ bytes: some Collection<UInt8>, as form: VectorSignatureForm) throws(ECDSAError) {
        switch form {
        case .der: try self.init(derRepresentation: bytes)
        case .raw: try self.init(rawRepresentation: bytes)
        }
    }
}
