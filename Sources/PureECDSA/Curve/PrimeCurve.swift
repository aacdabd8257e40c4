/// A short Weierstrass curve y² = x³ − 3x + b over GF(p), of prime order n > 16 (cofactor 1), with a generator G.
///
/// a = −3 is used by the doubling formula, the prime order by everything: each point but the point at infinity has order n.
/// n > 16 keeps the odd multiples 1·Q … 15·Q of a window of 5 apart (``AffinePoint/oddMultiples()``).
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

    /// The width of the generator's windows, in part 0 of a scalar and in the others.
    static var generatorWindow: Int { get }
    static var upperGeneratorWindow: Int { get }
    /// The number of parts that a scalar is split into when all of its points are precomputed, and the bits in each.
    static var partCount: Int { get }
    static var partBits: Int { get }
    /// (2·index + 1)·G, from a table.
    static func generatorMultiple(_ index: Int) -> AffinePoint<Self>
    #if !hasFeature(Embedded)
        /// (2·index + 1)·2^(partBits·part)·G for part ≥ 1, from a table that programs without precomputed keys do not contain.
        static func upperGeneratorMultiple(part: Int, index: Int) -> AffinePoint<Self>
    #endif
}

extension PrimeCurve {
    /// x³ − 3x + b.
    static func rightHandSide(_ x: Field) -> Field {
        x.squared() * x - (x.doubled() + x) + b
    }
}
