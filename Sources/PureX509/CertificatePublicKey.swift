public import PureDER
public import PureECDSA

/// The key that a certificate binds to its subject (RFC 5280 §4.1.2.7, RFC 5480).
@nonexhaustive
public enum CertificatePublicKey: Hashable, Sendable {
    /// A point on P-256.
    case p256(P256.Signing.PublicKey)
    /// A point on P-384.
    case p384(P384.Signing.PublicKey)
    /// A key of an unsupported algorithm or curve, with the identifier of this algorithm or curve. The key is not
    /// checked.
    case unsupported(ASN1ObjectIdentifier)

    package init(subjectPublicKeyInfo: ArraySlice<UInt8>) throws(X509Error) {
        let info: SubjectPublicKeyInfo
        do { info = try SubjectPublicKeyInfo(derEncoded: subjectPublicKeyInfo) } catch {
            throw .malformed(.subjectPublicKeyInfo, error)
        }
        guard info.algorithm.algorithm == .ecPublicKey else {
            self = .unsupported(info.algorithm.algorithm)
            return
        }
        let namedCurve: ASN1ObjectIdentifier?
        do { namedCurve = try info.namedCurve() } catch { throw .malformed(.subjectPublicKeyInfo, error) }
        guard let namedCurve else { throw .curveNotNamed }
        // RFC 5480 §2.2: a point consists of whole octets, so the BIT STRING has no unused bits.
        guard info.publicKey.unusedBitCount == 0 else { throw .notWholeOctets(.subjectPublicKeyInfo) }
        do {
            switch namedCurve {
            case .secp256r1: self = .p256(try P256.Signing.PublicKey(encodedPoint: info.publicKey.bytes))
            case .secp384r1: self = .p384(try P384.Signing.PublicKey(encodedPoint: info.publicKey.bytes))
            default: self = .unsupported(namedCurve)
            }
        } catch {
            throw .invalidPublicKey(error)
        }
    }
}

extension P256.Signing.PublicKey {
    /// Returns the key of a certificate, or `nil` if the key is not on this curve.
    public init?(_ key: CertificatePublicKey) {
        guard case .p256(let key) = key else { return nil }
        self = key
    }
}

extension P384.Signing.PublicKey {
    /// Returns the key of a certificate, or `nil` if the key is not on this curve.
    public init?(_ key: CertificatePublicKey) {
        guard case .p384(let key) = key else { return nil }
        self = key
    }
}
