/// A short Weierstrass curve y² = x³ − 3x + b over GF(p), of prime order n > 16 (cofactor 1), with a generator G.
///
/// The doubling formula uses a = −3. The algorithms use the prime order: every point but the point at infinity has
/// order n. n > 16 is the bound of the last comparison (``isValid(_:digest:publicKey:)``) and of windows of 5; wider
/// windows need more (``WindowShape``).
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

    /// The shape of G's table, and its multiples (2·index + 1)·2^(partBits·part)·G.
    ///
    /// Part 0 has wider windows, because it is the only part that keys seen for the first time use. Programs that
    /// verify only such keys contain none of the other parts.
    static var generatorShape: WindowShape { get }
    static var generatorWindow: Int { get }
    static func generatorMultiple(part: Int, index: Int) -> AffinePoint<Self>
}

extension PrimeCurve {
    /// x³ − 3x + b.
    static func rightHandSide(_ x: Field) -> Field {
        x.squared() * x - (x.doubled() + x) + b  // x²·x − (2x + x) + b
    }
}
