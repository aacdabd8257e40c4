// Computes odd multiples of points (`climb`) and converts the multiples to affine form (`descend`).
//
// `climb` adds 2·Q to Q, then to 3·Q, and so on. Both operands of each addition have the same Z-coordinate (Meloni
// 2007, §3). The addition does not need the value of Z, because the map (x, y) ↦ (x·Z², y·Z³) leads to an isomorphic
// curve on which both operands are affine. The two curves differ in the coefficient a, which the addition formula does
// not use. Each addition multiplies Z by a known ratio, so the inverse of the last Z yields the inverses of all earlier
// Z. Several points can share one inversion.
//
// The m multiples of a point begin at index `start`. Bounds: n > 2m, as in ``WindowShape``. Time: variable.
extension PrimeCurve {
    /// Writes Q, 3·Q … (2m − 1)·Q to `points`, each with its own coordinate Zᵢ. Writes the ratios Zᵢ/Zᵢ₋₁ to `ratios`.
    /// Returns 2·Q with the last Z-coordinate. Q is (X : Y : Z), or the affine point (X, Y) if `Z` is `nil`. If Q is
    /// affine, the first multiple is Q itself, unchanged.
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

    /// Converts the multiples of one point to affine form. `inverse` is the inverse of the last Z. If `isFirstAffine`,
    /// the first multiple is already affine and does not change.
    @inline(__always)
    static func descend(
        _ inverse: Field, _ m: Int, to start: Int, isFirstAffine: Bool,
        _ points: inout MutableSpan<AffinePoint<Self>>, _ ratios: borrowing MutableSpan<Field>
    ) {
        var inverse = inverse
        var i = start + m - 1
        let first = isFirstAffine ? start + 1 : start
        while i >= first {  // `stride` would cost 25 instructions per iteration
            let square = inverse.squared()  // 1/Zᵢ²
            points[i].x = points[i].x * square  // x = X/Zᵢ²
            points[i].y = points[i].y * (square * inverse)  // y = Y/Zᵢ³
            if i > first { inverse = inverse * ratios[i] }  // 1/Zᵢ₋₁ = (Zᵢ/Zᵢ₋₁)/Zᵢ
            i -= 1
        }
    }

    /// Converts the multiples of several points to affine form with one inversion (Montgomery 1987, §10.3.1; Guide to
    /// ECC, Algorithm 2.26): 1/Zⱼ = Z₀⋯Zⱼ₋₁/(Z₀⋯Zⱼ). The multiples of point j start at index m·j, and `ratios[m·j]` is
    /// the last Z of point j. For j < `affineCount`, the first multiple of point j is already affine.
    static func descend(
        _ m: Int, count: Int, affineCount: Int, _ points: inout MutableSpan<AffinePoint<Self>>,
        _ ratios: borrowing MutableSpan<Field>
    ) {
        // `products[j]` is Z₀⋯Zⱼ₋₁. Bounds: at most 12 points, for scalars of 384 bits in parts of 32 bits.
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

    /// Returns 2·Q and Q, both with the Z-coordinate y·Z, for Q = (x : y : Z) and δ = Z². Uses the formulas of
    /// ``JacobianPoint/double()``. Their intermediate values β = x·y² and γ² = y·y³ are the coordinates X and Y of Q
    /// for the Z-coordinate y·Z.
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

    /// Adds P to self, where P ≠ ±self and both points have the same Z-coordinate. Afterwards self is the sum, and P
    /// and self have the Z-coordinate Z·H. Returns H. 4M + 2S.
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
