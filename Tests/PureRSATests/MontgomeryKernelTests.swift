import ReferenceModel
import Testing

@testable import PureRSA

/// Tests the kernel at its bounds: operands up to R − 1, also above n, which products of reduced numbers never reach.
struct MontgomeryKernelTests {
    /// Returns numbers of `count` limbs with long carries: zeros, ones, single bits, alternating limbs of zeros and
    /// ones, and random ones.
    private static func operands(_ count: Int, _ random: inout SplitMix64) -> [[UInt64]] {
        let zeros = [UInt64](repeating: 0, count: count), ones = [UInt64](repeating: .max, count: count)
        var one = zeros, top = zeros
        one[0] = 1
        top[count - 1] = 1 << 63
        // This number's square carries from its fourth limb to its sixth in the last block: l₁₃ and l₂₃ are β − 1, and
        // so is the limb that the previous block left there.
        var carrying = ones
        carrying.replaceSubrange((count - 4)..., with: [0, 1, 1, .max])
        return [
            zeros, one, top, ones, carrying, (0..<count).map { $0 % 2 == 0 ? .max : 0 },
            (0..<count).map { $0 % 2 == 0 ? 0 : .max },
            (0..<count).map { $0 < count / 2 ? 0 : .max }, (0..<count).map { _ in random.next() },
        ]
    }

    @Test(arguments: Array(stride(from: 4, through: 64, by: 4)))
    func multipliesAndSquares(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let operands = Self.operands(count, &random)
        for a in operands {
            // The buffer's old contents must not matter.
            var t = [UInt64](repeating: .max, count: 2 * count)
            for b in operands {
                var product = t.mutableSpan
                multiply(a.span, b.span, into: &product)
                #expect(BigUInt(words: t) == BigUInt(words: a) * BigUInt(words: b))
            }
            var product = t.mutableSpan
            square(a.span, into: &product)
            #expect(BigUInt(words: t) == BigUInt(words: a) * BigUInt(words: a))
        }
    }

    @Test(arguments: Array(stride(from: 4, through: 64, by: 4)))
    func reducesBelowR(count: Int) throws {
        var random = SplitMix64(seed: UInt64(100 + count))
        let r = BigUInt.power(ofTwo: 64 * count)
        var subtractions = 0
        for var n in Self.operands(count, &random) where n[0] > 1 {
            n[0] |= 1
            let modulus = try #require(MontgomeryModulus(BigUInt(words: n)))
            guard modulus.limbs.count == count else { continue }
            let value = BigUInt(words: n)
            let inverse = try #require(value.inverse(modulo: r))
            for a in Self.operands(count, &random) {
                for b in Self.operands(count, &random) {
                    var t = [UInt64](repeating: 0, count: 2 * count), result = [UInt64](repeating: 0, count: count)
                    var product = t.mutableSpan
                    var remainder = result.mutableSpan
                    multiply(a.span, b.span, into: &product)
                    modulus.reduce(&product, into: &remainder)
                    // Montgomery's sum, minus n if it has a bit above R.
                    let sum = BigUInt(words: a) * BigUInt(words: b)
                    let m = (sum % r).negated(modulo: r).multiplied(by: inverse, modulo: r)
                    let quotient = (sum + m * value).quotientAndRemainder(dividingBy: r).quotient
                    if quotient >= r { subtractions += 1 }
                    #expect(BigUInt(words: result) == (quotient >= r ? quotient - value : quotient))
                }
            }
        }
        #expect(subtractions > 0)
    }
}
