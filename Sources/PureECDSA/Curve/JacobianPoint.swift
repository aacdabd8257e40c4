/// A point (X : Y : Z) in Jacobian coordinates: x = X/Z², y = Y/Z³; Z = 0 is the point at infinity.
///
/// Formulas: the Explicit-Formulas Database (https://hyperelliptic.org/EFD/g1p/auto-shortw-jacobian-3.html) and Cohen, Miyaji and Ono 1998.
/// Each line carries its name there. Upper case is a coordinate, as in the papers.
struct JacobianPoint<Curve: PrimeCurve>: Sendable {
    var X, Y, Z: Curve.Field

    @inline(__always)
    init(X: Curve.Field, Y: Curve.Field, Z: Curve.Field) {
        (self.X, self.Y, self.Z) = (X, Y, Z)
    }

    init(_ point: AffinePoint<Curve>) {
        self.init(X: point.x, Y: point.y, Z: .one)
    }

    /// The point at infinity.
    static var infinity: Self { Self(X: .one, Y: .one, Z: .zero) }

    @inline(__always)
    var isInfinity: Bool { Z.isZero }

    // The order of the lines affects the speed (4 %, for P-256). A product waits about as long for its operands as it takes to issue, so a
    // line that needs the previous result follows one that does not.

    /// 2·P, 4M + 4S.
    ///
    /// The doubling "dbl-2001-b" for a = −3, with coordinates scaled by λ = 1/2: (X/4 : Y/8 : Z/2). With α = 3(X − δ)(X + δ), δ = Z², the
    /// affine slope is α/(2YZ); the halves below remove the factors 4 and 8. Complete: infinity (Z = 0) doubles to Z₃ = 0. Y = 0 does not
    /// occur, because a group of odd order has no point of order 2.
    @inline(never)
    mutating func double() {
        let δ = Z.inlineSquare()
        let γ = Y.inlineSquare()
        let m = (X - δ).inlineProduct(X + δ)
        let β = X.inlineProduct(γ)
        let α = m + m.halved()  // α/2 = 3(X − δ)(X + δ)/2
        Z = Y.inlineProduct(Z)  // Z₃/2
        let αα = α.inlineSquare()
        let γγ = γ.fullSquare()
        X = αα - β - β  // X₃/4 = (α/2)² − 2β
        Y = .reducedDifference(α.fullProduct(β - X), γγ)  // Y₃/8 = (α/2)(β − X₃/4) − γ²
    }

    func doubled() -> Self {
        var point = self
        point.double()
        return point
    }

    /// P + Q for affine Q, in every case, including infinity, P = Q and P = −Q. 8M + 3S. Time: variable.
    ///
    /// The addition is "madd" (Cohen, Miyaji, Ono 1998 eq. 3).
    @inline(never)
    mutating func addVarTime(_ Q: AffinePoint<Curve>) {
        if _slowPath(isInfinity) {
            self = Self(Q)
            return
        }
        let ZZ = Z.inlineSquare()  // Z₁Z₁
        let H = Q.x.inlineProduct(ZZ) - X  // U₂ − X₁
        let R = Q.y.inlineProduct(ZZ.inlineProduct(Z)) - Y  // S₂ − Y₁
        if _slowPath(H.isZero) {
            addSameX(R)
            return
        }
        let HH = H.inlineSquare()
        let RR = R.inlineSquare()
        let HHH = H.inlineProduct(HH)
        let V = X.inlineProduct(HH)
        Z = Z.inlineProduct(H)
        let YHHH = Y.fullProduct(HHH)
        X = RR - HHH - V - V
        Y = .reducedDifference(R.fullProduct(V - X), YHHH)
    }

    /// Ends an addition of two points with the same x (H = 0): doubles equal points (R = 0); opposite points yield infinity. Random inputs
    /// do not reach this.
    @inline(never)
    private mutating func addSameX(_ R: Curve.Field) {
        if R.isZero { double() } else { self = .infinity }
    }

    /// 2·P + Q for affine Q, as (P + Q) + P, in every case. 13M + 5S; a doubling and an addition take 12M + 7S. Time: variable.
    ///
    /// "madd" computes P on the Z of P + Q among its intermediate values: (V : W : Z₁H) with V = X₁H², W = Y₁H³. Adding two points with the
    /// same Z takes 5M + 2S (Meloni 2007, "New point addition formulae for ECC applications", §3). For this sum, Y₃ of P + Q is not needed
    /// by itself (Longa, Miri 2008, "New composite operations and precomputation scheme", §3). It occurs only in S = Y₃ − W = R(V − X₃) −
    /// 2W. All signs follow G = V − X₃ instead of X₃ − V, which negates Y and Z together. The result is (X₄ : Y₄ : Z₄).
    @inline(never)
    mutating func doubleAndAddVarTime(_ Q: AffinePoint<Curve>) {
        if _slowPath(isInfinity) {
            self = Self(Q)
            return
        }
        let ZZ = Z.inlineSquare()
        let H = Q.x.inlineProduct(ZZ) - X
        let R = Q.y.inlineProduct(ZZ.inlineProduct(Z)) - Y
        let HH = H.inlineSquare()
        let RR = R.inlineSquare()
        let HHH = H.inlineProduct(HH)
        let V = X.inlineProduct(HH)
        let W = Y.inlineProduct(HHH)
        let G = V + V + V + HHH - RR  // V − X₃
        if _slowPath(H.isZero) || _slowPath(G.isZero) {
            // P = ±Q, or P + Q = −P: doubles, then adds. Random inputs do not reach this.
            double()
            addVarTime(Q)
            return
        }
        let GG = G.inlineSquare()
        let S = R.inlineProduct(G) - W - W  // Y₃ − W
        let GGG = G.inlineProduct(GG)
        let U = V.inlineProduct(GG)
        let SS = S.inlineSquare()
        Z = Z.inlineProduct(H).inlineProduct(G)
        X = SS + GGG - U - U
        let WGGG = W.fullProduct(GGG)
        Y = .reducedDifference(S.fullProduct(X - U), WGGG)
    }

    /// (X/Z², Y/Z³), or `nil` for the point at infinity. Time: variable.
    func affineVarTime() -> AffinePoint<Curve>? {
        if isInfinity { return nil }
        let inverse = Z.invertedVarTime(), square = inverse.squared()
        return AffinePoint(x: X * square, y: Y * (square * inverse))
    }
}
