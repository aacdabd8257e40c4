/// What making a signature needs of a curve, over octets: arithmetic mod n and multiples of the generator.
///
/// **For tests only.** The times depend on the values, so that whoever can measure them learns the private key. There are no
/// nonces, no keys and no signing here: those are in PureAttestTesting.
///
/// It stands here, and not there, because nothing of a scalar or a point is visible outside this module: `package` access to
/// both would keep every generic function of theirs for callers that the optimiser cannot see, and open the arithmetic to each
/// module of the package, for the 90 lines below. A program that does not sign calls none of them.
///
/// A scalar is exactly ``scalarByteCount`` octets, most significant first, below n; anything else is a programmer's mistake and
/// traps.
package protocol ScalarOperations {
    /// ⌈log₂₅₆ n⌉.
    static var scalarByteCount: Int { get }
    /// n.
    static var scalarOrder: [UInt8] { get }
    /// The leftmost ⌈log₂ n⌉ bits of `octets` mod n: bits2octets of RFC 6979 §2.3.4 (FIPS 186-5 §6.4.1 step 2 before the
    /// reduction). n fills its octets on both curves, so that nothing is shifted.
    static func scalar(reducingBits octets: [UInt8]) -> [UInt8]
    /// Whether `octets` are ``scalarByteCount`` octets of a number in [1, n − 1].
    static func isPrivateScalar(_ octets: [UInt8]) -> Bool
    /// a + b mod n.
    static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8]
    /// a·b mod n.
    static func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8]
    /// a⁻¹ mod n, and 0 for 0. Time: variable.
    static func inverse(_ a: [UInt8]) -> [UInt8]
    /// k·G as 04 ‖ x ‖ y, for k ≠ 0. Time: variable.
    static func generatorMultiple(_ k: [UInt8]) -> [UInt8]
}

extension PrimeCurve {
    fileprivate static func scalar(_ octets: [UInt8]) -> Scalar {
        guard let scalar = Scalar(bigEndian: octets.span) else { preconditionFailure("not a scalar of the curve") }
        return scalar
    }

    fileprivate static func octets(_ number: Scalar.Plain) -> [UInt8] {
        var bytes: [UInt8] = []
        number.appendBigEndian(byteCount: Scalar.byteCount, to: &bytes)
        return bytes
    }

    fileprivate static func isPrivateScalar(_ octets: [UInt8]) -> Bool {
        Scalar(bigEndian: octets.span).map { !$0.isZero } ?? false
    }

    /// Bounds: a, b < n, so that a + b < 2n and one subtraction reduces it.
    fileprivate static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var sum = scalar(a).plain
        let carry = sum.add(scalar(b).plain)
        if carry != 0 || !sum.isLess(than: Scalar.order) { _ = sum.subtract(Scalar.order) }
        return octets(sum)
    }

    fileprivate static func generatorMultiple(_ k: [UInt8]) -> [UInt8] {
        let point = doubleMultiplyVarTime(scalar(k), Scalar(unchecked: .zero), generator)
        guard let affine = point.affineVarTime() else { preconditionFailure("k is 0") }
        return affine.x963
    }
}

extension P256: ScalarOperations {
    package static var scalarByteCount: Int { P256Scalar.byteCount }
    package static var scalarOrder: [UInt8] { P256Curve.octets(P256Scalar.order) }
    package static func scalar(reducingBits octets: [UInt8]) -> [UInt8] {
        P256Curve.octets(P256Scalar(digest: octets.span).plain)
    }
    package static func isPrivateScalar(_ octets: [UInt8]) -> Bool { P256Curve.isPrivateScalar(octets) }
    package static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { P256Curve.sum(a, b) }
    package static func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        P256Curve.octets((P256Curve.scalar(a) * P256Curve.scalar(b)).plain)
    }
    package static func inverse(_ a: [UInt8]) -> [UInt8] {
        P256Curve.octets(P256Curve.scalar(a).invertedVarTime().plain)
    }
    package static func generatorMultiple(_ k: [UInt8]) -> [UInt8] { P256Curve.generatorMultiple(k) }
}

extension P384: ScalarOperations {
    package static var scalarByteCount: Int { P384Scalar.byteCount }
    package static var scalarOrder: [UInt8] { P384Curve.octets(P384Scalar.order) }
    package static func scalar(reducingBits octets: [UInt8]) -> [UInt8] {
        P384Curve.octets(P384Scalar(digest: octets.span).plain)
    }
    package static func isPrivateScalar(_ octets: [UInt8]) -> Bool { P384Curve.isPrivateScalar(octets) }
    package static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { P384Curve.sum(a, b) }
    package static func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        P384Curve.octets((P384Curve.scalar(a) * P384Curve.scalar(b)).plain)
    }
    package static func inverse(_ a: [UInt8]) -> [UInt8] {
        P384Curve.octets(P384Curve.scalar(a).invertedVarTime().plain)
    }
    package static func generatorMultiple(_ k: [UInt8]) -> [UInt8] { P384Curve.generatorMultiple(k) }
}
