/// The curve operations that signing needs, on octets: arithmetic mod n, and multiples of the generator.
///
/// **Only for tests.** The run time depends on the values, and so reveals the private key. PureAttestTesting implements
/// signing.
///
/// This protocol is in this module because scalars and points are internal types. If these types had `package` access,
/// the compiler would have to keep all their generic functions for callers that it cannot see. The arithmetic would
/// also be visible to every module of the package. Programs that do not sign call none of these functions.
///
/// A scalar has exactly ``scalarByteCount`` octets, most significant first, and is below n. Any other octets trap.
package protocol ScalarOperations {
    /// The length of a scalar in octets, ⌈log₂₅₆ n⌉.
    static var scalarByteCount: Int { get }
    /// n, most significant octet first.
    static var scalarOrder: [UInt8] { get }
    /// The leftmost ⌈log₂ n⌉ bits of `octets`, reduced mod n: bits2octets of RFC 6979 §2.3.4. FIPS 186-5 §6.4.1 step 2
    /// describes the same number before the reduction. On both curves, the bit length of n is a multiple of 8, so the
    /// leftmost bits are whole octets and are not shifted.
    static func scalar(reducingBits octets: [UInt8]) -> [UInt8]
    /// Returns whether `octets` has ``scalarByteCount`` octets and encodes a number in [1, n − 1].
    static func isPrivateScalar(_ octets: [UInt8]) -> Bool
    static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8]
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

    /// Bounds: a, b < n, so a + b < 2n and one subtraction reduces it.
    fileprivate static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var sum = scalar(a).plain
        let carry = sum.add(scalar(b).plain)  // a + b < 2n
        if carry != 0 || !sum.isLess(than: Scalar.order) { _ = sum.subtract(Scalar.order) }  // below n
        return octets(sum)
    }

    fileprivate static func generatorMultiple(_ k: [UInt8]) -> [UInt8] {
        let factor = scalar(k), zero = Scalar(unchecked: .zero)
        #if hasFeature(Embedded)
            // The generator's table has only part 0.
            let point = doubleMultiplyVarTime(factor, zero, generator)
        #else
            // The second scalar is 0, so this call needs no multiples of a second point.
            let multiples: [AffinePoint<Self>] = []
            let point = doubleMultiplyVarTime(factor, zero, multiples.span, keyShape)
        #endif
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
