// Odd multiples of points in affine form: `climb` computes them, `descend` makes them affine.
//
// `climb` adds 2·Q to Q, 3·Q and so on, always with both points on the same Z (Meloni 2007, §3). That Z is never needed. The map (x, y) ↦
// (x·Z², y·Z³) leads to an isomorphic curve on which both points are affine, and the addition does not use the curve's a. Each addition
// multiplies Z by a known ratio, so the inverse of the last Z yields all others; several points share one inversion.
//
// The m multiples of a point begin at index `start`. Bounds: n > 2m, as in ``WindowShape``. Time: variable.
extension PrimeCurve {
    /// Writes Q, 3·Q … (2m − 1)·Q, each on its own Z, to `points`, and each Z divided by the previous one to `ratios`. Returns 2·Q on the
    /// last Z.
    ///
    /// Q is (X : Y : Z), or (X, Y) if Z is `nil`. In that case the first point stays unchanged and affine.
    @inline(__always)
    static func climb(
        _ Q: AffinePoint<Self>, Z: Field?, _ m: Int, from start: Int,
        _ points: inout MutableSpan<AffinePoint<Self>>, _ ratios: inout MutableSpan<Field>
    ) -> JacobianPoint<Self> {
        var (double, point) = Q.doubledOnOneZ(δ: Z.map { $0.squared() } ?? .one)
        points[start] = Z == nil ? Q : point
        var last = Z.map { Q.y * $0 } ?? Q.y
        for i in 1..<m {
            let ratio = point.addOnOneZ(&double)
            points[start + i] = point
            ratios[start + i] = ratio
            last = last * ratio
        }
        return JacobianPoint(X: double.x, Y: double.y, Z: last)
    }

    /// Makes the points affine, starting with the inverse of the last Z. Leaves the first unchanged if `isFirstAffine`.
    @inline(__always)
    static func descend(
        _ inverse: Field, _ m: Int, to start: Int, isFirstAffine: Bool,
        _ points: inout MutableSpan<AffinePoint<Self>>, _ ratios: borrowing MutableSpan<Field>
    ) {
        var inverse = inverse
        var i = start + m - 1
        let first = isFirstAffine ? start + 1 : start
        while i >= first {  // a stride costs 25 instructions a step
            let square = inverse.squared()
            points[i].x = points[i].x * square
            points[i].y = points[i].y * (square * inverse)
            if i > first { inverse = inverse * ratios[i] }
            i -= 1
        }
    }

    /// Makes the multiples of several points affine with one inversion (Montgomery 1987, §10.3.1; Guide to ECC, Algorithm 2.26): 1/Zⱼ =
    /// Z₀⋯Zⱼ₋₁/(Z₀⋯Zⱼ).
    ///
    /// Point j has its m multiples from m·j on, and its last Z in `ratios` at m·j. The first `affineCount` points are affine.
    static func descend(
        _ m: Int, count: Int, affineCount: Int, _ points: inout MutableSpan<AffinePoint<Self>>,
        _ ratios: borrowing MutableSpan<Field>
    ) {
        // Z₀⋯Zⱼ₋₁ at j. Bounds: at most 12 points, of scalars of 384 bits in parts of 32.
        var products = InlineArray<12, Field>(repeating: ratios[0])
        var product = ratios[0]
        for j in 1..<count {
            products[j] = product
            product = product * ratios[m * j]
        }
        var rest = product.invertedVarTime()
        var j = count - 1
        while j >= 0 {
            let inverse = j > 0 ? rest * products[j] : rest
            descend(inverse, m, to: m * j, isFirstAffine: j < affineCount, &points, ratios)
            if j > 0 { rest = rest * ratios[m * j] }
            j -= 1
        }
    }
}

extension AffinePoint {
    /// 1·Q, 3·Q … (2m − 1)·Q, with one inversion.
    func oddMultiples<let m: Int>() -> InlineArray<m, Self> {
        var points = InlineArray<m, Self>(repeating: self)
        var ratios = InlineArray<m, Curve.Field>(repeating: y)
        var pointSpan = points.mutableSpan, ratioSpan = ratios.mutableSpan
        let double = Curve.climb(self, Z: nil, m, from: 0, &pointSpan, &ratioSpan)
        Curve.descend(double.Z.invertedVarTime(), m, to: 0, isFirstAffine: true, &pointSpan, ratioSpan)
        return points
    }

    /// 2·Q and Q on the same Z, which is y·Z, for Q = (x : y : Z) and δ = Z². This is ``JacobianPoint/double()``, which computes β = x·y²
    /// and γ² = y·y³ among its intermediate values.
    fileprivate func doubledOnOneZ(δ: Curve.Field) -> (double: Self, point: Self) {
        let m = (x - δ) * (x + δ)
        let α = m + m.halved()
        let γ = y.squared()
        let β = x * γ
        let γγ = γ.squared()
        let X = α.squared() - β - β
        let Y = α * (β - X) - γγ
        return (double: Self(x: X, y: Y), point: Self(x: β, y: γγ))
    }

    /// Adds P ≠ ±self, on the same Z, and moves both points to the sum's Z, which is Z·H. Returns H. 4M + 2S.
    @inline(never)
    fileprivate mutating func addOnOneZ(_ P: inout Self) -> Curve.Field {
        let H = x - P.x
        let R = y - P.y
        let HH = H.inlineSquare()
        let RR = R.inlineSquare()
        let HHH = H.inlineProduct(HH)
        let V = P.x.inlineProduct(HH)
        let W = P.y.inlineProduct(HHH)
        P = Self(x: V, y: W)
        x = RR - HHH - V - V
        y = R.inlineProduct(V - x) - W
        return H
    }
}
