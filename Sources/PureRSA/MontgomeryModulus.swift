/// Numbers modulo an odd n, in the Montgomery domain where a function says so: the domain's form of x is x·R mod n, R = 2^(64·count).
///
/// Time: variable, as everything here; nothing is secret.
///
/// Source: Montgomery 1985; Koç, Acar, Kaliski 1996 ("Analyzing and Comparing Montgomery Multiplication Algorithms"), §5, the finely
/// integrated form.
package struct MontgomeryModulus: Hashable, Sendable {
    /// The most limbs that a number has: 4,096 bits.
    package static var maximumLimbCount: Int { RSA.Signing.PublicKey.maximumModulusSize / 64 }

    /// A number of up to ``maximumLimbCount`` limbs, least significant first; limbs from `count` on are 0. On the stack.
    package typealias Number = InlineArray<64, UInt64>

    /// n, its top limb not 0: 1 to 64 limbs.
    let limbs: [UInt64]
    /// How many bits n has.
    let bitWidth: Int
    /// −n⁻¹ mod 2⁶⁴.
    private let negatedInverse: UInt64
    /// R² mod n, as many limbs as n.
    private var squareOfR: [UInt64]

    /// `nil` unless n is odd and has up to ``maximumLimbCount`` limbs, and more than one bit.
    package init?(bigEndian bytes: Span<UInt8>) {
        guard let number = Self.number(bigEndian: bytes) else { return nil }
        var count = Self.maximumLimbCount
        while count > 1, number[count - 1] == 0 { count -= 1 }
        guard number[0] & 1 == 1, count > 1 || number[0] != 1 else { return nil }
        self.init(odd: (0..<count).map { number[$0] })
    }

    /// Bounds: `limbs` is an odd number greater than 1 without leading zeros, of up to ``maximumLimbCount``.
    private init(odd limbs: [UInt64]) {
        self.limbs = limbs
        bitWidth = 64 * limbs.count - limbs[limbs.count - 1].leadingZeroBitCount
        negatedInverse = Self.negatedInverse(of: limbs[0])
        squareOfR = []
        let square = computedSquareOfR()
        squareOfR = (0..<limbs.count).map { square[$0] }
    }

    /// The number that the octets spell, most significant first (RFC 8017 §4.2); `nil` if it has more limbs than fit.
    package static func number(bigEndian bytes: Span<UInt8>) -> Number? {
        guard bytes.count <= 8 * maximumLimbCount else { return nil }
        var number = Number(repeating: 0)
        for i in 0..<bytes.count {
            let place = bytes.count - 1 - i
            number[place >> 3] |= UInt64(bytes[i]) << UInt64(truncatingIfNeeded: 8 * (place & 7))
        }
        return number
    }

    /// Whether a number is below n.
    func isReduced(_ a: Number) -> Bool {
        for i in stride(from: Self.maximumLimbCount - 1, through: 0, by: -1) {
            let limb = i < limbs.count ? limbs[i] : 0
            if a[i] != limb { return a[i] < limb }
        }
        return false
    }

    /// s^e mod n, neither in the Montgomery domain.
    ///
    /// Bounds: s < n; e is odd and not 1, so that its last step multiplies. At most 2·63 + 2 products.
    /// Source: Guide to ECC, Algorithm 3.27's order of bits, with squares; the last factor is the plain s, which undoes the domain's R.
    func power(_ s: Number, _ exponent: UInt64) -> Number {
        let factor = inDomain(s)
        var power = factor
        var bit = 63 - exponent.leadingZeroBitCount
        while bit > 1 {
            bit -= 1
            power = product(power, power)
            if exponent >> UInt64(truncatingIfNeeded: bit) & 1 == 1 { power = product(power, factor) }
        }
        // s^(e − 1)·R, and s^(e − 1)·R·s·R⁻¹ = s^e.
        return product(product(power, power), s)
    }

    /// s·R mod n: a number in the domain. Bounds: s < n.
    package func inDomain(_ s: Number) -> Number { product(s, squareOfRNumber) }

    /// a·b·R⁻¹ mod n: a product in the domain if both are.
    ///
    /// Bounds: a, b < n, and so is the result. Of the row's sum T (below: `t`, limbs, and `top` above them):
    /// - T < 2n before and after each row: the row makes it (T + a·bᵢ + m·n) / 2⁶⁴ < (2n + 2·(2⁶⁴ − 1)·n) / 2⁶⁴ = 2n. With n < R that
    ///   leaves one bit above R: `top` ≤ 1, and one subtraction of n at most gives the remainder.
    /// - Each step of a row adds two words to a product of two: (2⁶⁴ − 1)² + 2·(2⁶⁴ − 1) = 2¹²⁸ − 1, and no word overflows.
    /// - Exact: m makes the lowest word 0, for m·n₀ = −t₀ mod 2⁶⁴.
    package func product(_ a: Number, _ b: Number) -> Number {
        // Spans: an element of an InlineArray that is a parameter is read from a copy of all of it.
        let n = limbs.span, a = a.span, b = b.span, count = n.count
        precondition(count <= Self.maximumLimbCount)
        var t = Number(repeating: 0)
        var top: UInt64 = 0
        for i in 0..<count {
            let factor = b[i]
            var upper: UInt64 = 0, lower: UInt64 = 0
            let first = multiplyAdd(a[0], factor, t[0], &upper)
            let m = first &* negatedInverse
            _ = multiplyAdd(m, n[0], first, &lower)
            for j in 1..<count {
                let word = multiplyAdd(a[j], factor, t[j], &upper)
                t[j - 1] = multiplyAdd(m, n[j], word, &lower)
            }
            // The two carries and the bit above: less than 2⁶⁵, as T < 2n.
            let (sum, o1) = upper.addingReportingOverflow(lower)
            let (word, o2) = sum.addingReportingOverflow(top)
            t[count - 1] = word
            top = (o1 ? 1 : 0) + (o2 ? 1 : 0)
        }
        if top == 1 || !isReduced(t) { subtractModulus(&t) }
        return t
    }

    /// a − n mod R. Bounds: a < R.
    private func subtractModulus(_ a: inout Number) {
        var borrow: UInt64 = 0
        for i in 0..<limbs.count {
            let (difference, o1) = a[i].subtractingReportingOverflow(limbs[i])
            let (limb, o2) = difference.subtractingReportingOverflow(borrow)
            a[i] = limb
            borrow = o1 || o2 ? 1 : 0
        }
    }

    /// 2a mod n. Bounds: a < n, so that 2a < 2n, and one subtraction does.
    private func double(_ a: inout Number) {
        var carry: UInt64 = 0
        for i in 0..<limbs.count {
            let limb = a[i]
            a[i] = limb << 1 | carry
            carry = limb >> 63
        }
        if carry == 1 || !isReduced(a) { subtractModulus(&a) }
    }

    /// R² mod n, by doubling 2^bitWidth mod n until it is 2^count·R, and squaring that in the domain: 2^count has the form 2^count·R,
    /// and six squares make (2^count)^64 = R of it, whose form is R·R.
    private func computedSquareOfR() -> Number {
        // 2^bitWidth − n: n is odd and has its top bit, so that this is above 0 and below n. It is ¬n + 1, and ¬n is even.
        var square = Number(repeating: 0)
        for i in 0..<limbs.count { square[i] = ~limbs[i] }
        square[0] |= 1
        let unused = 64 * limbs.count - bitWidth
        square[limbs.count - 1] &= .max >> UInt64(truncatingIfNeeded: unused)
        for _ in 0..<unused + limbs.count { double(&square) }
        for _ in 0..<6 { square = product(square, square) }
        return square
    }

    private var squareOfRNumber: Number {
        var number = Number(repeating: 0)
        for i in 0..<squareOfR.count { number[i] = squareOfR[i] }
        return number
    }

    /// −n⁻¹ mod 2⁶⁴ of an odd n, by Newton's iteration: n·n = 1 mod 8, so that n is its own inverse in 3 bits, and each step
    /// doubles them: 3, 6, 12, 24, 48, 96.
    private static func negatedInverse(of n: UInt64) -> UInt64 {
        var inverse = n
        for _ in 0..<5 { inverse = inverse &* (2 &- n &* inverse) }
        return 0 &- inverse
    }
}

/// The low word of `a·b + c + carry`; `carry` becomes the high word.
///
/// Bounds: none are needed: (2⁶⁴ − 1)² + 2·(2⁶⁴ − 1) = 2¹²⁸ − 1.
@inline(__always)
private func multiplyAdd(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ carry: inout UInt64) -> UInt64 {
    #if arch(wasm32) || arch(arm) || arch(riscv32)
        // A product of two UInt128 would call __multi3, a library function that is not there.
        let (high, low) = a.multipliedFullWidth(by: b)
        let (s, o1) = low.addingReportingOverflow(c)
        let (t, o2) = s.addingReportingOverflow(carry)
        carry = high &+ (o1 ? 1 : 0) &+ (o2 ? 1 : 0)
        return t
    #else
        let sum = UInt128(a) &* UInt128(b) &+ UInt128(c) &+ UInt128(carry)
        carry = UInt64(truncatingIfNeeded: sum >> 64)
        return UInt64(truncatingIfNeeded: sum)
    #endif
}
