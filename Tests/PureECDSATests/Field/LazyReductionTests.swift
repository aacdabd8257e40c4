import ReferenceModel
import Testing

@testable import PureECDSA

/// Tests the second corrections of `+` and `-`. A second correction requires that both operands are within c = R − p of
/// the ends of the range. About one random pair in 2⁶⁵ (P-256) or 2⁵¹³ (P-384) meets this condition, so other tests
/// with random operands do not reach the second corrections.
///
/// The first correction adds c = R − p to the low limbs of a sum, or subtracts c from the limbs of a difference. The
/// tests compute the expected number of corrections with unbounded integers. A debug build asserts that the second
/// correction does not overflow.
struct LazyReductionTests {
    @Test func correctsASumTwiceOnP256() { checkSums(P256Field.self) }
    @Test func correctsASumTwiceOnP384() { checkSums(P384Field.self) }
    @Test func correctsADifferenceTwiceOnP256() { checkDifferences(P256Field.self) }
    @Test func correctsADifferenceTwiceOnP384() { checkDifferences(P384Field.self) }
    @Test func correctsADifferenceOfProductsTwiceOnP256() { checkDifferencesOfProducts(P256Field.self) }
    @Test func correctsADifferenceOfProductsTwiceOnP384() { checkDifferencesOfProducts(P384Field.self) }

    /// Counts the corrections of a + b: the first if a + b ≥ R, and the second if the remainder plus c reaches R again.
    private func corrections(ofSum a: BigUInt, _ b: BigUInt, p: BigUInt, radix: BigUInt) -> Int {
        guard a + b >= radix else { return 0 }
        return a + b - radix + (radix - p) >= radix ? 2 : 1
    }

    /// Counts the corrections of a − b: the first if a < b, and the second if a − b + R is below c.
    private func corrections(ofDifference a: BigUInt, _ b: BigUInt, p: BigUInt, radix: BigUInt) -> Int {
        guard a < b else { return 0 }
        return a + radix - b < radix - p ? 2 : 1
    }

    private func checkSums<F: LimbField>(_: F.Type) {
        let (p, radix) = (F.p, F.radix)
        let c = radix - p
        var generator = SplitMix64(seed: 6)
        // 2R − c = R + p is the least sum with two corrections. 2R − 2 is the greatest sum.
        var operands: [(BigUInt, BigUInt)] = [
            (radix - 1, p + 1), (p + 1, radix - 1), (radix - 1, radix - 1), (radix - 2, p + 2),
            (radix - (c >> 1), radix - (c - (c >> 1))), (radix - 1, radix - (c >> 1)),
        ]
        for _ in 0..<200 {
            // a in [p + 1, R) and b in [R + p − a, R).
            let a = p + 1 + BigUInt.random(below: c - 1, using: &generator)
            let least = radix + p - a
            operands.append((a, least + BigUInt.random(below: radix - least, using: &generator)))
        }
        for (a, b) in operands {
            #expect(corrections(ofSum: a, b, p: p, radix: radix) == 2)
            let sum = F(representation: a) + F(representation: b)
            // Only two corrections result in a + b − 2p, so this result proves the second correction.
            #expect(sum.representation == a + b - p - p, "\(a) + \(b)")
        }
        // If the sum is smaller by one, the second correction is not needed.
        let (a, b) = (radix - 1, p)
        #expect(corrections(ofSum: a, b, p: p, radix: radix) == 1)
        #expect((F(representation: a) + F(representation: b)).representation == a + b - p)
    }

    /// x·y − (R − x)(R − y) = −R·(R − x − y). The low half of this number is 0, so reduction results in −(R − x − y),
    /// which is below −p for x + y < c.
    private func checkDifferencesOfProducts<F: LimbField>(_: F.Type) {
        let (p, radix) = (F.p, F.radix)
        let c = radix - p
        var generator = SplitMix64(seed: 8)
        var operands: [(BigUInt, BigUInt)] = [(1, 1), (1, c - 2), (c - 2, 1), (c >> 1, c >> 1)]
        for _ in 0..<200 {
            let x = 1 + BigUInt.random(below: c - 2, using: &generator)
            operands.append((x, 1 + BigUInt.random(below: c - 1 - x, using: &generator)))
        }
        for (x, y) in operands + [(1, c - 1), (c - 1, 1)] {
            let product = F(representation: x).fullProduct(F(representation: y))
            let other = F(representation: radix - x).fullProduct(F(representation: radix - y))
            let difference = F.reducedDifference(product, other)
            // For x + y = c, reduction results in −p, which needs one correction.
            #expect(difference.representation == (x + y < c ? p + x + y - c : 0), "\(x), \(y)")
            // The opposite difference is the greatest possible one, and needs one correction in the other direction.
            #expect(F.reducedDifference(other, product).representation % p == c - x - y + (x + y > c ? p : 0))
        }
    }

