import Testing

@testable import PureDER

/// RFC 5280 §4.1.2.7 and §4.1.1.2.
@Suite struct SubjectPublicKeyInfoTests {
    private static let null: [UInt8] = [0x05, 0]
    private static let key = derElement(0x03, [0, 4, 1, 2])

    private func identifier(_ identifier: ASN1ObjectIdentifier) -> [UInt8] { derElement(0x06, identifier.contents) }

    private func read(
        _ algorithm: [UInt8], key: [UInt8] = Self.key, inside: [UInt8] = [], behind: [UInt8] = []
    ) throws(DERError) -> SubjectPublicKeyInfo {
        let info = derElement(0x30, derElement(0x30, algorithm) + key + inside) + behind
        return try SubjectPublicKeyInfo(derEncoded: info[...])
    }

    @Test func readsEachPart() throws {
        let info = try read(identifier(.ecPublicKey) + identifier(.secp256r1))
        #expect(info.algorithm.algorithm == .ecPublicKey)
        #expect(try info.namedCurve() == .secp256r1)
        #expect(!info.algorithm.hasNullParameters)
        #expect(info.publicKey.bytes.elementsEqual([4, 1, 2]) && info.publicKey.unusedBitCount == 0)
    }

    /// RFC 3279 §2.3.1: NULL differs from absent parameters and from parameters of any other type.
    @Test func tellsNullFromOtherParameters() throws {
        #expect(try read(identifier(.rsaEncryption) + Self.null).algorithm.hasNullParameters)
        for parameters in [[], [0x05, 1, 0], [0x30, 0], [0x04, 0], identifier(.secp256r1)] {
            #expect(try !read(identifier(.rsaEncryption) + parameters).algorithm.hasNullParameters)
        }
        #expect(try read(identifier(.rsaEncryption)).algorithm.parameters == nil)
    }

    /// RFC 5480 §2.1.1: only namedCurve is allowed.
    @Test func otherParametersNameNoCurve() throws {
        for parameters in [[], Self.null, derElement(0x30, identifier(.secp256r1))] {
            #expect(try read(identifier(.ecPublicKey) + parameters).namedCurve() == nil)
        }
        #expect(throws: DERError.emptyObjectIdentifier) {
            try read(identifier(.ecPublicKey) + [0x06, 0]).namedCurve()
        }
    }

    @Test func rejectsTrailingBytes() {
        let curve = identifier(.secp256r1)
        #expect(throws: DERError.trailingBytes) { try read(identifier(.ecPublicKey) + curve + curve) }
        #expect(throws: DERError.trailingBytes) { try read(identifier(.ecPublicKey) + curve, inside: Self.null) }
        #expect(throws: DERError.trailingBytes) { try read(identifier(.ecPublicKey) + curve, behind: Self.null) }
        #expect(throws: DERError.unexpectedEnd) { try read(identifier(.ecPublicKey) + curve, key: []) }
    }
}
