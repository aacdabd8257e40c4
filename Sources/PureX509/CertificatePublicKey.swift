public import PureDER
public import PureECDSA

/// The key that a certificate binds to its subject (RFC 5280 §4.1.2.7, RFC 5480).
@nonexhaustive
public enum CertificatePublicKey: Hashable, Sendable {
    /// A point on P-256.
    case p256(P256.Signing.PublicKey)
    /// A point on P-384.
    case p384(P384.Signing.PublicKey)
    /// The identifier of another algorithm or curve. The key was not checked.
    case unsupported(ASN1ObjectIdentifier)

    /// Reads an encoded `SubjectPublicKeyInfo`.
    package init(subjectPublicKeyInfo: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: subjectPublicKeyInfo, .subjectPublicKeyInfo)
        let identifier = try AlgorithmIdentifier(try reader.read(.sequence), reader.field)
        let key = try reader.readBitString()
        try reader.finish()
        guard identifier.algorithm == .ecPublicKey else {
            self = .unsupported(identifier.algorithm)
            return
        }
        // RFC 5480 §2.1.1: only namedCurve is allowed; implicitCurve (NULL) and specifiedCurve MUST NOT be used. §2.2:
        // a point is whole octets, so the BIT STRING has no unused bits.
        guard let parameters = identifier.parameters, parameters.tag == .objectIdentifier else { throw .curveNotNamed }
        var curveReader = FieldReader(parameters.encoded, .subjectPublicKeyInfo)
        let curve = try curveReader.readObjectIdentifier()
        guard key.unusedBitCount == 0 else { throw .notWholeOctets(.subjectPublicKeyInfo) }
        do {
            switch curve {
            case .secp256r1:
                // SEC 1 §2.3.4: the first octet distinguishes an uncompressed point from a compressed one.
                self = .p256(
                    key.bytes.first == 0x04
                        ? try P256.Signing.PublicKey(x963Representation: key.bytes)
                        : try P256.Signing.PublicKey(compressedRepresentation: key.bytes))
            case .secp384r1:
                self = .p384(
                    key.bytes.first == 0x04
                        ? try P384.Signing.PublicKey(x963Representation: key.bytes)
                        : try P384.Signing.PublicKey(compressedRepresentation: key.bytes))
            default:
                self = .unsupported(curve)
            }
        } catch {
            throw .invalidPublicKey(error)
        }
    }
}

extension P256.Signing.PublicKey {
    /// Extracts a certificate's key, or returns `nil` if it is not on this curve.
    public init?(_ key: CertificatePublicKey) {
        guard case .p256(let key) = key else { return nil }
        self = key
    }
}

extension P384.Signing.PublicKey {
    /// Extracts a certificate's key, or returns `nil` if it is not on this curve.
    public init?(_ key: CertificatePublicKey) {
        guard case .p384(let key) = key else { return nil }
        self = key
    }
}
