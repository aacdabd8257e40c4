/// Eight points in Jacobian coordinates: (X : Y : Z) is (X/Z², Y/Z³).
///
/// *Bounds*: X, Y < 1.001 U; Z < 2.6 U. The bounds of products follow from `FieldLanes.*`. The comment on each line
/// states the interval of the number, in units of U. *Time*: constant.
///
/// No branch tests for exceptional operands. An addition of equal or opposite points, or to the point at infinity,
/// gives Z ≡ 0 mod p. Every later operation multiplies Z by a factor, so Z stays 0 mod p. A test of Z at the end
/// detects all exceptional operands.
struct JacobianLanes {
    var X, Y, Z: FieldLanes

    init(X: FieldLanes, Y: FieldLanes, Z: FieldLanes) {
        (self.X, self.Y, self.Z) = (X, Y, Z)
    }

    /// (x : ±y : 1), with −y in the lanes whose `sign` is −1. Bounds: x, y < 16 U.
    init(_ point: (x: FieldLanes, y: FieldLanes), sign: Lanes) {
        X = point.x.loose.folded
        Y = point.y.loose.negated(where: sign).addingModulus(times: 17).folded  // ±y + 17p: 0.9 … 33
        Z = .one
    }

    /// 2P, for a = −3 (dbl-2001-b of the Explicit-Formulas Database; Bernstein 2001). 4M + 4S.
    @inline(never)
    mutating func double() {
        let δ = Z.squared  // δ = Z² < 1.43
        let γ = Y.squared  // γ = Y² < 1.07
        let a = (X.loose - δ.loose).addingModulus(times: 2).carried  // X − δ: 0.56 … 3.01
        let b = (X.loose + δ.loose).carried  // X + δ < 2.44
        let β = X * γ  // β = X·γ < 1.07
        let m = WideLanes(a, b).reduced  // (X − δ)(X + δ) < 1.46
        Z = WideLanes(Y, Z).reduced.doubled(times: 1).carried  // Z₃ = 2·Y·Z < 2.33
        let α = (m + m.doubled(times: 1)).carried  // α = 3(X − δ)(X + δ) < 4.38
        let γγ = WideLanes(squareOf: γ)  // γ², not reduced: < 1.15 U²
        let αα = WideLanes(squareOf: α).reduced  // α² < 2.20
        X = (αα - β.loose.doubled(times: 3)).addingModulus(times: 10).folded  // X₃ = α² − 8β: 1.4 … 12.2
        let g = (β.loose.doubled(times: 2) - X.loose).addingModulus(times: 2).carried  // 4β − X₃: 0.99 … 6.28
        // Y₃ = α(4β − X₃) − 8γ². Intervals: −9.2 … 27.6 U² before the reduction, −0.58 … 2.73 after the reduction, 1.42
        // … 4.73 with 2p added.
        Y = WideLanes(α, g).subtracting(γγ, doubled: 3).reduced.addingModulus(times: 2).folded
    }

    /// P + (x, ±y), with −y in the lanes whose `sign` is −1 (mixed addition, Guide to ECC Algorithm 3.22). 8M + 3S.
    /// Bounds: x, y < 16 U.
    @inline(never)
    mutating func add(_ x: FieldLanes, _ y: FieldLanes, sign: Lanes) {
        let ZZ = Z.squared  // Z² < 1.43
        let ZZZ = ZZ * Z  // Z³ < 1.24
        let u = WideLanes(x, ZZ).reduced  // U₂ = x·Z² < 2.43
        let H = (u - X.loose).addingModulus(times: 2).carried  // H = U₂ − X: 0.99 … 4.43
        let s = WideLanes(y, ZZZ).reduced.negated(where: sign)  // S₂ = ±y·Z³: −2.24 … 2.24
        let HH = H.squared  // H² < 2.23
        let R = (s - Y.loose).addingModulus(times: 5).carried  // r = S₂ − Y: 1.75 … 7.24
        let HHH = H * HH  // H³ < 1.62
        let V = X * HH  // V = X·H² < 1.14
        let RR = WideLanes(squareOf: R).reduced  // r² < 4.28
        Z = Z * H  // Z₃ = Z·H < 1.72
        let W = WideLanes(Y, HHH)  // Y·H³, not reduced: < 1.63 U²
        // X₃ = r² − H³ − 2V: 2.09 … 10.28
        X = (RR - HHH.loose - V.loose.doubled(times: 1)).addingModulus(times: 6).folded
        let g = (V.loose - X.loose).addingModulus(times: 2).carried  // V − X₃: 0.99 … 3.14
        // Y₃ = r(V − X₃) − Y·H³. Intervals: −1.63 … 22.8 U² before the reduction, −0.11 … 2.43 after the reduction,
        // 1.88 … 4.43 with 2p added.
        Y = WideLanes(R, g).subtracting(W).reduced.addingModulus(times: 2).folded
    }
}
