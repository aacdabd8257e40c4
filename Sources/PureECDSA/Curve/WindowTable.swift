/// How the multiples of a point are laid out: a scalar is cut into parts of `partBits` bits, and each part is read in windows of
/// width w = `window`.
///
/// For each part j there are (2i + 1)·2^(partBits·j)·Q, 0 ≤ i < 2^(w−2), at 2^(w−2)·j + i: one for each odd number below
/// 2^(w−1), which the digits of ``SignedWindows`` are but for their signs.
/// Bounds: w ≥ 2, n > 2^(w−1). No odd number below 2^(w−1) is then 0 mod n, so that each multiple is a point; and as i ± 2 are
/// such numbers or −1 for each odd i < 2^(w−1) − 2, i·Q ≠ ±2·Q and no addition that makes the next is exceptional.
struct WindowShape: Equatable, Sendable {
    let window: Int
    let partBits: Int

    /// The multiples of each part, 2^(w−2).
    @inline(__always)
    var multipleCount: Int { 1 &<< (window &- 2) }
}

/// The multiples of a point that are kept, for a key that is used again.
struct WindowTable<Curve: PrimeCurve>: Sendable {
    let shape: WindowShape
    let points: [AffinePoint<Curve>]

    #if hasFeature(Embedded)
        /// Computes the table, whose shape has one part.
        init(_ Q: AffinePoint<Curve>, _ shape: WindowShape) {
            let multiples: InlineArray<8, _> = Q.oddMultiples()
            var points: [AffinePoint<Curve>] = []
            points.reserveCapacity(8)
            for i in 0..<8 { points.append(multiples[i]) }
            self.init(shape, points: points)
        }
    #else
        /// Computes the table, with one inversion. Bounds: those of the shape. Time: variable.
        init(_ Q: AffinePoint<Curve>, _ shape: WindowShape) {
            let m = shape.multipleCount, parts = Curve.partCount(shape)
            var points = [AffinePoint<Curve>](repeating: Q, count: m * parts)
            var ratios = [Curve.Field](repeating: Q.y, count: m * parts)
            var pointSpan = points.mutableSpan, ratioSpan = ratios.mutableSpan
            var double = Curve.climb(Q, Z: nil, m, from: 0, &pointSpan, &ratioSpan)
            ratioSpan[0] = double.Z
            for start in stride(from: m, to: m * parts, by: m) {
                // From 2·Qⱼ to Qⱼ₊₁ = 2^partBits·Qⱼ.
                for _ in 1..<shape.partBits { double.double() }
                let base = AffinePoint<Curve>(x: double.X, y: double.Y)
                double = Curve.climb(base, Z: double.Z, m, from: start, &pointSpan, &ratioSpan)
                ratioSpan[start] = double.Z
            }
            Curve.descend(m, count: parts, affineCount: 1, &pointSpan, ratioSpan)
            self.init(shape, points: points)
        }
    #endif

    /// From a table that was computed before, and is taken as it is.
    init(_ shape: WindowShape, points: [AffinePoint<Curve>]) {
        precondition(points.count == shape.multipleCount * Curve.partCount(shape))
        self.shape = shape
        self.points = points
    }

    func doubleMultiplyVarTime(_ u1: Curve.Scalar, _ u2: Curve.Scalar) -> JacobianPoint<Curve> {
        Curve.doubleMultiplyVarTime(u1, u2, points.span, shape)
    }
}
