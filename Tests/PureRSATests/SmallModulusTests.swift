import PureBytes
import PureDER
import PureSHA2
import RSATestKeys
import ReferenceModel
import Testing

@testable import PureRSA

/// Tests the rules of verification with small moduli, which takes milliseconds. The tests with long keys also detect
/// broken rules, but take seconds.
struct SmallModulusTests {
    private static func power(_ s: UInt64, _ e: UInt64, modulo n: UInt64) -> UInt64 {
        var (result, base, rest) = (1 % n, s % n, e)
        while rest > 0 {
            if rest & 1 == 1 { result = n.dividingFullWidth(result.multipliedFullWidth(by: base)).remainder }
            base = n.dividingFullWidth(base.multipliedFullWidth(by: base)).remainder
            rest >>= 1
        }
        return result
    }

    private static func number(_ value: UInt64) -> MontgomeryModulus.Number {
        var number = MontgomeryModulus.Number()
        number[0] = value
        return number
    }

    @Test func powersModuloSmallNumbers() {
        for n: UInt64 in [3, 5, 7, 9, 15, 33, 255, 257, 65_537, 1 << 32 + 1, 1 << 63 + 1, .max] {
            let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: n >> $0) }
            guard let modulus = MontgomeryModulus(bigEndian: bytes.span) else {
                Issue.record("the modulus \(n) was rejected")
                continue
            }
            #expect(modulus.bitWidth == 64 - n.leadingZeroBitCount && modulus.blocks == [Block(c0: n)])
            for s in Set([0, 1, 2, 3, 7, n / 2, n - 2, n - 1].filter { $0 < n }) {
                #expect(modulus.isReduced(Self.number(s)))
                for e: UInt64 in [3, 5, 7, 9, 11, 13, 21, 0x5555, 65_537, (1 << 33) - 1, 0x1_5555_5555] {
                    let power = modulus.power(Self.number(s), e)
                    #expect(
                        power[0] == Self.power(s, e, modulo: n) && (1..<64).allSatisfy { power[$0] == 0 },
                        "\(s) \(e) \(n)")
                }
            }
            #expect(!modulus.isReduced(Self.number(n)))
            #expect(n == .max || !modulus.isReduced(Self.number(n + 1)))
        }
    }

    /// Includes limbs of all ones or zeros, and a top limb that is not full.
    @Test func powersModuloSeveralLimbs() {
        for n in [
            BigUInt.power(ofTwo: 64) + 1, BigUInt.power(ofTwo: 65) + 3, BigUInt.power(ofTwo: 128) - 1,
            BigUInt.power(ofTwo: 127) + 1, BigUInt.power(ofTwo: 129) + 1, BigUInt.power(ofTwo: 190) - 5,
        ] {
            guard let modulus = MontgomeryModulus(bigEndian: n.bigEndianBytes.span) else {
                Issue.record("the modulus \(n) was rejected")
                continue
            }
            for s in [0, 1, 2, n - 1, n - 2, n >> 1] {
                let words = s.words(count: 64)
                var operand = MontgomeryModulus.Number()
                for i in 0..<64 { operand[i] = words[i] }
                for e: UInt64 in [3, 5, 11, 65_537, 0x1_5555_5555] {
                    let power = modulus.power(operand, e)
                    #expect(
                        BigUInt(words: (0..<64).map { power[$0] }) == s.power(BigUInt(e), modulo: n), "\(s) \(e) \(n)")
                }
            }
        }
    }

    @Test func rejectsInvalidModuli() {
        for bytes: [UInt8] in [[], [0], [1], [0, 0, 1], [2], [4], [0xFF, 0xFE], [UInt8](repeating: 0xFF, count: 513)] {
            let modulus = MontgomeryModulus(bigEndian: bytes.span)
            #expect(modulus == nil)
        }
        let (three, longest) = ([0, 0, 0, 3] as [UInt8], [UInt8](repeating: 0xFF, count: 512))
        let blocks = [
            MontgomeryModulus(bigEndian: three.span)?.blocks, MontgomeryModulus(bigEndian: longest.span)?.blocks,
        ]
        #expect(blocks == [[Block(c0: 3)], [Block](repeating: ~Block(), count: 16)])
    }

    /// Reads and writes keys with exponents at their limits, and rejects bytes after an element.
    @Test func keysAtTheirLimits() throws {
        let n = TestKey.bits2048.n.bigEndianBytes
        func key(_ e: [UInt8]) -> RSAError? {
            do throws(RSAError) {
                _ = try RSA.Signing.PublicKey(n: n, e: e)
                return nil
            } catch { return error }
        }
        for e: [UInt8] in [[3], [5], [1, 0, 1], [1, 0xFF, 0xFF, 0xFF, 0xFF]] { #expect(key(e) == nil) }
        for e: [UInt8] in [
            [], [0], [1], [2], [4], [1, 0], [2, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0, 3],
        ] { #expect(key(e) == .unsupportedExponent, "\(e)") }
        for exponent: UInt64 in [3, 65_537, (1 << 33) - 1] {
            let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: exponent >> $0) }
            let key = try RSA.Signing.PublicKey(n: n, e: bytes)
            #expect(try RSA.Signing.PublicKey(derRepresentation: key.derRepresentation).publicExponent == exponent)
            #expect(try RSA.Signing.PublicKey(pkcs1DERRepresentation: key.pkcs1DERRepresentation) == key)
        }
        let info = try RSA.Signing.PublicKey(n: n, e: [3]).derRepresentation
        #expect(info.prefix(4) == [0x30, 0x82, 0x01, 0x20])
        #expect(throws: RSAError.malformedDER(.trailingBytes)) {
            try RSA.Signing.PublicKey(derRepresentation: info + [5, 0])
        }
        var longer = info + [5, 0]
        longer[3] += 2
        #expect(throws: RSAError.malformedDER(.trailingBytes)) { try RSA.Signing.PublicKey(derRepresentation: longer) }
    }

    /// RFC 8017 §9.2: verification compares every octet, even the first zero, which no feasible signature can change.
    @Test func everyOctetOfAnEncodingIsCompared() throws {
        let key = try RSA.Signing.PublicKey(n: TestKey.bits2048.n.bigEndianBytes, e: [3])
        let digest = SHA256.hash(data: [1, 2, 3])
        let encoded =
            [0x00, 0x01] + [UInt8](repeating: 0xFF, count: 202) + [
                0x00, 0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05,
                0x00, 0x04, 0x20,
            ] + digest
        for i in -1..<256 {
            var octets = encoded
            if i >= 0 { octets[i] ^= 1 }
            guard let m = MontgomeryModulus.number(bigEndian: octets.span) else {
                Issue.record("the number was rejected")
                continue
            }
            let isEncoding = key.isEncoding(m, digest: digest.bytes.span, algorithm: 1)
            #expect(isEncoding == (i < 0), "\(i)")
        }
    }

    /// X.690 §10.1: a length has the shortest possible form. Tests the lengths at which the form changes.
    @Test func lengthsAreShortest() throws {
        for count in [0, 1, 127, 128, 255, 256, 257] {
            let element = derElement(0x04, [UInt8](repeating: 7, count: count))
            var reader = DERReader(element[...])
            #expect(try reader.readOctetString().count == count)
            #expect(reader.isAtEnd)
        }
    }
}
