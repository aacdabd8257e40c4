/// A point (X : Y : Z) in Jacobian coordinates: x = X/Z², y = Y/Z³; Z = 0 is the point at infinity. Formulas: the
/// Explicit-Formulas Database (https://hyperelliptic.org/EFD/g1p/auto-shortw-jacobian-3.html) and Cohen, Miyaji and Ono
/// 1998. The comment on each line is the formula in the notation of these sources. The code writes some of the
/// variables in upper case.
struct JacobianPoint<Curve: PrimeCurve>: Sendable {
    var X, Y, Z: Curve.Field

    @inline(__always)
    init(X: Curve.Field, Y: Curve.Field, Z: Curve.Field) {
        (self.X, self.Y, self.Z) = (X, Y, Z)
    }

    init(_ point: AffinePoint<Curve>) {
        self.init(X: point.x, Y: point.y, Z: .one)
    }

    static var infinity: Self { Self(X: .one, Y: .one, Z: .zero) }

    @inline(__always)
    var isInfinity: Bool { Z.isZero }

    // The order of the lines below affects the speed, by 4 % for P-256. A product that uses the result of the previous
    // line waits for this result about as long as it takes to issue a product. So if possible, an independent line
    // separates a result from its first use.

    /// 2·P, 4M + 4S. Uses the doubling "dbl-2001-b" for a = −3, with coordinates scaled by λ = 1/2: (X/4 : Y/8 : Z/2).
    /// With δ = Z² and α = 3(X − δ)(X + δ), the affine slope is α/(2YZ). The code computes with α/2, which removes the
    /// factors 4 and 8 from the original formulas. The formulas are correct for every point. Infinity (Z = 0) doubles
    /// to Z₃ = 0. Y = 0 does not occur, because a group of odd order has no point of order 2.
    @inline(never)
    mutating func double() {
        let δ = Z.inlineSquare()  // δ = Z²
        let γ = Y.inlineSquare()  // γ = Y²
        let m = (X - δ).inlineProduct(X + δ)  // (X − δ)(X + δ)
        let β = X.inlineProduct(γ)  // β = X·γ
        let α = m + m.halved()  // α/2 = 3(X − δ)(X + δ)/2
        Z = Y.inlineProduct(Z)  // Z₃/2 = Y·Z
        let αα = α.inlineSquare()  // (α/2)²
        let γγ = γ.fullSquare()  // γ²
        X = αα - β - β  // X₃/4 = (α/2)² − 2β
        Y = .reducedDifference(α.fullProduct(β - X), γγ)  // Y₃/8 = (α/2)(β − X₃/4) − γ²
    }

    func doubled() -> Self {
        var point = self
        point.double()
        return point
    }

    /// P + Q, for an affine point Q. The result is correct in every case, including P = ∞, P = Q and P = −Q. 8M + 3S.
    /// Time: variable. The addition is "madd" (Cohen, Miyaji, Ono 1998 eq. 3).
    @inline(never)
    mutating func addVarTime(_ Q: AffinePoint<Curve>) {
        if _slowPath(isInfinity) {
            self = Self(Q)
            return
        }
        let ZZ = Z.inlineSquare()  // Z₁Z₁ = Z₁²
        let H = Q.x.inlineProduct(ZZ) - X  // H = U₂ − X₁, U₂ = X₂·Z₁Z₁
        let R = Q.y.inlineProduct(ZZ.inlineProduct(Z)) - Y  // r = S₂ − Y₁, S₂ = Y₂·Z₁·Z₁Z₁
        if _slowPath(H.isZero) {
            addSameX(R)
            return
        }
        let HH = H.inlineSquare()  // HH = H²
        let RR = R.inlineSquare()  // r²
        let HHH = H.inlineProduct(HH)  // HHH = H·HH
        let V = X.inlineProduct(HH)  // V = X₁·HH
        Z = Z.inlineProduct(H)  // Z₃ = Z₁·H
        let YHHH = Y.fullProduct(HHH)  // Y₁·HHH
        X = RR - HHH - V - V  // X₃ = r² − HHH − 2V
        Y = .reducedDifference(R.fullProduct(V - X), YHHH)  // Y₃ = r(V − X₃) − Y₁·HHH
    }

