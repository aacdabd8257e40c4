/// A short Weierstrass curve y² = x³ − 3x + b over GF(p), of prime order n > 16 (cofactor 1), with a generator G.
///
/// a = −3 is used by the doubling formula, the prime order by everything: each point but the point at infinity has order n.
/// n > 16 is the last comparison's bound (``isValid(_:digest:publicKey:)``) and that of windows of 5; wider ones ask for more
/// (``WindowShape``).
protocol PrimeCurve: Sendable {
    associatedtype Field: PrimeField
    associatedtype Scalar: CurveScalar

    /// The coefficient b.
    static var b: Field { get }
    /// G.
    static var generator: AffinePoint<Self> { get }

    /// r as an x-coordinate: `nil` if r ≥ p.
    static func xCoordinate(_ r: Scalar) -> Field?
    /// r + n as an x-coordinate: `nil` if r + n ≥ p.
    static func xCoordinatePlusOrder(_ r: Scalar) -> Field?

    /// The table of G: its shape, but that part 0 has windows of a greater width, as it alone serves keys that are seen for the
    /// first time; and from it (2·index + 1)·2^(partBits·part)·G. Programs that verify with no other keys contain nothing of
    /// the parts above 0.
    static var generatorShape: WindowShape { get }
    static var generatorWindow: Int { get }
    static func generatorMultiple(part: Int, index: Int) -> AffinePoint<Self>
}

extension PrimeCurve {
    /// x³ − 3x + b.
    static func rightHandSide(_ x: Field) -> Field {
        x.squared() * x - (x.doubled() + x) + b
    }
}
