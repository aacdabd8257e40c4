/// A point (x, y) of the curve, other than the point at infinity.
struct AffinePoint<Curve: PrimeCurve>: Sendable {
    var x, y: Curve.Field

    @inline(__always)
    func negated() -> Self {
        Self(x: x, y: y.negated())  // (x, −y)
    }

    /// Whether the point satisfies the curve equation, SEC 1 §2.2.1.
    var isOnCurve: Bool {
        y.squared() == Curve.rightHandSide(x)  // y² = x³ − 3x + b
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