    /// Completes an addition of two points with the same x (H = 0). Equal points (R = 0) are doubled. Opposite points
    /// add up to the point at infinity. Random inputs do not reach this function.
    @inline(never)
    private mutating func addSameX(_ R: Curve.Field) {
        if R.isZero { double() } else { self = .infinity }
    }

    /// 2·P + Q, for an affine point Q, computed as (P + Q) + P. The result is correct in every case. Takes 13M + 5S; a
    /// separate doubling and addition would take 12M + 7S. Time: variable.
    ///
    /// The intermediate values of "madd" include P with the Z-coordinate of P + Q: (V : W : Z₁H) with V = X₁H²,
    /// W = Y₁H³. Adding two points with the same Z-coordinate takes 5M + 2S (Meloni 2007, "New point addition formulae
    /// for ECC applications", §3). The second addition uses Y₃, the Y-coordinate of P + Q, only in S = Y₃ − W = R(V −
    /// X₃) − 2W (Longa, Miri 2008, "New composite operations and precomputation scheme", §3). The code uses G = V − X₃
    /// instead of X₃ − V. This negates Y and Z of the result (X₄ : Y₄ : Z₄), but not the point, because
    /// (X : −Y : −Z) = (X : Y : Z).
    @inline(never)
    mutating func doubleAndAddVarTime(_ Q: AffinePoint<Curve>) {
        if _slowPath(isInfinity) {
            self = Self(Q)
            return
        }
        let ZZ = Z.inlineSquare()  // Z₁Z₁ = Z₁²
        let H = Q.x.inlineProduct(ZZ) - X  // H = U₂ − X₁, U₂ = X₂·Z₁Z₁
        let R = Q.y.inlineProduct(ZZ.inlineProduct(Z)) - Y  // r = S₂ − Y₁, S₂ = Y₂·Z₁·Z₁Z₁
        let HH = H.inlineSquare()  // HH = H²
        let RR = R.inlineSquare()  // r²
        let HHH = H.inlineProduct(HH)  // HHH = H·HH
        let V = X.inlineProduct(HH)  // V = X₁·HH
        let W = Y.inlineProduct(HHH)  // W = Y₁·HHH
        let G = V + V + V + HHH - RR  // G = V − X₃, X₃ = r² − HHH − 2V
        if _slowPath(H.isZero) || _slowPath(G.isZero) {
            // P = ±Q, or P + Q = −P: double, then add. Random inputs do not reach this branch.
            double()
            addVarTime(Q)
            return
        }
        let GG = G.inlineSquare()  // G²
        let S = R.inlineProduct(G) - W - W  // S = Y₃ − W, Y₃ = r·G − W
        let GGG = G.inlineProduct(GG)  // G³
        let U = V.inlineProduct(GG)  // U = V·G²
        let SS = S.inlineSquare()  // S²
        Z = Z.inlineProduct(H).inlineProduct(G)  // Z₄ = Z₁H·G
        X = SS + GGG - U - U  // X₄ = S² + G³ − 2U
        let WGGG = W.fullProduct(GGG)  // W·G³
        Y = .reducedDifference(S.fullProduct(X - U), WGGG)  // Y₄ = S(X₄ − U) − W·G³
    }

    /// (X/Z², Y/Z³), or `nil` for the point at infinity. Time: variable.
    func affineVarTime() -> AffinePoint<Curve>? {
        if isInfinity { return nil }
        let inverse = Z.invertedVarTime(), square = inverse.squared()  // 1/Z, 1/Z²
        return AffinePoint(x: X * square, y: Y * (square * inverse))  // X/Z², Y/Z³
    }
}
