// Odd multiples of points in affine form: `climb` computes them, `descend` makes them affine.
//
// `climb` adds 2·Q to Q, 3·Q and so on, always with both points on the same Z (Meloni 2007, §3). That Z is never
// needed. The map (x, y) ↦ (x·Z², y·Z³) leads to an isomorphic curve on which both points are affine, and the addition
// does not use the curve's a. Each addition multiplies Z by a known ratio, so the inverse of the last Z yields all
// others; several points share one inversion.
//
// The m multiples of a point begin at index `start`. Bounds: n > 2m, as in ``WindowShape``. Time: variable.
extension PrimeCurve {
    /// Writes Q, 3·Q … (2m − 1)·Q, each on its own Z, to `points`, and each Z divided by the previous one to `ratios`.
    /// Returns 2·Q on the last Z.
    ///
    /// Q is (X : Y : Z), or (X, Y) if Z is `nil`. In that case the first point stays unchanged and affine.
    @inline(__always)
    static func climb(
        _ Q: AffinePoint<Self>, Z: Field?, _ m: Int, from start: Int,
        _ points: inout MutableSpan<AffinePoint<Self>>, _ ratios: inout MutableSpan<Field>
    ) -> JacobianPoint<Self> {
        var (double, point) = Q.doubledOnOneZ(δ: Z.map { $0.squared() } ?? .one)  // 2·Q, Q
        points[start] = Z == nil ? Q : point  // 1·Q
        var last = Z.map { Q.y * $0 } ?? Q.y  // Z₀ = Y·Z, the Z of both
        for i in 1..<m {
            let ratio = point.addOnOneZ(&double)  // H = Zᵢ/Zᵢ₋₁
            points[start + i] = point  // (2i + 1)·Q
            ratios[start + i] = ratio  // Zᵢ/Zᵢ₋₁
            last = last * ratio  // Zᵢ
        }
        return JacobianPoint(X: double.x, Y: double.y, Z: last)  // 2·Q on Zₘ₋₁
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
            let square = inverse.squared()  // 1/Zᵢ²
            points[i].x = points[i].x * square  // x = X/Zᵢ²
            points[i].y = points[i].y * (square * inverse)  // y = Y/Zᵢ³
            if i > first { inverse = inverse * ratios[i] }  // 1/Zᵢ₋₁ = (Zᵢ/Zᵢ₋₁)/Zᵢ
            i -= 1
        }
    }

    /// Makes the multiples of several points affine with one inversion (Montgomery 1987, §10.3.1; Guide to ECC,
    /// Algorithm 2.26): 1/Zⱼ = Z₀⋯Zⱼ₋₁/(Z₀⋯Zⱼ).
    ///
    /// The multiples of point j start at m·j; its last Z is `ratios[m·j]`. The first `affineCount` points are affine.
    static func descend(
        _ m: Int, count: Int, affineCount: Int, _ points: inout MutableSpan<AffinePoint<Self>>,
        _ ratios: borrowing MutableSpan<Field>
    ) {
        // Z₀⋯Zⱼ₋₁ at index j. Bounds: at most 12 points, for scalars of 384 bits in parts of 32.
        var products = InlineArray<12, Field>(repeating: ratios[0])
        var product = ratios[0]
        for j in 1..<count {
            products[j] = product  // Z₀⋯Zⱼ₋₁
            product = product * ratios[m * j]  // Z₀⋯Zⱼ
        }
        var rest = product.invertedVarTime()  // 1/(Z₀⋯Zⱼ) of the last j
        var j = count - 1
        while j >= 0 {
            let inverse = j > 0 ? rest * products[j] : rest  // 1/Zⱼ = Z₀⋯Zⱼ₋₁/(Z₀⋯Zⱼ)
            descend(inverse, m, to: m * j, isFirstAffine: j < affineCount, &points, ratios)
            if j > 0 { rest = rest * ratios[m * j] }  // 1/(Z₀⋯Zⱼ₋₁) = Zⱼ/(Z₀⋯Zⱼ)
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
        let double = Curve.climb(self, Z: nil, m, from: 0, &pointSpan, &ratioSpan)  // 2·Q on Zₘ₋₁
        Curve.descend(double.Z.invertedVarTime(), m, to: 0, isFirstAffine: true, &pointSpan, ratioSpan)  // 1/Zₘ₋₁
        return points
    }

    /// 2·Q and Q on the same Z, which is y·Z, for Q = (x : y : Z) and δ = Z². This is ``JacobianPoint/double()``, which
    /// computes β = x·y² and γ² = y·y³ among its intermediate values.
    fileprivate func doubledOnOneZ(δ: Curve.Field) -> (double: Self, point: Self) {
        let m = (x - δ) * (x + δ)  // (X − δ)(X + δ)
        let α = m + m.halved()  // α/2 = 3(X − δ)(X + δ)/2
        let γ = y.squared()  // γ = Y²
        let β = x * γ  // β = X·γ, which is X on Y·Z
        let γγ = γ.squared()  // γ² = Y·Y³, which is Y on Y·Z
        let X = α.squared() - β - β  // X₃/4 = (α/2)² − 2β
        let Y = α * (β - X) - γγ  // Y₃/8 = (α/2)(β − X₃/4) − γ²
        return (double: Self(x: X, y: Y), point: Self(x: β, y: γγ))
    }

    /// Adds P ≠ ±self, on the same Z, and moves both points to the sum's Z, which is Z·H. Returns H. 4M + 2S.
    @inline(never)
    fileprivate mutating func addOnOneZ(_ P: inout Self) -> Curve.Field {
        let H = x - P.x  // H = X₁ − X₂
        let R = y - P.y  // r = Y₁ − Y₂
        let HH = H.inlineSquare()  // HH = H²
        let RR = R.inlineSquare()  // r²
        let HHH = H.inlineProduct(HH)  // HHH = H·HH
        let V = P.x.inlineProduct(HH)  // V = X₂·HH
        let W = P.y.inlineProduct(HHH)  // W = Y₂·HHH
        P = Self(x: V, y: W)  // P on Z·H
        x = RR - HHH - V - V  // X₃ = r² − HHH − 2V
        y = R.inlineProduct(V - x) - W  // Y₃ = r(V − X₃) − W
        return H  // Z₃/Z
    }
}
