import PureDER

/// Public keys as in certificates (RFC 5480 §2): `SEQUENCE { SEQUENCE { id-ecPublicKey, namedCurve }, BIT STRING point
/// }`.
extension AffinePoint where Curve: NamedCurve {
    /// Reads a key of this named curve, with the point in uncompressed or compressed form (RFC 5480 §2.2).
    init(subjectPublicKeyInfo der: ArraySlice<UInt8>) throws(ECDSAError) {
        let key = try SubjectPublicKeyInfo(der)
        guard key.algorithm == idECPublicKey else { throw .unsupportedKeyAlgorithm }
        guard key.curve == Curve.objectIdentifier else { throw .unsupportedCurve }
        if key.point.first == 0x04 {
            try self.init(x963: key.point)
        } else {
            try self.init(compressed: key.point)
        }
    }

    /// The SubjectPublicKeyInfo with the uncompressed point. On both curves each length is below 128, so one length
    /// octet suffices.
    var subjectPublicKeyInfo: [UInt8] {
        let algorithm =
            derElement(0x06, idECPublicKey.contents)
            + derElement(0x06, Curve.objectIdentifier.contents)
        return derElement(0x30, derElement(0x30, algorithm) + derElement(0x03, [0] + x963))
    }
}

/// A curve with a name in certificates.
protocol NamedCurve: PrimeCurve {
    /// The namedCurve of RFC 5480 §2.1.1.1.
    static var objectIdentifier: ASN1ObjectIdentifier { get }
}

extension P256Curve: NamedCurve {
    /// prime256v1, 1.2.840.10045.3.1.7.
    static var objectIdentifier: ASN1ObjectIdentifier { ASN1ObjectIdentifier(encodedAs: 0x2a86_48ce_3d03_0107) }
}

extension P384Curve: NamedCurve {
    /// secp384r1, 1.3.132.0.34.
    static var objectIdentifier: ASN1ObjectIdentifier { ASN1ObjectIdentifier(encodedAs: 0x2b_8104_0022) }
}

/// id-ecPublicKey, 1.2.840.10045.2.1 (RFC 5480 §2.1.1).
private var idECPublicKey: ASN1ObjectIdentifier { ASN1ObjectIdentifier(encodedAs: 0x2a_8648_ce3d_0201) }

private struct SubjectPublicKeyInfo {
    let algorithm: ASN1ObjectIdentifier
    let curve: ASN1ObjectIdentifier?
    let point: ArraySlice<UInt8>

    init(_ der: ArraySlice<UInt8>) throws(ECDSAError) {
        do throws(DERError) {
            var outer = DERReader(der)
            var info = try outer.enter(.sequence)
            try outer.finish()
            var identifier = try info.enter(.sequence)
            algorithm = try identifier.readObjectIdentifier()
            // Parameters that are not a name (explicit curves, NULL, none) leave `curve` empty, which matches no curve.
            if try identifier.peekTag() == .objectIdentifier {
                curve = try identifier.readObjectIdentifier()
                try identifier.finish()
            } else {
                curve = nil
            }
            let bits = try info.readBitString()
            guard bits.unusedBitCount == 0 else { throw .invalidUnusedBitCount }
            point = bits.bytes
            try info.finish()
        } catch {
            throw .malformedDER(error)
        }
    }
}

/// Encodes tag, length and contents. Bounds: `contents` has fewer than 128 octets, so one length octet suffices (X.690
/// §8.1.3.4). Signatures and keys of up to 384 bits are that short.
func derElement(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    precondition(contents.count < 128)
    return [tag, UInt8(contents.count)] + contents
}
