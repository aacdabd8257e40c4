import DebugSampling
import ReferenceModel
import Testing

@testable import PureECDSALanes

/// Compares the field operations of eight lanes with the model, for operands at their bounds and in every lane.
@Suite(.enabled(if: processorRunsLanes, "The processor has no AVX-512 IFMA."))
struct FieldLanesTests {
    private let p = ModelCurve.p256.p
    private let R = BigUInt.power(ofTwo: 260)

    private func sample(below bound: BigUInt, seed: UInt64) -> [[BigUInt]] {
        debugSample(laneEdges(below: bound, seed: seed).inEveryLane, every: 9, of: "groups of lanes")
    }

    @Test func constants() {
        #expect(FieldLanes.one.numbers == Array(repeating: R % p, count: 8))
        #expect(FieldLanes.zero.numbers == Array(repeating: 0, count: 8))
        #expect(FieldLanes.rSquared.numbers == Array(repeating: R * R % p, count: 8))
        #expect(FieldLanes.toScalarDomain.numbers == Array(repeating: U % p, count: 8))
        #expect(FieldLanes.one.values == Array(repeating: 1, count: 8))
        let words = [Modulus.l0, Modulus.l1, 0, Modulus.l3, Modulus.l4].map { BigUInt(UInt64($0)) }
        #expect(words.enumerated().reduce(0) { $0 + $1.element << (52 * $1.offset) } == p)
    }

    /// For operands of up to 16 U, products are a·b·R⁻¹ mod p and below (A·B/16 + 1) U.
    @Test func productsAndSquares() throws {
        let inverse = try #require(R.inverse(modulo: p))
        for (boundA, boundB) in [(R, U), (U, R), (4 * U, 4 * U), (15 * U, U)] {
            let groupsA = sample(below: boundA, seed: 2), groupsB = sample(below: boundB, seed: 3)
            for (i, a) in groupsA.enumerated() {
                let b = groupsB[(7 * i + 3) % groupsB.count]
                let product = (FieldLanes(a) * FieldLanes(b)).numbers
                for lane in 0..<8 {
                    #expect(product[lane] % p == a[lane] * b[lane] % p * inverse % p)
                    #expect(product[lane] <= a[lane] * b[lane] / R + U)
                }
            }
        }
        for a in sample(below: 15 * U, seed: 4) {
            let square = FieldLanes(a).squared.numbers
            for lane in 0..<8 {
                #expect(square[lane] % p == a[lane] * a[lane] % p * inverse % p)
                #expect(square[lane] <= a[lane] * a[lane] / R + U)
            }
        }
    }

    /// Computes (a·b − 8c²)·R⁻¹ mod p, also if a·b − 8c² is negative. The formulas subtract at most 8·1.15 U².
    @Test func differencesOfProducts() throws {
        let inverse = try #require(R.inverse(modulo: p))
        let groupsC = sample(below: U + U / 20, seed: 6)
        for (i, a) in sample(below: 4 * U, seed: 5).enumerated() {
            let c = groupsC[(5 * i + 1) % groupsC.count], b = a.map { 4 * U - 1 - $0 }
            let x = FieldLanes(a), y = FieldLanes(b), z = FieldLanes(c)
            let difference = WideLanes(x, y).subtracting(WideLanes(squareOf: z), doubled: 3).reduced
                .addingModulus(times: 2).carried.numbers
            for lane in 0..<8 {
                let subtracted = 8 * c[lane] * c[lane] % p
                let expected = (a[lane] * b[lane]).subtracting(subtracted, modulo: p) * inverse % p
                #expect(difference[lane] % p == expected)
            }
        }
    }

    @Test func looseNumbers() {
        for a in sample(below: 2 * U, seed: 7) {
            let b = a.reversed().map { $0 >> 1 }
            let x = FieldLanes(a), y = FieldLanes(Array(b))
            let sum = (x.loose + y.loose).carried.numbers
            let difference = (x.loose - y.loose).addingModulus(times: 5).carried.numbers
            let multiple = x.loose.doubled(times: 3).carried.numbers
            var sign = lanes(0)
            for lane in 0..<8 where lane % 3 == 1 { sign[lane] = -1 }
            let negated = x.loose.negated(where: sign).addingModulus(times: 3).carried.numbers
            for lane in 0..<8 {
                let b = b[lane]
                #expect(sum[lane] == a[lane] + b)
                #expect(difference[lane] == a[lane] + 5 * p - b)
                #expect(multiple[lane] == 8 * a[lane])
                #expect(negated[lane] == (lane % 3 == 1 ? 3 * p - a[lane] : 3 * p + a[lane]))
            }
        }
    }

    /// For carried numbers, and differences of at least U/2, folding keeps x mod p and returns less than 1.001 U.
    @Test func folds() {
        for a in sample(below: R, seed: 8) {
            let x = FieldLanes(a)
            let folded = x.loose.folded.numbers
            // The limbs of b are all ones. So before the carry, every limb of 9p + a − b may be negative, except the
            // highest limb.
            let b = BigUInt.power(ofTwo: 259) - 1
            let difference = (x.loose - FieldLanes([BigUInt](repeating: b, count: 8)).loose)
                .addingModulus(times: 9).folded.numbers
            for lane in 0..<8 {
                #expect(folded[lane] % p == a[lane] % p && 1000 * folded[lane] < 1001 * U)
                #expect(difference[lane] % p == (a[lane] + 9 * p).subtracting(b, modulo: p))
                #expect(1000 * difference[lane] < 1001 * U)
            }
        }
    }

    @Test func findsZeros() {
        for a in sample(below: U, seed: 9) {
            let mask = FieldLanes(a).isZero
            for lane in 0..<8 { #expect(mask[lane] == (a[lane] % p).isZero) }
        }
        let forms = [0, p, 1, p - 1, p + 1, U - 1, 2, BigUInt.power(ofTwo: 52)]
        for group in forms.inEveryLane {
            let mask = FieldLanes(group).isZero
            for lane in 0..<8 { #expect(mask[lane] == (group[lane].isZero || group[lane] == p)) }
        }
    }

    @Test func invertsTogether() {
        for group in sample(below: 2 * U, seed: 10) {
            let a = group.map { ($0 % p).isZero ? 7 : $0 }
            let inverted = FieldLanes(a).inverted(by: invertByModel)
            let values = FieldLanes(a).values
            for (lane, inverse) in inverted.values.enumerated() { #expect(inverse * values[lane] % p == 1) }
            #expect(inverted.numbers.allSatisfy { 10 * $0 < 11 * U })
        }
    }

    @Test func words() throws {
        for group in sample(below: U, seed: 11) {
            let words = group.flatMap { $0.words(count: 4) }
            let lanes = WordLanes(words.span)
            #expect(lanes.limbs.numbers == group)
            #expect(lanes.element.numbers == group.map { 16 * $0 })
            let below = lanes.isBelow192Bits
            for lane in 0..<8 { #expect(below[lane] == (group[lane] < .power(ofTwo: 192))) }
        }
    }
}

/// Returns the model's inverse in the Montgomery domain of 2²⁵⁶.
func invertByModel(_ words: InlineArray<4, UInt64>) -> InlineArray<4, UInt64> {
    let p = ModelCurve.p256.p
    let x = BigUInt(words: (0..<4).map { words[$0] })
    guard let inverse = (x % p).inverse(modulo: p) else { return words }
    let result = (inverse * U % p * U % p).words(count: 4)  // (x·2⁻²⁵⁶)⁻¹·2²⁵⁶
    return [result[0], result[1], result[2], result[3]]
}
