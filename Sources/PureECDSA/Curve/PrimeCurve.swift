/// A short Weierstrass curve y² = x³ − 3x + b over GF(p), of prime order n > 16 (cofactor 1), with a generator G. The
/// doubling formula uses a = −3. The algorithms rely on the prime order n, which is the order of every point except the
/// point at infinity. The last comparison of a verification (``isValid(_:digest:publicKey:)``) and windows of width 5
/// require n > 16. Wider windows require a larger n (``WindowShape``).
protocol PrimeCurve: Sendable {
    associatedtype Field: PrimeField
    associatedtype Scalar: CurveScalar

    static var b: Field { get }
    static var generator: AffinePoint<Self> { get }

    /// r as an x-coordinate: `nil` if r ≥ p.
    static func xCoordinate(_ r: Scalar) -> Field?
    /// r + n as an x-coordinate: `nil` if r + n ≥ p.
    static func xCoordinatePlusOrder(_ r: Scalar) -> Field?

    /// The table of G: its shape, and the window width of part 0. The multiples are (2·index + 1)·2^(partBits·part)·G.
    /// Part 0 has wider windows, because a verification whose key has no stored table uses only part 0. A program
    /// without stored tables of keys does not contain the other parts.
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
