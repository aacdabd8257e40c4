import PureBytes
import PureDER

// SubjectPublicKeyInfo ::= SEQUENCE { SEQUENCE { rsaEncryption, NULL }, BIT STRING } (RFC 3279 §2.3.1). The bits
// contain RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER } (RFC 8017 §A.1.1).

extension RSA.Signing.PublicKey {
    @usableFromInline
    init(subjectPublicKeyInfo der: ArraySlice<UInt8>) throws(RSAError) {
        let info: SubjectPublicKeyInfo
        do throws(DERError) {
            info = try SubjectPublicKeyInfo(derEncoded: der)
            guard info.publicKey.unusedBitCount == 0 else { throw .invalidUnusedBitCount }
        } catch {
            throw .malformedDER(error)
        }
        guard info.algorithm.algorithm == .rsaEncryption else { throw .unsupportedKeyAlgorithm }
        // RFC 3279 §2.3.1: "the parameters field MUST have ASN.1 type NULL".
        guard info.algorithm.hasNullParameters else { throw .parametersNotNull }
        try self.init(rsaPublicKey: info.publicKey.bytes)
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
        derElement(0x30, derInteger(modulus) + derInteger(bigEndian(publicExponent)))
    }

    /// A DER SubjectPublicKeyInfo with the algorithm rsaEncryption.
    public var derRepresentation: [UInt8] {
        let algorithm = derElement(0x06, ASN1ObjectIdentifier.rsaEncryption.contents) + [0x05, 0x00]
        return derElement(0x30, derElement(0x30, algorithm) + derElement(0x03, [0] + pkcs1DERRepresentation))
    }
}
