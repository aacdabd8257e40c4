// Square roots by exponentiation, for all representations of field elements. Each prime has its own exponent.

/// An element of GF(p), where p is the prime of P-256.
protocol P256Element: PrimeField where Plain == InlineArray<4, UInt64> {
    /// Converts the limbs of a ``P256Field``, which are any number below 2²⁵⁶ that is congruent to x·2²⁵⁶ mod p.
    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64)
}

/// An element of GF(p), where p is the prime of P-384.
protocol P384Element: PrimeField where Plain == InlineArray<6, UInt64> {
    /// Converts the limbs of a ``P384Field``, which are any number below 2³⁸⁴ that is congruent to x·2³⁸⁴ mod p.
    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64, _ w4: UInt64, _ w5: UInt64)
}

extension P256Element {
    /// Returns a square root, or `nil` if there is none. Computes x^((p+1)/4), because p ≡ 3 mod 4 (SEC 1 §2.3.4, by
    /// Lagrange). Squares the root and compares the square with self, so the verdict does not rely on the
    /// exponentiation. Takes 255 squarings. Time: variable.
    func squareRootVarTime() -> Self? {
        // (p+1)/4 = 2²⁵⁴ − 2²²² + 2¹⁹⁰ + 2⁹⁴ = (((2³² − 1)·2³² + 1)·2⁹⁶ + 1)·2⁹⁴: 32 ones, 31 zeros, a one, 95 zeros, a
        // one, 94 zeros.
        let x2 = squared() * self  // 2² − 1 = 2 + 1
        let x4 = x2.squared(times: 2) * x2  // 2⁴ − 1
        let x8 = x4.squared(times: 4) * x4  // 2⁸ − 1
        let x16 = x8.squared(times: 8) * x8  // 2¹⁶ − 1
        let x32 = x16.squared(times: 16) * x16  // 2³² − 1
        let root = ((x32.squared(times: 32) * self).squared(times: 96) * self).squared(times: 94)  // (p + 1)/4
        return root.squared() == self ? root : nil
    }
}

extension P384Element {
    /// Returns a square root, or `nil` if there is none. Computes x^((p+1)/4), as ``P256Element/squareRootVarTime()``
    /// does. Time: variable.
    func squareRootVarTime() -> Self? {
        // (p+1)/4 = (((2²⁵⁵ − 1)·2³³ + 2³² − 1)·2⁶⁴ + 1)·2³⁰: 255 ones, a zero, 32 ones, 63 zeros, a one, 30 zeros.
        let x2 = squared() * self  // 2² − 1 = 2 + 1
        let x3 = x2.squared() * self  // 2³ − 1
        let x6 = x3.squared(times: 3) * x3  // 2⁶ − 1
        let x12 = x6.squared(times: 6) * x6  // 2¹² − 1
        let x15 = x12.squared(times: 3) * x3  // 2¹⁵ − 1
        let x30 = x15.squared(times: 15) * x15  // 2³⁰ − 1
        let x32 = x30.squared(times: 2) * x2  // 2³² − 1
        let x60 = x30.squared(times: 30) * x30  // 2⁶⁰ − 1
        let x120 = x60.squared(times: 60) * x60  // 2¹²⁰ − 1
        let x240 = x120.squared(times: 120) * x120  // 2²⁴⁰ − 1
        let x255 = x240.squared(times: 15) * x15  // 2²⁵⁵ − 1
        let root = ((x255.squared(times: 33) * x32).squared(times: 64) * self).squared(times: 30)  // (p + 1)/4
        return root.squared() == self ? root : nil
    }
}
