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
    /// With 2·Q = (X : Y : Z), the map (x, y) ↦ (x·Z², y·Z³) leads to an isomorphic curve on which 2·Q is the affine (X, Y): adding it
    /// seven times to the image of Q takes mixed additions, whose formula does not contain a. Each addition multiplies the
    /// Z-coordinate by a known ratio, so that one inverse of the last Z, walked back, gives all of them.
    /// Bounds: n > 16, so that i·Q ≠ ±2·Q for odd i ≤ 13 and no addition is exceptional. Time: variable.
    func oddMultiples() -> OddMultiples<Curve> {
        let double = JacobianPoint(self).doubled()
        let step = AffinePoint(x: double.X, y: double.Y)
        let zz = double.Z.squared()
        var point = JacobianPoint<Curve>(AffinePoint(x: x * zz, y: y * zz * double.Z))
        var points = OddMultiples<Curve>(repeating: self)
        var ratios = InlineArray<8, Curve.Field>(repeating: .one)
        for i in 1..<8 {
            ratios[i] = point.addDistinctVarTime(step)
            points[i] = AffinePoint(x: point.X, y: point.Y)
        }
        // The Z-coordinates are those on the isomorphic curve; on this one each is multiplied by 2·Q's Z.
        var inverse = (point.Z * double.Z).invertedVarTime()
        for i in stride(from: 7, to: 0, by: -1) {
            let square = inverse.squared()
            points[i].x = points[i].x * square
            points[i].y = points[i].y * (square * inverse)
            inverse = inverse * ratios[i]
        }
        return points
    }
}
