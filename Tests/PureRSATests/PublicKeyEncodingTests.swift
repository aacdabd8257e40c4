import PureBytes
import PureDER
import PureRSA
import RSATestKeys
import PureSHA2
import ReferenceModel
import Testing

private func der(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
    let contents = contents.flatMap { $0 }
    let low = UInt8(contents.count & 0xFF), high = UInt8(contents.count >> 8)
    return [tag] + (contents.count < 128 ? [low] : high == 0 ? [0x81, low] : [0x82, high, low]) + contents
}

private func integer(_ number: BigUInt) -> [UInt8] {
    let octets = number.bigEndianBytes
    return der(0x02, (octets[0] < 0x80 ? [] : [0]) + octets)
}

private func pkcs1(_ n: BigUInt, _ e: BigUInt) -> [UInt8] { der(0x30, integer(n), integer(e)) }

private let rsaEncryption: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]

struct PublicKeyEncodingTests {
    private let n = TestKey.bits2048.n

    @Test(arguments: TestKey.all)
    func readsWhatItWrites(_ key: TestKey) throws {
        let publicKey = try key.publicKey()
        let rsaPublicKey = pkcs1(key.n, BigUInt(key.e))
        let info = der(0x30, der(0x30, rsaEncryption, [0x05, 0x00]), der(0x03, [0], rsaPublicKey))
        #expect(publicKey.pkcs1DERRepresentation == rsaPublicKey)
        #expect(publicKey.derRepresentation == info)
        #expect(publicKey.modulus == key.n.bigEndianBytes)
        #expect(publicKey.publicExponent == key.e)
        #expect(try RSA.Signing.PublicKey(derRepresentation: info) == publicKey)
        #expect(try RSA.Signing.PublicKey(pkcs1DERRepresentation: rsaPublicKey) == publicKey)
        #expect(try RSA.Signing.PublicKey(derRepresentation: info).hashValue == publicKey.hashValue)
        #expect(try RSA.Signing.PublicKey(pemRepresentation: publicKey.pemRepresentation) == publicKey)
        // The PEM text ends without a newline, as in swift-crypto's `_RSA`.
        #expect(publicKey.pemRepresentation.hasSuffix("\n-----END PUBLIC KEY-----"))
        #expect(try RSA.Signing.PublicKey(derRepresentation: ([0x30] + info + [0])[1..<1 + info.count]) == publicKey)
        #expect(
            try RSA.Signing.PublicKey(pkcs1DERRepresentation: ([0x30] + rsaPublicKey)[1...]) == publicKey)
        #expect(
            try RSA.Signing.PublicKey(
                n: [UInt8](repeating: 0, count: 1_000) + key.n.bigEndianBytes,
                e: [UInt8](repeating: 0, count: 1_000) + BigUInt(key.e).bigEndianBytes) == publicKey)
    }

    @Test func differentNumbersAreDifferentKeys() throws {
        let key = try RSA.Signing.PublicKey(n: n.bigEndianBytes, e: [3])
        #expect(try RSA.Signing.PublicKey(n: n.bigEndianBytes, e: [5]) != key)
        #expect(try RSA.Signing.PublicKey(n: (n - 2).bigEndianBytes, e: [3]) != key)
    }

    @Test func rejectsEveryTruncation() throws {
        let info = try TestKey.bits2048.publicKey().derRepresentation
        for count in info.indices {
            #expect(throws: RSAError.self) { try RSA.Signing.PublicKey(derRepresentation: info.prefix(count)) }
        }
        let rsaPublicKey = try TestKey.bits2048.publicKey().pkcs1DERRepresentation
        for count in rsaPublicKey.indices {
            #expect(throws: RSAError.self) {
                try RSA.Signing.PublicKey(pkcs1DERRepresentation: rsaPublicKey.prefix(count))
            }
        }
    }

    /// A modulus must be odd and have 2,048 to 4,096 bits.
    @Test func rejectsModuliOfOtherSizes() throws {
        func size(_ n: BigUInt) throws -> Int {
            try RSA.Signing.PublicKey(n: n.bigEndianBytes, e: [1, 0, 1]).keySizeInBits
        }
        #expect(RSA.Signing.PublicKey.minimumModulusSize == 2048)
        #expect(RSA.Signing.PublicKey.maximumModulusSize == 4096)
        #expect(try size(.power(ofTwo: 2047) + 1) == 2048)
        #expect(try size(.power(ofTwo: 4096) - 1) == 4096)
        for modulus in [0, 1, .power(ofTwo: 2047) - 1, .power(ofTwo: 4096) + 1, .power(ofTwo: 100_000) + 1] {
            #expect(throws: RSAError.unsupportedModulusSize) { try size(modulus) }
        }
        #expect(throws: RSAError.unsupportedModulusSize) { try RSA.Signing.PublicKey(n: [], e: [3]) }
        for modulus in [BigUInt.power(ofTwo: 2047), .power(ofTwo: 2048) - 2, .power(ofTwo: 4096) - 2] {
            #expect(throws: RSAError.evenModulus) { try size(modulus) }
        }
    }

    /// RFC 8017 §3.1.
    @Test func rejectsInvalidExponents() throws {
        func exponent(_ e: BigUInt) throws -> UInt64 {
            try RSA.Signing.PublicKey(n: n.bigEndianBytes, e: e.bigEndianBytes).publicExponent
        }
        #expect(RSA.Signing.PublicKey.exponentLimit == 1 << 33)
        for e: UInt64 in [3, 17, 65537, 1 << 33 - 1] { #expect(try exponent(BigUInt(e)) == e) }
        let others: [BigUInt] = [0, 1, 2, 4, 65536, .power(ofTwo: 33) - 2, .power(ofTwo: 33), .power(ofTwo: 33) + 1]
        for e in others + [
            .power(ofTwo: 63) + 1, .power(ofTwo: 64) - 1, .power(ofTwo: 64) + 3, .power(ofTwo: 4000) + 1, n,
        ] {
            #expect(throws: RSAError.unsupportedExponent) { try exponent(e) }
        }
        #expect(throws: RSAError.unsupportedExponent) { try RSA.Signing.PublicKey(n: n.bigEndianBytes, e: []) }
    }

    /// RFC 3279 §2.3.1: only rsaEncryption with NULL parameters is accepted.
    @Test func rejectsOtherAlgorithms() throws {
        let bits = der(0x03, [0], pkcs1(n, 65537))
        func read(_ algorithm: [UInt8]) throws {
            _ = try RSA.Signing.PublicKey(derRepresentation: der(0x30, algorithm, bits))
        }
        for parameters in [[], [0x30, 0x00], [0x05, 0x01, 0x00], rsaEncryption] {
            #expect(throws: RSAError.parametersNotNull) { try read(der(0x30, rsaEncryption, parameters)) }
        }
        #expect(throws: RSAError.malformedDER(.trailingBytes)) {
            try read(der(0x30, rsaEncryption, [0x05, 0x00, 0x05, 0x00]))
        }
        // Identifiers near rsaEncryption, including id-RSASSA-PSS and sha256WithRSAEncryption.
        for last: UInt8 in [0x0a, 0x0b, 0x00] {
            #expect(throws: RSAError.unsupportedKeyAlgorithm) {
                try read(der(0x30, rsaEncryption.dropLast() + [last], [0x05, 0x00]))
            }
        }
        #expect(throws: RSAError.malformedDER(.unexpectedEnd)) { try read(der(0x30)) }
    }

    @Test func rejectsEverythingButDER() throws {
        let (modulus, exponent) = (integer(n), integer(65537))
        func read(_ bytes: [UInt8]) throws { _ = try RSA.Signing.PublicKey(pkcs1DERRepresentation: bytes) }
        #expect(throws: Never.self) { try read(der(0x30, modulus, exponent)) }
        let others: [([UInt8], DERError)] = [
            (der(0x30, modulus, exponent) + [0], .trailingBytes),
            (der(0x30, modulus, exponent, [0x05, 0]), .trailingBytes),
            (der(0x30, modulus), .unexpectedEnd),
            (der(0x30, der(0x02, [0, 0] + n.bigEndianBytes), exponent), .nonMinimalInteger),
            (der(0x30, der(0x02, n.bigEndianBytes), exponent), .negativeInteger),
            (der(0x30, modulus, [0x02, 0x00]), .emptyInteger),
            (der(0x30, modulus, [0x02, 0x01, 0xfd]), .negativeInteger),
            (der(0x31, modulus, exponent), .unexpectedTag(expected: .sequence, found: .set)),
            ([0x30, 0x80] + modulus + exponent + [0, 0], .indefiniteLength),
            ([0x30, 0x83, 0x00, 0x01, 0x0a] + modulus + exponent, .nonMinimalLength),
        ]
        for (bytes, error) in others { #expect(throws: RSAError.malformedDER(error)) { try read(bytes) } }
        let unused = der(
            0x30, der(0x30, rsaEncryption, [5, 0]), der(0x03, [1], der(0x30, modulus, exponent).dropLast() + [0]))
        #expect(throws: RSAError.malformedDER(.invalidUnusedBitCount)) {
            try RSA.Signing.PublicKey(derRepresentation: unused)
        }
    }

    @Test func rejectsOtherPEM() throws {
        let key = try TestKey.bits2048.publicKey()
        let other = key.pemRepresentation.replacing("PUBLIC KEY", with: "RSA PUBLIC KEY")
        #expect(throws: RSAError.malformedPEM(.unexpectedLabel)) { try RSA.Signing.PublicKey(pemRepresentation: other) }
        #expect(throws: RSAError.malformedPEM(.noBlock)) { try RSA.Signing.PublicKey(pemRepresentation: "") }
    }

    @Test func errorsHaveSentences() {
        let errors: [RSAError] = [
            .invalidSignatureLength, .unsupportedModulusSize, .evenModulus, .unsupportedExponent,
            .unsupportedKeyAlgorithm,
            .parametersNotNull, .malformedDER(.unexpectedEnd), .malformedPEM(.noBlock),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        for error in errors { #expect(error.description.contains(" ")) }
    }
}
