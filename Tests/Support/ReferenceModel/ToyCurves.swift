extension ModelCurve {
    /// Returns the curve y² = x³ − 3x + b over a prime p that is small enough to list every point.
    ///
    /// Returns `nil` unless the curve is smooth and the number of points, including infinity, is a prime other than p.
    /// Curves with n = p are anomalous, and P-256 is not. The base point is the point with the smallest x, and of two
    /// such points the one with the smaller y. Every point except infinity generates the whole group.
    public static func toy(p: Int, b: Int) -> ModelCurve? {
        precondition(isPrime(p) && p > 3 && (0..<p).contains(b))
        // The curve is smooth if 4a³ + 27b² ≠ 0, which is 27(b² − 4) here.
        guard 27 * (b * b - 4) % p != 0 else { return nil }
        var roots = [[Int]](repeating: [], count: p)
        for y in 0..<p { roots[y * y % p].append(y) }
        var order = 1
        var first: (x: Int, y: Int)?
        for x in 0..<p {
            let ys = roots[(x * x * x + (p - 3) * x + b) % p]
            order += ys.count
            if first == nil, let y = ys.first { first = (x, y) }
        }
        guard let first, isPrime(order), order != p else { return nil }
        return ModelCurve(
            name: "toy curve p = \(p), b = \(b), n = \(order)", p: BigUInt(UInt64(p)), a: BigUInt(UInt64(p - 3)),
            b: BigUInt(UInt64(b)), n: BigUInt(UInt64(order)),
            generator: .point(x: BigUInt(UInt64(first.x)), y: BigUInt(UInt64(first.y))))
    }

    /// Returns the smooth prime-order curves y² = x³ − 3x + b over the primes in the range, ordered by p, then b.
    public static func toys(primes range: Range<Int>) -> [ModelCurve] {
        range.filter { $0 > 3 && isPrime($0) }.flatMap { p in (0..<p).compactMap { toy(p: p, b: $0) } }
    }

    /// Returns every multiple of a toy curve's base point, by repeated addition. Element k is kG, for k in 0..<n.
    public func multiplesOfGenerator() -> [ModelPoint] {
        var multiples = [ModelPoint.infinity]
        while true {
            let next = add(multiples[multiples.count - 1], generator)
            if next == .infinity { return multiples }
            multiples.append(next)
        }
    }

    private static func isPrime(_ value: Int) -> Bool {
        value > 1 && !(2..<value).prefix { $0 * $0 <= value }.contains { value % $0 == 0 }
    }
}
