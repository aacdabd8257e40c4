/// A public key's odd multiples for scalars cut into limbs: 64 doublings instead of 256 or 384.
struct PrecomputedPoint<Curve: PrimeCurve>: Sendable {
    /// (2i + 1)·2^(partBits·part)·Q at 8·part + i.
    let multiples: [AffinePoint<Curve>]

    /// Costs about one verification.
    init(_ Q: AffinePoint<Curve>) {
        var multiples: [AffinePoint<Curve>] = []
        multiples.reserveCapacity(8 * Curve.partCount)
        var base = Q
        for part in 0..<Curve.partCount {
            let odd = base.oddMultiples()
            for i in 0..<8 { multiples.append(odd[i]) }
            if part + 1 < Curve.partCount { base = base.doubled(times: Curve.partBits) }
        }
        self.multiples = multiples
    }

    /// From a table that was computed before.
    init(multiples: [AffinePoint<Curve>]) {
        precondition(multiples.count == 8 * Curve.partCount)
        self.multiples = multiples
    }

    func doubleMultiplyVarTime(_ u1: Curve.Scalar, _ u2: Curve.Scalar) -> JacobianPoint<Curve> {
        Curve.doubleMultiplyVarTime(u1, u2, multiples: multiples.span)
    }
}

extension AffinePoint {
    /// 2ᵏ·Q. Bounds: the order is odd, so that it is never infinity.
    func doubled(times k: Int) -> Self {
        var point = JacobianPoint(self)
        for _ in 0..<k { point.double() }
        guard let affine = point.affineVarTime() else {
            preconditionFailure("a point of odd order doubled to infinity")
        }
        return affine
    }
}
