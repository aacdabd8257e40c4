/// The point (x/z, y/z) in homogeneous coordinates, where z = 0 is infinity. The fast code uses Jacobian coordinates.
struct Fraction {
    var x: BigUInt
    var y: BigUInt
    var z: BigUInt
}

extension ModelCurve {
    func affine(_ point: Fraction) -> ModelPoint {
        if point.z.isZero { return .infinity }
        let inverse = inverse(point.z)
        return .point(x: point.x * inverse % p, y: point.y * inverse % p)
    }

    /// Adds by the chord rule with λ = u/v, where the denominators z₁z₂v³ are multiplied out.
    func add(_ first: Fraction, _ second: Fraction) -> Fraction {
        if first.z.isZero { return second }
        if second.z.isZero { return first }
        // Gives both points the denominator z₁z₂.
        let (x1, x2) = (first.x * second.z % p, second.x * first.z % p)
        let (y1, y2) = (first.y * second.z % p, second.y * first.z % p)
        let z = first.z * second.z % p
        if x1 == x2 { return y1 == y2 ? double(first) : Fraction(x: 0, y: 1, z: 0) }
        let u = y2.subtracting(y1, modulo: p)
        let v = x2.subtracting(x1, modulo: p)
        let v2 = v * v % p
        let v3 = v2 * v % p
        // x₃ = u²/v² − (x₁ + x₂)/z; t = x₃ · v²z.
        let t = (u * u % p * z).subtracting(v2 * (x1 + x2), modulo: p)
        // y₃ = u/v · (x₁/z − x₃) − y₁/z.
        let y3 = (u * (v2 * x1).subtracting(t, modulo: p)).subtracting(v3 * y1, modulo: p)
        return Fraction(x: v * t % p, y: y3, z: v3 * z % p)
    }

    /// Doubles by the tangent rule with λ = u/v, u = 3x² + az² and v = 2yz, where the denominator v³ is multiplied out.
    func double(_ point: Fraction) -> Fraction {
        if point.z.isZero || point.y.isZero { return Fraction(x: 0, y: 1, z: 0) }
        let u = (3 * point.x * point.x + a * (point.z * point.z % p)) % p
        let v = 2 * point.y * point.z % p
        let v2 = v * v % p
        // x/z = 2xy/v and y/z = 2y²/v.
        let x = 2 * point.x * point.y % p
        let y = 2 * point.y * point.y % p
        // x₃ = (u² − 2xv)/v², y₃ = (u(xv − t) − yv²)/v³ with t = u² − 2xv.
        let t = (u * u).subtracting(2 * x * v, modulo: p)
        let y3 = (u * (x * v).subtracting(t, modulo: p)).subtracting(y * v2, modulo: p)
        return Fraction(x: t * v % p, y: y3, z: v2 * v % p)
    }
}
