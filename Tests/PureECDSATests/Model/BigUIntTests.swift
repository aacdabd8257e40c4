import ReferenceModel
import Testing

/// Checks the model with identities and with `UInt128`. No check compares an algorithm of the model with itself.
struct BigUIntTests {
    @Test func readsAndWritesHexadecimalAndBytes() {
        #expect(BigUInt(hex: "0").hex == "00")
        #expect(BigUInt(hex: "abc") == 0xabc)
        #expect(BigUInt(hex: "00 0123456789abcdef_fedcba9876543210").hex == "0123456789abcdeffedcba9876543210")
        #expect(BigUInt(bigEndian: [0, 0, 1, 2, 3, 4, 5]) == 0x01_0203_0405)
        #expect(BigUInt(0x0102).bigEndianBytes(count: 4) == [0, 0, 1, 2])
        #expect(BigUInt(0).bigEndianBytes == [0])
        #expect(BigUInt(words: [1, 2, 0]) == (BigUInt(2) << 64) + 1)
        #expect(((BigUInt(2) << 64) + 1).words(count: 3) == [1, 2, 0])
        #expect(BigUInt(0).bitWidth == 0)
        #expect(BigUInt.power(ofTwo: 64).bitWidth == 65)
        #expect(BigUInt.power(ofTwo: 64).bit(64))
        #expect(!BigUInt.power(ofTwo: 64).bit(63))
        #expect(!BigUInt.power(ofTwo: 64).bit(1000))
    }

    @Test func agreesWithUInt128() {
        var generator = SplitMix64(seed: 1)
        // Shortens the operands by varying amounts, because a random 64-bit number hardly ever has a zero upper half.
        for round in 0..<2_000 {
            let a = generator.next() >> UInt64(round % 64)
            let b = generator.next() >> UInt64(round / 7 % 64)
            let (x, y) = (BigUInt(a), BigUInt(b))
            #expect(x * y == BigUInt(UInt128(a) * UInt128(b)))
            #expect(x + y == BigUInt(UInt128(a) + UInt128(b)))
            #expect((x < y) == (a < b))
            #expect(max(x, y) - min(x, y) == BigUInt(max(a, b) - min(a, b)))
            #expect(x << (round % 64) == BigUInt(UInt128(a) << UInt128(round % 64)))
            #expect(x >> (round % 70) == BigUInt(UInt128(a) >> UInt128(round % 70)))
            if b != 0 {
                #expect(x / y == BigUInt(a / b))
                #expect(x % y == BigUInt(a % b))
                let wide = UInt128(a) << 64 | UInt128(b)
                let divisor = UInt128(b) << UInt128(round % 40) | 1
                #expect(BigUInt(wide) / BigUInt(divisor) == BigUInt(wide / divisor))
                #expect(BigUInt(wide) % BigUInt(divisor) == BigUInt(wide % divisor))
            }
        }
    }

    @Test func divides() {
        var generator = SplitMix64(seed: 2)
        // Limbs of all ones and single bits reach the rare corrections of Knuth's steps D3 and D6.
        func operand(_ words: Int) -> BigUInt {
            BigUInt(
                words: (0..<words).map { _ in
                    switch generator.next() % 4 {
                    case 0: UInt64.max
                    case 1: 0
                    case 2: 1 << (generator.next() % 64)
                    default: generator.next()
                    }
                })
        }
        for round in 0..<2_000 {
            let dividend = operand(round % 13)
            let divisor = operand(round % 7) + 1
            let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
            #expect(remainder < divisor)
            #expect(quotient * divisor + remainder == dividend)
        }
        // Step D6 runs twice: the first digits of B² and 2⁶³·B + (B − 1) yield the trial digit 2⁶⁴/2⁶³ = 2, but the
        // quotient is 1.
        let dividend = BigUInt.power(ofTwo: 128)
        let divisor = BigUInt(words: [.max, 1 << 63])
        #expect(dividend / divisor == 1)
        #expect(dividend % divisor == dividend - divisor)
    }

    @Test func computesInversesAndPowers() {
        var generator = SplitMix64(seed: 3)
        for modulus in [ModelCurve.p256.p, ModelCurve.p256.n, ModelCurve.p384.p, ModelCurve.p384.n, 7, 251] {
            for _ in 0..<20 {
                let value = BigUInt.random(below: modulus, using: &generator)
                guard !value.isZero else { continue }
                let inverse = value.inverse(modulo: modulus)
                #expect(inverse.map { $0 * value % modulus } == 1)
                #expect(value.negated(modulo: modulus) + value == modulus)
            }
            // By Fermat's theorem, power and inverse must agree, although they are different algorithms.
            let value = BigUInt.random(below: modulus - 1, using: &generator) + 1
            #expect(value.power(modulus - 2, modulo: modulus) == value.inverse(modulo: modulus))
            #expect(BigUInt(0).inverse(modulo: modulus) == nil)
            #expect(BigUInt(0).negated(modulo: modulus) == 0)
        }
        #expect(BigUInt(6).inverse(modulo: 9) == nil)
        #expect(BigUInt(3).power(0, modulo: 7) == 1)
    }
}

extension BigUInt {
    fileprivate init(_ value: UInt128) {
        self.init(words: [UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64)])
    }
}
