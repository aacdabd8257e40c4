import ReferenceModel

@testable import PureECDSA

/// A prime field with access to its raw limbs and to the curve of the model.
protocol LimbField: PrimeField {
    /// Creates an element from any limbs below R, least significant first, in the Montgomery domain.
    init(limbs: [UInt64])
    var limbs: [UInt64] { get }
    static var curve: ModelCurve { get }
}

extension LimbField {
    static var p: BigUInt { curve.p }
    /// The Montgomery radix, which is also the exclusive upper bound of lazy values.
    static var radix: BigUInt { .power(ofTwo: 64 * Plain.limbCount) }
    static var radixInverse: BigUInt {
        guard let inverse = radix.inverse(modulo: p) else { preconditionFailure("p is odd") }
        return inverse
    }

    /// Creates the element whose limbs contain `number`. The number may be p or more.
    init(representation number: BigUInt) { self.init(limbs: number.words(count: Self.Plain.limbCount)) }
    var representation: BigUInt { BigUInt(words: limbs) }

    init(value: BigUInt) { self.init(representation: value * Self.radix % Self.p) }
    /// The element's value, from 0 to p − 1. The model computes the value from the limbs.
    var value: BigUInt { representation * Self.radixInverse % Self.p }
}

extension P256Field: LimbField {
    init(limbs: [UInt64]) { self.init(limbs[0], limbs[1], limbs[2], limbs[3]) }
    var limbs: [UInt64] { [l0, l1, l2, l3] }
    static var curve: ModelCurve { .p256 }
}

extension P384Field: LimbField {
    init(limbs: [UInt64]) { self.init(limbs[0], limbs[1], limbs[2], limbs[3], limbs[4], limbs[5]) }
    var limbs: [UInt64] { [l0, l1, l2, l3, l4, l5] }
    static var curve: ModelCurve { .p384 }
}

extension BigUInt {
    /// Returns numbers below `bound` at which carries, borrows and comparisons change. The numbers are next to 0,
    /// `modulus`, `bound`, half of each, differences and multiples of these, or powers of two. Further numbers have
    /// limbs of all ones or all zeros.
    static func edges(modulus: BigUInt, below bound: BigUInt) -> [BigUInt] {
        var numbers: [BigUInt] = []
        let c = bound > modulus ? bound - modulus : 0
        for base in [0, modulus, modulus >> 1, bound, bound >> 1, c, c + c, modulus > c ? modulus - c : 0] {
            for distance in 0..<3 {
                numbers.append(base + BigUInt(UInt64(distance)))
                if base >= BigUInt(UInt64(distance)) { numbers.append(base - BigUInt(UInt64(distance))) }
            }
        }
        for bit in stride(from: 32, to: bound.bitWidth, by: 32) {
            numbers += [.power(ofTwo: bit) - 1, .power(ofTwo: bit), .power(ofTwo: bit) + 1]
        }
        // Adds the numbers with one limb of all ones among zero limbs, and their complements.
        let limbCount = (bound.bitWidth + 62) / 64
        for index in 0..<limbCount {
            var limbs = [UInt64](repeating: 0, count: limbCount)
            limbs[index] = .max
            numbers.append(BigUInt(words: limbs))
            numbers.append(BigUInt(words: limbs.map { ~$0 }))
        }
        return Array(Set(numbers.filter { $0 < bound })).sorted()
    }
}

// `#expect` cannot capture a span.

extension LimbArray {
    init(bigEndian bytes: [UInt8]) { self.init(bigEndian: bytes.span) }
}

extension CurveScalar {
    init?(bigEndian bytes: [UInt8]) { self.init(bigEndian: bytes.span) }
    init(digest: [UInt8]) { self.init(digest: digest.span) }
}
