import ReferenceModel
import Testing

@testable import PureECDSA

struct LimbsTests {
    private let words: [UInt64] = [0, 1, 2, 1 << 32 - 1, 1 << 32, 1 << 63 - 1, 1 << 63, .max - 1, .max]

    /// Reinterpreting a flag gives the same bit as the safe conversion, for `false`, `true` and overflow flags.
    @Test func bothCarryIdiomsAgree() {
        #expect(carryBit(false) == 0)
        #expect(carryBit(true) == 1)
        #expect(carryBitSpecification(false) == 0)
        #expect(carryBitSpecification(true) == 1)
        var generator = SplitMix64(seed: 10)
        for _ in 0..<1_000 {
            let (a, b) = (generator.next(), generator.next())
            for flag in [
                a.addingReportingOverflow(b).overflow, a.subtractingReportingOverflow(b).overflow, a < b, a == b,
                a & 1 == 0,
            ] {
                #expect(carryBit(flag) == carryBitSpecification(flag))
            }
        }
    }

    @Test func addsSubtractsAndMultipliesWords() {
        var generator = SplitMix64(seed: 11)
        let operands = words + (0..<6).map { _ in generator.next() }
        for a in operands {
            for b in operands {
                for carryIn in [0, 1] as [UInt64] {
                    var carry = carryIn
                    let sum = addWithCarry(a, b, &carry)
                    #expect(UInt128(carry) << 64 | UInt128(sum) == UInt128(a) + UInt128(b) + UInt128(carryIn))
                    var borrow = carryIn
                    let difference = subtractWithBorrow(a, b, &borrow)
                    // a − b − carryIn = difference − 2⁶⁴·borrow.
                    #expect(UInt128(a) + UInt128(borrow) << 64 == UInt128(difference) + UInt128(b) + UInt128(carryIn))
                    #expect(borrow <= 1)
                }
                for c in words {
                    var carry = operands[Int(a % UInt64(operands.count))]
                    let expected = UInt128(a) * UInt128(b) + UInt128(c) + UInt128(carry)
                    let low = multiplyAdd(a, b, c, &carry)
                    #expect(UInt128(carry) << 64 | UInt128(low) == expected)
                }
            }
        }
    }

    @Test func readsWritesAndShiftsArrays() {
        typealias Array4 = InlineArray<4, UInt64>
        var generator = SplitMix64(seed: 12)
        for number in BigUInt.edges(modulus: ModelCurve.p256.n, below: .power(ofTwo: 256)) {
            let limbs = Array4(number)
            #expect(BigUInt(limbs) == number)
            #expect(limbs.isZero == number.isZero)
            var bytes: [UInt8] = []
            limbs.appendBigEndian(byteCount: 32, to: &bytes)
            #expect(bytes == number.bigEndianBytes(count: 32))
            #expect(BigUInt(Array4(bigEndian: bytes)) == number)
            #expect(BigUInt(Array4(bigEndian: Array(bytes[20...]))) == number % .power(ofTwo: 96))
            for count in [1, 2, 31, 32, 62, 63] {
                let position = Int(generator.next() % 330)
                let expected = (number >> position) % .power(ofTwo: count)
                #expect(BigUInt(limbs.bits(at: position, count: count)) == expected, "\(position), \(count)")
                var shifted = limbs
                shifted.shiftRight(by: count)
                #expect(BigUInt(shifted) == number >> count)
            }
            let other = BigUInt.random(below: .power(ofTwo: 256), using: &generator)
            var sum = limbs
            let carry = sum.add(Array4(other))
            #expect(BigUInt(sum) + (BigUInt(carry) << 256) == number + other)
            var difference = limbs
            let borrow = difference.subtract(Array4(other))
            #expect(BigUInt(difference) + other == number + (BigUInt(borrow) << 256))
            #expect(limbs.isLess(than: Array4(other)) == (number < other))
            #expect(!limbs.isLess(than: limbs))
        }
    }
}
