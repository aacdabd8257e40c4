import ReferenceModel
import Testing

@testable import PureRSA

private func blocks(_ limbs: [UInt64]) -> [Block] {
    stride(from: 0, to: limbs.count, by: 4).map {
        Block(c0: limbs[$0], c1: limbs[$0 + 1], c2: limbs[$0 + 2], c3: limbs[$0 + 3])
    }
}

private func number(_ blocks: [Block]) -> BigUInt { BigUInt(words: blocks.flatMap { [$0.c0, $0.c1, $0.c2, $0.c3] }) }

/// Tests the kernel with operands up to R − 1. Other tests multiply only reduced numbers.
struct MontgomeryKernelTests {
    /// Returns numbers of `count` limbs: random numbers, and numbers that cause long carries.
    private static func operands(_ count: Int, _ random: inout SplitMix64) -> [[UInt64]] {
        let zeros = [UInt64](repeating: 0, count: count), ones = [UInt64](repeating: .max, count: count)
        var one = zeros, top = zeros
        one[0] = 1
        top[count - 1] = 1 << 63
        // When the kernel squares this number, the last block carries from the fourth limb to the sixth, because l₁₃,
        // l₂₃ and the limb left by the previous block are β − 1.
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
            // The product must overwrite all previous contents of the buffer.
            var t = [Block](repeating: ~Block(), count: count / 2)
            for b in operands {
                var product = t.mutableSpan
                multiply(blocks(a).span, blocks(b).span, into: &product)
                #expect(number(t) == BigUInt(words: a) * BigUInt(words: b))
            }
            var product = t.mutableSpan
            square(blocks(a).span, into: &product)
            #expect(number(t) == BigUInt(words: a) * BigUInt(words: a))
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
            guard 4 * modulus.blocks.count == count else { continue }
            let value = BigUInt(words: n)
            let inverse = try #require(value.inverse(modulo: r))
            for a in Self.operands(count, &random) {
                for b in Self.operands(count, &random) {
                    var t = [Block](repeating: Block(), count: count / 2)
                    var result = [Block](repeating: Block(), count: count / 4)
                    var product = t.mutableSpan
                    var remainder = result.mutableSpan
                    multiply(blocks(a).span, blocks(b).span, into: &product)
                    modulus.reduce(&product, into: &remainder)
                    // The expected result is the Montgomery sum, from which n is subtracted if the sum is R or more.
                    let sum = BigUInt(words: a) * BigUInt(words: b)
                    let m = (sum % r).negated(modulo: r).multiplied(by: inverse, modulo: r)
                    let quotient = (sum + m * value).quotientAndRemainder(dividingBy: r).quotient
                    if quotient >= r { subtractions += 1 }
                    #expect(number(result) == (quotient >= r ? quotient - value : quotient))
                }
            }
        }
        #expect(subtractions > 0)
    }
}
