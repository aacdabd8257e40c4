import PureDER

// SubjectPublicKeyInfo ::= SEQUENCE { SEQUENCE { rsaEncryption, NULL }, BIT STRING } (RFC 3279 §2.3.1). The bits
// contain RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER } (RFC 8017 §A.1.1).

extension RSA.Signing.PublicKey {
    @usableFromInline
    init(subjectPublicKeyInfo der: ArraySlice<UInt8>) throws(RSAError) {
        let info = try SubjectPublicKeyInfo(der)
        guard info.algorithm == rsaEncryption else { throw .unsupportedKeyAlgorithm }
        // RFC 3279 §2.3.1: "the parameters field MUST have ASN.1 type NULL". NULL has only one encoding (X.690 §8.8).
        guard info.parameters.elementsEqual([0x05, 0x00]) else { throw .parametersNotNull }
        try self.init(rsaPublicKey: info.publicKey)
    }

    @usableFromInline
    init(rsaPublicKey der: ArraySlice<UInt8>) throws(RSAError) {
        let modulus, exponent: ArraySlice<UInt8>
        do throws(DERError) {
            var outer = DERReader(der)
            var sequence = try outer.enter(.sequence)
            try outer.finish()
            modulus = try sequence.readUnsignedInteger()
            exponent = try sequence.readUnsignedInteger()
            try sequence.finish()
        } catch {
            throw .malformedDER(error)
        }
        try self.init(modulus: modulus, exponent: exponent)
    }

    /// A DER RSAPublicKey (RFC 8017 §A.1.1).
    public var pkcs1DERRepresentation: [UInt8] {
        var exponent: [UInt8] = []
        for i in (0..<8).reversed() { exponent.append(octet(i, of: publicExponent)) }
        return derElement(0x30, derInteger(modulus) + derInteger(exponent))
    }

    /// A DER SubjectPublicKeyInfo of rsaEncryption.
    public var derRepresentation: [UInt8] {
        let algorithm = derElement(0x06, rsaEncryption.contents) + [0x05, 0x00]
        return derElement(0x30, derElement(0x30, algorithm) + derElement(0x03, [0] + pkcs1DERRepresentation))
    }
}

/// rsaEncryption, 1.2.840.113549.1.1.1 (RFC 3279 §2.3.1).
private var rsaEncryption: ASN1ObjectIdentifier { ASN1ObjectIdentifier(encodedAs: 0x2a86_4886_f70d_0101_01) }

private struct SubjectPublicKeyInfo {
    let algorithm: ASN1ObjectIdentifier
    /// The algorithm's encoded parameters: everything after its identifier.
    let parameters: ArraySlice<UInt8>
    let publicKey: ArraySlice<UInt8>

    init(_ der: ArraySlice<UInt8>) throws(RSAError) {
        do throws(DERError) {
            var outer = DERReader(der)
            var info = try outer.enter(.sequence)
            try outer.finish()
            var identifier = try info.enter(.sequence)
            algorithm = try identifier.readObjectIdentifier()
            parameters = identifier.remaining
            let bits = try info.readBitString()
            guard bits.unusedBitCount == 0 else { throw .invalidUnusedBitCount }
            publicKey = bits.bytes
            try info.finish()
        } catch {
            throw .malformedDER(error)
        }
    }
}

/// Encodes a positive number as a minimal INTEGER (X.690 §8.3.2): removes leading zeros, and adds one if the sign bit
/// would be set.
private func derInteger(_ octets: [UInt8]) -> [UInt8] {
    let magnitude = octets.drop { $0 == 0 }
    return derElement(0x02, (magnitude.first.map { $0 & 0x80 != 0 } ?? true ? [0] : []) + magnitude)
}

/// Encodes tag, length and contents. Bounds: `contents` has fewer than 2¹⁶ octets (X.690 §8.1.3.5). Keys of 4,096 bits
/// are that short.
func derElement(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let low = UInt8(truncatingIfNeeded: contents.count), high = UInt8(truncatingIfNeeded: contents.count >> 8)
    let length = contents.count < 128 ? [low] : contents.count < 256 ? [0x81, low] : [0x82, high, low]
    return [tag] + length + contents
}
