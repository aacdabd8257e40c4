import PureDER

/// Public keys in certificates (RFC 5480 §2): `SEQUENCE { SEQUENCE { id-ecPublicKey, namedCurve }, BIT STRING point }`.
extension AffinePoint where Curve: NamedCurve {
    init(subjectPublicKeyInfo der: ArraySlice<UInt8>) throws(ECDSAError) {
        let info: SubjectPublicKeyInfo
        let curve: ASN1ObjectIdentifier?
        do throws(DERError) {
            info = try SubjectPublicKeyInfo(derEncoded: der)
            curve = try info.namedCurve()
            guard info.publicKey.unusedBitCount == 0 else { throw .invalidUnusedBitCount }
        } catch {
            throw .malformedDER(error)
        }
        guard info.algorithm.algorithm == .ecPublicKey else { throw .unsupportedKeyAlgorithm }
        guard curve == Curve.objectIdentifier else { throw .unsupportedCurve }
        try self.init(encoded: info.publicKey.bytes)
    }

    /// The SubjectPublicKeyInfo with the uncompressed point.
    var subjectPublicKeyInfo: [UInt8] {
        let algorithm =
            derElement(0x06, ASN1ObjectIdentifier.ecPublicKey.contents)
            + derElement(0x06, Curve.objectIdentifier.contents)
        return derElement(0x30, derElement(0x30, algorithm) + derElement(0x03, [0] + x963))
    }
}

protocol NamedCurve: PrimeCurve {
    /// The namedCurve of RFC 5480 §2.1.1.1.
    static var objectIdentifier: ASN1ObjectIdentifier { get }
}

extension P256Curve: NamedCurve {
    static var objectIdentifier: ASN1ObjectIdentifier { .secp256r1 }
}

extension P384Curve: NamedCurve {
    static var objectIdentifier: ASN1ObjectIdentifier { .secp384r1 }
}

extension P256.Signing.PublicKey {
    /// Reads an uncompressed or compressed point, as found in certificates.
    package init(encodedPoint octets: ArraySlice<UInt8>) throws(ECDSAError) {
        point = try AffinePoint(encoded: octets)
    }
}

extension P384.Signing.PublicKey {
    package init(encodedPoint octets: ArraySlice<UInt8>) throws(ECDSAError) {
        point = try AffinePoint(encoded: octets)
    }
}
