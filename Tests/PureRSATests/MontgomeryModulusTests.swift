import DebugSampling
import ReferenceModel
import Testing

@testable import PureRSA
import RSATestKeys

extension MontgomeryModulus {
    init?(_ number: BigUInt) { self.init(bigEndian: number.bigEndianBytes.span) }
}

private func number(_ value: BigUInt) -> MontgomeryModulus.Number {
    var number = MontgomeryModulus.Number()
    for (i, word) in value.words(count: 64).enumerated() { number[i] = word }
    return number
}

private func value(_ number: MontgomeryModulus.Number) -> BigUInt { BigUInt(words: (0..<64).map { number[$0] }) }

struct MontgomeryModulusTests {
    /// Returns random moduli of 1 to 64 limbs, the least and greatest modulus of each length, and moduli with limbs of
    /// all zeros or all ones.
    private static func moduli() -> [BigUInt] {
        var random = SplitMix64(seed: 23)
        var moduli: [BigUInt] = [3, 5, 7, 9]
        for count in [1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 63, 64] {
            let top = BigUInt.power(ofTwo: 64 * count), half = BigUInt.power(ofTwo: 64 * count - 1)
            moduli += [top - 1, half + 1, top - BigUInt.power(ofTwo: 64 * count - 64) + 1]
            if count > 1 { moduli += [BigUInt.power(ofTwo: 64 * count - 64) + 1, half + BigUInt(.max)] }
            for _ in 0..<3 {
                var words = (0..<count).map { _ in random.next() }
                words[0] |= 1
                moduli.append(BigUInt(words: words))
            }
        }
        return debugSample(moduli.filter { $0 > 1 && $0.isOdd }, every: 7, of: "moduli")
    }

    private static func operands(_ n: BigUInt, _ random: inout SplitMix64) -> [BigUInt] {
        let count = (n.bitWidth + 63) / 64
        let random = BigUInt(words: (0..<count).map { _ in random.next() })
        return [0, 1, 2 % n, n - 1, n - 2, n >> 1, BigUInt.power(ofTwo: n.bitWidth - 1), random % n]
    }

    @Test func multipliesAsTheModelDoes() throws {
        var random = SplitMix64(seed: 24)
        for n in Self.moduli() {
            let modulus = try #require(MontgomeryModulus(n))
            #expect(modulus.bitWidth == n.bitWidth)
            let inverse = try #require(BigUInt.power(ofTwo: 256 * modulus.blocks.count).inverse(modulo: n))
            let operands = Self.operands(n, &random)
            for a in operands {
                for b in operands {
                    let product = value(modulus.product(number(a), number(b)))
                    #expect(
                        product == a.multiplied(by: b, modulo: n).multiplied(by: inverse, modulo: n), "\(a) \(b) \(n)")
                }
            }
        }
    }

    /// With T = a·b + m·n, the final subtraction has three cases: T / R < n, n ≤ T / R < R, and T / R ≥ R. For most
    /// moduli, random operands reach only one or two of these cases. The operands of this test reach all three cases.
    /// The operands also reach T / R = n, for which the remainder is 0 although no operand is 0.
    @Test func subtractsAtMostOnce() throws {
        let one: BigUInt = 1
        var seen: [String: Int] = [:]
        func check(_ a: BigUInt, _ b: BigUInt, _ n: BigUInt) throws {
            let modulus = try #require(MontgomeryModulus(n))
            let r = BigUInt.power(ofTwo: 256 * modulus.blocks.count)
            let m = try (a * b).multiplied(by: n.negated(modulo: r).inverseOfOdd(modulo: r), modulo: r)
            let (sum, rest) = (a * b + m * n).quotientAndRemainder(dividingBy: r)
            #expect(rest.isZero)
            #expect(sum < n + n)
            seen[sum < n ? "nothing" : sum == n ? "n exactly" : sum < r ? "n below R" : "n from R up", default: 0] += 1
            #expect(value(modulus.product(number(a), number(b))) == (sum < n ? sum : sum - n))
        }
        // If n = p·q, the operands a = p and b = q give T / R = n.
        let (p, q) = (TestKey.bits2048.p, TestKey.bits2048.q)
        try check(p, q, p * q)
        try check(one, one, p * q)
        let high = TestKey.highest2048.n, low = TestKey.lowest2048.n
        for n in [high, low, BigUInt.power(ofTwo: 4096) - 1, BigUInt.power(ofTwo: 2048) - 1] {
            for a in [n - 1, n - 2, n >> 1, (n >> 1) + 1, n - BigUInt.power(ofTwo: 64)] {
                for b in [n - 1, n - 3, n >> 1, 1, 2] { try check(a, b, n) }
            }
        }
        for kind in ["nothing", "n exactly", "n below R", "n from R up"] {
            #expect(seen[kind, default: 0] > 0, "\(kind): \(seen)")
        }
    }

    @Test func raisesToPowersAsTheModelDoes() throws {
        var random = SplitMix64(seed: 25)
        for n in Self.moduli() {
            let modulus = try #require(MontgomeryModulus(n))
            for e: UInt64 in [3, 5, 65537, 1 << 33 - 1] {
                for s in Self.operands(n, &random).suffix(2) {
                    #expect(value(modulus.power(number(s), e)) == s.power(BigUInt(e), modulo: n), "\(s)^\(e) mod \(n)")
                }
            }
        }
    }

    @Test func readsOddNumbersThatFit() {
        #expect(MontgomeryModulus(0) == nil)
        #expect(MontgomeryModulus(1) == nil)
        #expect(MontgomeryModulus(2) == nil)
        #expect(MontgomeryModulus(.power(ofTwo: 4095)) == nil)
        #expect(MontgomeryModulus(.power(ofTwo: 4096) + 1) == nil)
        #expect(MontgomeryModulus(.power(ofTwo: 4096) - 1)?.bitWidth == 4096)
        #expect(MontgomeryModulus.number(bigEndian: [UInt8](repeating: 0, count: 513).span) == nil)
    }

    @Test func comparesWithTheModulus() throws {
        for n in Self.moduli() {
            let modulus = try #require(MontgomeryModulus(n))
            #expect(modulus.isReduced(number(n - 1)))
            #expect(!modulus.isReduced(number(n)))
            if n.bitWidth < 4096 { #expect(!modulus.isReduced(number(n + 2))) }
            #expect(!modulus.isReduced(number(.power(ofTwo: 4096) - 1)))
        }
    }
}

extension BigUInt {
    fileprivate func inverseOfOdd(modulo m: BigUInt) throws -> BigUInt { try #require(inverse(modulo: m)) }
}
