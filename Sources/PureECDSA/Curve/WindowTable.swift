/// The layout of a table of a point's multiples. Scalars are cut into parts of `partBits` bits, and each part is read
/// in windows of width w = `window`.
///
/// Part j of the table has (2i + 1)·2^(partBits·j)·Q, 0 ≤ i < 2^(w−2), at index 2^(w−2)·j + i. The factors 2i + 1 are
/// the odd numbers below 2^(w−1), which are the absolute values of the digits in ``SignedWindows``.
///
/// Bounds: w ≥ 2, n > 2^(w−1). Under these bounds, no odd number below 2^(w−1) is 0 mod n, so no multiple is the point
/// at infinity. For each odd i < 2^(w−1) − 2, the numbers i ± 2 are not 0 mod n either, because they are also odd and
/// below 2^(w−1), or are −1. So i·Q ≠ ±2·Q, and the addition that computes (i + 2)·Q is never exceptional.
struct WindowShape: Equatable, Sendable {
    let window: Int
    let partBits: Int

    @inline(__always)
    var multipleCount: Int { 1 &<< (window &- 2) }
}

/// A stored table of a point's multiples, for a key that verifies more than one signature.
struct WindowTable<Curve: PrimeCurve>: Sendable {
    let shape: WindowShape
    let points: [AffinePoint<Curve>]

    #if hasFeature(Embedded)
        /// Computes the table of a shape with one part.
        init(_ Q: AffinePoint<Curve>, _ shape: WindowShape) {
            let multiples: InlineArray<8, _> = Q.oddMultiples()
            var points: [AffinePoint<Curve>] = []
            points.reserveCapacity(8)
            for i in 0..<8 { points.append(multiples[i]) }
            self.init(shape, points: points)
        }
    #else
        /// Computes the table with one inversion. Bounds: see ``WindowShape``. Time: variable.
        init(_ Q: AffinePoint<Curve>, _ shape: WindowShape) {
            let m = shape.multipleCount, parts = Curve.partCount(shape)
            var points = [AffinePoint<Curve>](repeating: Q, count: m * parts)
            var ratios = [Curve.Field](repeating: Q.y, count: m * parts)
            var pointSpan = points.mutableSpan, ratioSpan = ratios.mutableSpan
            var double = Curve.climb(Q, Z: nil, m, from: 0, &pointSpan, &ratioSpan)  // 2·Q₀, Q₀ = Q
            ratioSpan[0] = double.Z
            for start in stride(from: m, to: m * parts, by: m) {
                for _ in 1..<shape.partBits { double.double() }  // from 2·Qⱼ to Qⱼ₊₁ = 2^partBits·Qⱼ
                let base = AffinePoint<Curve>(x: double.X, y: double.Y)
                double = Curve.climb(base, Z: double.Z, m, from: start, &pointSpan, &ratioSpan)  // 2·Qⱼ₊₁
                ratioSpan[start] = double.Z
            }
            Curve.descend(m, count: parts, affineCount: 1, &pointSpan, ratioSpan)
            self.init(shape, points: points)
        }
    #endif

    /// Stores a precomputed table without checking its points.
    init(_ shape: WindowShape, points: [AffinePoint<Curve>]) {
        precondition(points.count == shape.multipleCount * Curve.partCount(shape))
        self.shape = shape
        self.points = points
    }

    func doubleMultiplyVarTime(_ u1: Curve.Scalar, _ u2: Curve.Scalar) -> JacobianPoint<Curve> {
        Curve.doubleMultiplyVarTime(u1, u2, points.span, shape)
    }
}
