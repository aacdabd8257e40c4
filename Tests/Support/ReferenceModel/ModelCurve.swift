/// A point of a curve in affine coordinates, or the point at infinity (the group's neutral element).
public enum ModelPoint: Hashable, Sendable {
    /// The neutral element, which has no coordinates.
    case infinity
    /// The point (x, y), both below p.
    case point(x: BigUInt, y: BigUInt)

    /// The first coordinate, or `nil` at infinity.
    public var x: BigUInt? {
        if case .point(let x, _) = self { x } else { nil }
    }
    /// The second coordinate, or `nil` at infinity.
    public var y: BigUInt? {
        if case .point(_, let y) = self { y } else { nil }
    }
}

/// A curve y² = x³ + ax + b over the integers modulo p, with a base point G of prime order n and cofactor 1.
public struct ModelCurve: Sendable {
    /// The name in SP 800-186, or a description of a toy curve.
    public var name: String
    /// The field's prime.
    public var p: BigUInt
    /// The coefficient of x.
    public var a: BigUInt
    /// The constant coefficient.
    public var b: BigUInt
    /// The prime number of points, including infinity.
    public var n: BigUInt
    /// The base point G.
    public var generator: ModelPoint

    /// The length of a coordinate in bytes.
    public var coordinateByteCount: Int { (p.bitWidth + 7) / 8 }

    /// Returns x³ + ax + b mod p.
    public func rightHandSide(_ x: BigUInt) -> BigUInt { (x * x * x + a * x + b) % p }

    /// Returns whether the point is infinity, or has coordinates below p that satisfy the curve's equation.
    public func isOnCurve(_ point: ModelPoint) -> Bool {
        guard case .point(let x, let y) = point else { return true }
        return x < p && y < p && y * y % p == rightHandSide(x)
    }

    /// Returns a number whose square is `value` mod p, or `nil` if none exists. Traps unless p ≡ 3 mod 4.
    public func squareRoot(_ value: BigUInt) -> BigUInt? {
        precondition(p % 4 == 3)
        // By Euler's criterion, value^((p−1)/2) = 1 for a square, so (value^((p+1)/4))² = value.
        let root = value.power((p + 1) / 4, modulo: p)
        return root * root % p == value % p ? root : nil
    }

    /// Returns the points whose first coordinate is x. The point with even y comes first. Returns an empty array if
    /// there are no such points.
    public func points(x: BigUInt) -> [ModelPoint] {
        guard let root = squareRoot(rightHandSide(x)) else { return [] }
        if root.isZero { return [.point(x: x, y: root)] }
        let (even, odd) = root.isOdd ? (p - root, root) : (root, p - root)
        return [.point(x: x, y: even), .point(x: x, y: odd)]
    }

    /// Returns −P, the point reflected in the x axis.
    public func negate(_ point: ModelPoint) -> ModelPoint {
        guard case .point(let x, let y) = point else { return .infinity }
        return .point(x: x, y: y.negated(modulo: p))
    }

    /// Returns 2P by the tangent (SP 800-186 §A.1.1: λ = (3x² + a) / 2y).
    public func double(_ point: ModelPoint) -> ModelPoint {
        guard case .point(let x, let y) = point, !y.isZero else { return .infinity }
        return thirdPoint(x, y, x, slope: (3 * x * x + a) * inverse(2 * y) % p)
    }

    /// Returns P + Q by the chord (SP 800-186 §A.1.1: λ = (y₂ − y₁) / (x₂ − x₁)).
    public func add(_ first: ModelPoint, _ second: ModelPoint) -> ModelPoint {
        guard case .point(let x1, let y1) = first else { return second }
        guard case .point(let x2, let y2) = second else { return first }
        if x1 == x2 { return y1 == y2 ? double(first) : .infinity }
        let slope = y2.subtracting(y1, modulo: p) * inverse(x2.subtracting(x1, modulo: p)) % p
        return thirdPoint(x1, y1, x2, slope: slope)
    }

    /// Returns kP for any k, by doubling and adding from the top bit.
    ///
    /// Represents points as fractions with a common denominator, so the whole computation needs only one inversion (see
    /// ``Fraction``). ``multiplyAffine(_:_:)`` computes the same result without fractions.
    public func multiply(_ k: BigUInt, _ point: ModelPoint) -> ModelPoint {
        guard case .point(let x, let y) = point else { return .infinity }
        let base = Fraction(x: x, y: y, z: 1)
        var result = Fraction(x: 0, y: 1, z: 0)
        for index in (0..<k.bitWidth).reversed() {
            result = double(result)
            if k.bit(index) { result = add(result, base) }
        }
        return affine(result)
    }

    /// Returns kP by affine steps. Tests compare ``multiply(_:_:)`` with it.
    public func multiplyAffine(_ k: BigUInt, _ point: ModelPoint) -> ModelPoint {
        var result = ModelPoint.infinity
        for index in (0..<k.bitWidth).reversed() {
            result = double(result)
            if k.bit(index) { result = add(result, point) }
        }
        return result
    }

    /// Returns the reflection of the line's third intersection with the curve: x₃ = λ² − x₁ − x₂, y₃ = λ(x₁ − x₃) − y₁.
    private func thirdPoint(_ x1: BigUInt, _ y1: BigUInt, _ x2: BigUInt, slope: BigUInt) -> ModelPoint {
        let x3 = (slope * slope).subtracting(x1 + x2, modulo: p)
        return .point(x: x3, y: (slope * x1.subtracting(x3, modulo: p)).subtracting(y1, modulo: p))
    }

    /// Returns 1 / value mod p. Traps if the value is 0 mod p.
    func inverse(_ value: BigUInt) -> BigUInt {
        guard let inverse = value.inverse(modulo: p) else { preconditionFailure("no inverse") }
        return inverse
    }
}
