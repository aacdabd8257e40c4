/// A point (x, y) of the curve other than the point at infinity.
struct AffinePoint<Curve: PrimeCurve>: Sendable {
    var x, y: Curve.Field

    /// −(x, y) = (x, −y).
    @inline(__always)
    func negated() -> Self {
        Self(x: x, y: y.negated())
    }

    /// The curve equation, SEC 1 §2.2.1.
    var isOnCurve: Bool {
        y.squared() == Curve.rightHandSide(x)
    }
}

extension AffinePoint: Hashable {
    static func == (a: Self, b: Self) -> Bool {
        a.x == b.x && a.y == b.y
    }

    func hash(into hasher: inout Hasher) {
        let x = x.plain, y = y.plain
        for i in 0..<Curve.Field.Plain.limbCount {
            hasher.combine(x[limb: i])
            hasher.combine(y[limb: i])
        }
    }
}

/// The odd multiples 1·Q, 3·Q … 15·Q of a point: what a window of 5 needs.
typealias OddMultiples<Curve: PrimeCurve> = InlineArray<8, AffinePoint<Curve>>

/// The width of a window over ``OddMultiples``.
let oddMultiplesWindow = 5

extension AffinePoint {
    /// 1·Q, 3·Q … 15·Q in affine form, with one inversion.
    ///
    /// 2·Q is added seven times, the two points always on one Z (Meloni 2007, §3). That Z is never needed: under the map
    /// (x, y) ↦ (x·Z², y·Z³), which leads to an isomorphic curve, both are affine, and the addition does not contain the curve's a.
    /// Each addition multiplies Z by a known ratio, so that one inverse of the last Z, walked back, gives all of them.
    /// Bounds: n > 16, so that i·Q ≠ ±2·Q for odd i ≤ 13 and no addition is exceptional. Time: variable.
    func oddMultiples() -> OddMultiples<Curve> {
        var (double, point) = doubledOnOneZ()
        var points = OddMultiples<Curve>(repeating: self)
        var ratios = InlineArray<8, Curve.Field>(repeating: y)
        var Z = y
        for i in 1..<8 {
            ratios[i] = point.addOnOneZ(&double)
            points[i] = point
            Z = Z * ratios[i]
        }
        var inverse = Z.invertedVarTime()
        for i in stride(from: 7, to: 0, by: -1) {
            let square = inverse.squared()
            points[i].x = points[i].x * square
            points[i].y = points[i].y * (square * inverse)
            inverse = inverse * ratios[i]
        }
        return points
    }

    /// 2·Q and Q on one Z, which is y: ``JacobianPoint/double()`` for Z = 1, with β = x·y² and γ² = y·y³ among its intermediate values.
    private func doubledOnOneZ() -> (double: Self, point: Self) {
        let m = (x - .one) * (x + .one)
        let α = m + m.halved()
        let γ = y.squared()
        let β = x * γ
        let γγ = γ.squared()
        let X = α.squared() - β - β
        let Y = α * (β - X) - γγ
        return (double: Self(x: X, y: Y), point: Self(x: β, y: γγ))
    }

    /// This point plus P, for P ≠ ±self on the same Z: both are left on the Z of the sum, which is Z·H. Returns H. 4M + 2S.
    @inline(never)
    private mutating func addOnOneZ(_ P: inout Self) -> Curve.Field {
        let H = x - P.x
        let R = y - P.y
        let HH = H.squared()
        let HHH = H * HH
        let V = P.x * HH
        let W = P.y * HHH
        P = Self(x: V, y: W)
        x = R.squared() - HHH - V - V
        y = R * (V - x) - W
        return H
    }
}