    private func checkDifferences<F: LimbField>(_: F.Type) {
        let (p, radix) = (F.p, F.radix)
        let c = radix - p
        var generator = SplitMix64(seed: 7)
        // Two corrections require b − a > p, so a < c − 1 and b > p. The extreme cases are 0 − (R − 1), and operands
        // that differ by p + 1.
        var operands: [(BigUInt, BigUInt)] = [
            (0, radix - 1), (0, p + 1), (1, p + 2), (c - 2, radix - 1), (1, radix - 1), (c >> 1, radix - 1),
        ]
        for _ in 0..<200 {
            let a = BigUInt.random(below: c - 1, using: &generator)
            let least = a + p + 1
            operands.append((a, least + BigUInt.random(below: radix - least, using: &generator)))
        }
        for (a, b) in operands {
            #expect(corrections(ofDifference: a, b, p: p, radix: radix) == 2)
            let difference = F(representation: a) - F(representation: b)
            #expect(difference.representation == a + p + p - b, "\(a) − \(b)")
        }
        let (a, b) = (BigUInt(0), p)
        #expect(corrections(ofDifference: a, b, p: p, radix: radix) == 1)
        #expect((F(representation: a) - F(representation: b)).representation == 0)
    }

    /// A product needs one correction if (a·b + m·p)/R ≥ R, where m < R is chosen so that R divides the sum. If one
    /// operand is near R and the other is random, about half of the products need the correction. If both operands are
    /// near R, almost all products need the correction.
    @Test func correctsAProductOnceOnP256() { checkProducts(P256Field.self) }
    @Test func correctsAProductOnceOnP384() { checkProducts(P384Field.self) }

    private func checkProducts<F: LimbField>(_: F.Type) {
        let (p, radix) = (F.p, F.radix)
        guard let inverse = p.inverse(modulo: radix) else { preconditionFailure("p is odd") }
        var generator = SplitMix64(seed: 8)
        var reached = (corrected: 0, uncorrected: 0)
        for _ in 0..<400 {
            // Chooses a near R, so that a·a/R is near R too.
            let a = radix - 1 - BigUInt.random(below: .power(ofTwo: 1 + Int(generator.next() % 256)), using: &generator)
            let b = BigUInt.random(below: radix, using: &generator)
            for (x, y) in [(a, b), (a, a), (b, b)] {
                let m = (x * y * inverse).negated(modulo: radix)
                let sum = (x * y + m * p) / radix
                let expected: BigUInt
                if sum >= radix {
                    reached.corrected += 1
                    expected = sum - p
                } else {
                    reached.uncorrected += 1
                    expected = sum
                }
                let product = x == y ? F(representation: x).squared() : F(representation: x) * F(representation: y)
                #expect(product.representation == expected, "\(x) · \(y)")
            }
        }
        #expect(reached.corrected > 400 && reached.uncorrected > 200, "\(reached)")
    }

    /// In the product on P-384, a row t + a·bᵢ with t < 2³⁸⁴ + p may exceed seven limbs by one bit. This requires that
    /// the high limbs of both operands are all ones, and that t is above 2³⁸⁴. The test computes the rows by CIOS on
    /// unbounded integers.
    @Test func carriesOutOfARowOfP384() {
        let p = P384Field.p
        var generator = SplitMix64(seed: 15)
        var reached = 0
        for _ in 0..<300 {
            let low = BigUInt.random(below: .power(ofTwo: 64 * 4), using: &generator)
            let a = P384Field.radix - 1 - low
            // About two thirds of the limbs are all ones, and the other limbs are random.
            let b = BigUInt(words: (0..<6).map { _ in generator.next() % 3 == 0 ? generator.next() : .max })
            var t = BigUInt(0)
            for row in 0..<6 {
                let sum = t + a * BigUInt(b.words(count: 6)[row])
                if sum >= .power(ofTwo: 64 * 7) { reached += 1 }
                let m = BigUInt(sum.words(count: 8)[0] &* (1 << 32 + 1))
                t = (sum + m * p) >> 64
                #expect(t < P384Field.radix + p)
            }
            let expected = t >= P384Field.radix ? t - p : t
            let product = P384Field(representation: a) * P384Field(representation: b)
            #expect(product.representation == expected, "\(a) · \(b)")
        }
        #expect(reached > 100, "\(reached)")
    }

    /// The field element zero has two representations, 0 and p. Every predicate must recognize both representations.
    @Test func recognisesBothZeros() {
        check(P256Field.self)
        check(P384Field.self)
        func check<F: LimbField>(_: F.Type) {
            let zeros = [F.zero, F(representation: F.p)]
            var generator = SplitMix64(seed: 9)
            let other = F(representation: .random(below: F.radix, using: &generator))
            for zero in zeros {
                #expect(zero.isZero)
                #expect(BigUInt(zero.plain) == 0)
                #expect((other * zero).isZero)
                #expect(zero.squared().isZero)
                #expect(zero.halved().isZero)
                #expect(zero.negated().isZero)
                #expect(zero.invertedVarTime().isZero)
                #expect(zero.squareRootVarTime()?.isZero == true)
                #expect(other + zero == other)
                #expect(other - zero == other)
                for same in zeros {
                    #expect(zero == same)
                    #expect((zero + same).isZero)
                    #expect((zero - same).isZero)
                }
                // Flipping any one bit of a zero yields a nonzero element.
                for bit in 0..<F.p.bitWidth {
                    var limbs = zero.limbs
                    limbs[bit / 64] ^= 1 << UInt64(bit % 64)
                    #expect(!F(limbs: limbs).isZero, "bit \(bit)")
                }
            }
        }
    }
}
