/// A point (X : Y : Z) in Jacobian coordinates: x = X/Z², y = Y/Z³; Z = 0 is the point at infinity.
///
/// Formulas: the Explicit-Formulas Database (https://hyperelliptic.org/EFD/g1p/auto-shortw-jacobian-3.html) and Cohen, Miyaji
/// and Ono 1998; each line carries its name there. Upper case is a coordinate, as in the papers.
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

    /// 2·P, 4M + 4S.
    ///
    /// The doubling "dbl-2001-b" for a = −3 with its coordinates scaled by λ = 1/2, that is (X/4 : Y/8 : Z/2): with
    /// α = 3(X − δ)(X + δ), δ = Z², the affine slope is α/(2YZ); the halves below remove the factors 4 and 8.
    /// Complete: infinity (Z = 0) doubles to Z₃ = 0. Y = 0 does not occur: a point of order 2 is not in a group of odd order.
    @inline(never)
    mutating func double() {
        let δ = Z.inlineSquare()
        let m = (X - δ).inlineProduct(X + δ)
        let α = m + m.halved()  // α/2 = 3(X − δ)(X + δ)/2
        let γ = Y.inlineSquare()
        let β = X.inlineProduct(γ)
        Z = Y.inlineProduct(Z)  // Z₃/2
        X = α.inlineSquare() - β - β  // X₃/4 = (α/2)² − 2β
        Y = α.inlineProduct(β - X) - γ.inlineSquare()  // Y₃/8 = (α/2)(β − X₃/4) − γ²
    }

    func doubled() -> Self {
        var point = self
        point.double()
        return point
    }

    /// P + Q for affine Q, every case: infinity, P = Q and P = −Q among them. 8M + 3S. Time: variable.
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
        } else {
            addDistinct(H: H, R: R)
        }
    }

    /// The end of an addition whose two points have the same x (H = 0): equal points (R = 0) are doubled, opposite ones are
    /// infinity. Random inputs do not come here.
    @inline(never)
    private mutating func addSameX(_ R: Curve.Field) {
        if R.isZero { double() } else { self = .infinity }
    }

    /// P + Q for affine Q with P ≠ ±Q, neither infinity; the caller's to show. Returns H = Z₃/Z₁.
    mutating func addDistinctVarTime(_ Q: AffinePoint<Curve>) -> Curve.Field {
        let ZZ = Z.squared()
        let H = Q.x * ZZ - X, R = Q.y * (ZZ * Z) - Y
        addDistinct(H: H, R: R)
        return H
    }

    /// The rest of "madd", from H = U₂ − X₁ ≠ 0 and R = S₂ − Y₁.
    @inline(__always)
    private mutating func addDistinct(H: Curve.Field, R: Curve.Field) {
        let HH = H.inlineSquare()
        let HHH = H.inlineProduct(HH)
        let V = X.inlineProduct(HH)
        Z = Z.inlineProduct(H)
        X = R.inlineSquare() - HHH - V - V
        Y = R.inlineProduct(V - X) - Y.inlineProduct(HHH)
    }

    /// (X/Z², Y/Z³); `nil` for the point at infinity. Time: variable.
    func affineVarTime() -> AffinePoint<Curve>? {
        if isInfinity { return nil }
        let inverse = Z.invertedVarTime(), square = inverse.squared()
        return AffinePoint(x: X * square, y: Y * (square * inverse))
    }
}
