import ReferenceModel

@testable import PureECDSA

/// P-256 with the field implementation for WebAssembly. Generic tests use it to cover this field on all platforms.
enum UnsaturatedP256: UnsaturatedCurve {
    typealias Original = P256Curve
    typealias Field = P256UnsaturatedField
}

enum UnsaturatedP384: UnsaturatedCurve {
    typealias Original = P384Curve
    typealias Field = P384UnsaturatedField
}

protocol UnsaturatedCurve: PrimeCurve where Field: UnsaturatedField, Scalar == Original.Scalar {
    associatedtype Original: PrimeCurve where Original.Field: MontgomeryField, Original.Field.Plain == Field.Plain
}

extension UnsaturatedCurve {
    static var b: Field { Field(words: Original.b.words) }
    static var generator: AffinePoint<Self> { generatorMultiple(part: 0, index: 0) }
    static func xCoordinate(_ r: Scalar) -> Field? { Original.xCoordinate(r).map { Field(words: $0.words) } }
    static func xCoordinatePlusOrder(_ r: Scalar) -> Field? {
        Original.xCoordinatePlusOrder(r).map { Field(words: $0.words) }
    }
    static var generatorShape: WindowShape { Original.generatorShape }
    static var generatorWindow: Int { Original.generatorWindow }
    static func generatorMultiple(part: Int, index: Int) -> AffinePoint<Self> {
        let point = Original.generatorMultiple(part: part, index: index)
        return AffinePoint(x: Field(words: point.x.words), y: Field(words: point.y.words))
    }
}

/// A field implementation for WebAssembly, with access to its limbs and to the bounds of the limbs.
protocol UnsaturatedField: LimbField {
    init(words: Plain)
    init(signedLimbs: [Int64])
    var signedLimbs: [Int64] { get }
    static var limbBits: Int { get }
}

extension UnsaturatedField {
    static var limbCount: Int { (64 * Plain.limbCount + limbBits - 1) / limbBits }
    /// Returns the bound of a limb's magnitude: 1¼·2^limbBits, or for the highest limb, twice the power of two for the
    /// remaining bits of p.
    static func bound(_ index: Int) -> Int64 {
        index < limbCount - 1 ? 5 << Int64(limbBits - 2) : 2 << Int64(64 * Plain.limbCount - limbBits * (limbCount - 1))
    }

    /// The limbs, reduced below p and converted by the model to the domain of the saturated field. Traps if a limb
    /// exceeds its bound.
    var limbs: [UInt64] {
        var (positive, negative) = (BigUInt(0), BigUInt(0))
        for (i, limb) in signedLimbs.enumerated() {
            precondition(abs(limb) <= Self.bound(i), "limb \(i) is \(limb)")
            let part = BigUInt(limb.magnitude) << (Self.limbBits * i)
            if limb < 0 { negative = negative + part } else { positive = positive + part }
        }
        let spare = Self.limbBits * Self.limbCount - 64 * Plain.limbCount
        guard let inverse = BigUInt.power(ofTwo: spare).inverse(modulo: Self.p) else { preconditionFailure("p is odd") }
        let number = (positive % Self.p).subtracting(negative % Self.p, modulo: Self.p) * inverse % Self.p
        return number.words(count: Plain.limbCount)
    }
}

extension P256UnsaturatedField: UnsaturatedField {
    init(limbs: [UInt64]) { self.init(limbs[0], limbs[1], limbs[2], limbs[3]) }
    init(signedLimbs l: [Int64]) { self.init(limbs: l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], l[8]) }
    var signedLimbs: [Int64] { [l0, l1, l2, l3, l4, l5, l6, l7, l8] }
    static var limbBits: Int { 29 }
    static var curve: ModelCurve { .p256 }
}

extension P384UnsaturatedField: UnsaturatedField {
    init(limbs: [UInt64]) { self.init(limbs[0], limbs[1], limbs[2], limbs[3], limbs[4], limbs[5]) }
    init(signedLimbs l: [Int64]) {
        self.init(
            limbs: l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], l[8], l[9], l[10], l[11], l[12], l[13])
    }
    var signedLimbs: [Int64] { [l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13] }
    static var limbBits: Int { 28 }
    static var curve: ModelCurve { .p384 }
}
