/// Arithmetic modulo an odd n. A number x "in the Montgomery domain" is represented by x·R mod n. Comments state which
/// numbers are in the domain. R = 2^(64·c), where c is the limb count of n rounded up to a multiple of 4, as
/// `MontgomeryKernel.swift` requires. Time: variable; no input is secret. Source: Montgomery 1985.
/// `MontgomeryKernel.swift` implements the products.
package struct MontgomeryModulus: Hashable, Sendable {
    /// The maximum number of limbs of a number, which is enough for 4,096 bits.
    package static var maximumLimbCount: Int { RSA.Signing.PublicKey.maximumModulusSize / 64 }

    /// A number of up to ``maximumLimbCount`` limbs, least significant first, on the stack. Unused limbs are 0.
    package typealias Number = InlineArray<64, UInt64>
    private typealias Product = InlineArray<128, UInt64>

    /// n, padded with zeros to a multiple of 4 limbs: 4 to 64 limbs.
    let limbs: [UInt64]
    let bitWidth: Int
    /// −n⁻¹ mod 2²⁵⁶, four limbs.
    private let negatedInverse: [UInt64]
    /// R² mod n, with as many limbs as n.
    private var squareOfR: [UInt64]

    /// Returns `nil` unless n is odd, exceeds 1 and has at most ``maximumLimbCount`` limbs.
    package init?(bigEndian bytes: Span<UInt8>) {
        guard let number = Self.number(bigEndian: bytes) else { return nil }
        var count = Self.maximumLimbCount
        while count > 1, number[count - 1] == 0 { count -= 1 }
        guard number[0] & 1 == 1, count > 1 || number[0] != 1 else { return nil }
        let top = number[count - 1]
        self.init(
            odd: (0..<(count + 3) & ~3).map { number[$0] }, bitWidth: 64 * count - top.leadingZeroBitCount)
    }

    /// Bounds: `limbs` contains an odd number above 1 that is `bitWidth` bits long. The limb count is a multiple of 4,
    /// and at most ``maximumLimbCount``.
    private init(odd limbs: [UInt64], bitWidth: Int) {
        self.limbs = limbs
        self.bitWidth = bitWidth
        negatedInverse = Self.negatedInverse(of: limbs)
        squareOfR = []
        let square = computedSquareOfR()
        squareOfR = (0..<limbs.count).map { square[$0] }
    }

    /// Converts big-endian octets to a number (RFC 8017 §4.2), or returns `nil` if the number does not fit.
    package static func number(bigEndian bytes: Span<UInt8>) -> Number? {
        guard bytes.count <= 8 * maximumLimbCount else { return nil }
        var number = Number(repeating: 0)
        for i in 0..<bytes.count {
            let place = bytes.count - 1 - i
            number[place >> 3] |= UInt64(bytes[i]) << UInt64(truncatingIfNeeded: 8 * (place & 7))
        }
        return number
    }

    func isReduced(_ a: Number) -> Bool {
        for i in stride(from: Self.maximumLimbCount - 1, through: 0, by: -1) {
            let limb = i < limbs.count ? limbs[i] : 0
            if a[i] != limb { return a[i] < limb }
        }
        return false
    }

    /// s^e mod n. Neither s nor the result is in the Montgomery domain.
    ///
    /// Bounds: s < n; e is odd and not 1, so the last step of the exponentiation multiplies. There are at most 2·63 + 2
    /// products. Intermediate values are below R, but not always below n. The last product multiplies an intermediate
    /// value by s < n, so the product is below 2n before the last subtraction.
    ///
    /// Source: Guide to ECC, Algorithm 3.27, for the order of the bits. The last factor is s outside the domain, so the
    /// last product removes the factor R.
    func power(_ s: Number, _ exponent: UInt64) -> Number {
        let factor = inDomain(s)
        var t = Product(repeating: 0)
        var power = factor
        var bit = 63 - exponent.leadingZeroBitCount
        while bit > 1 {
            bit -= 1
            squareInDomain(&power, &t)
            if exponent >> UInt64(truncatingIfNeeded: bit) & 1 == 1 { multiplyInDomain(&power, factor, &t) }
        }
        squareInDomain(&power, &t)
        // s^(e − 1)·R, and s^(e − 1)·R·s·R⁻¹ = s^e.
        return product(power, s)
    }

    /// s·R mod n: converts a number to the Montgomery domain. Bounds: s < R; the result is below n.
    package func inDomain(_ s: Number) -> Number { product(s, squareOfRNumber) }

    /// a·b·R⁻¹ mod n. If both factors are in the Montgomery domain, so is the product. Bounds: a < R and b < n, or a <
    /// n and b < R. Then a·b < R·n, so `reduce` yields a number below 2n, and one subtraction of n gives the remainder.
    package func product(_ a: Number, _ b: Number) -> Number {
        var t = Product(repeating: 0)
        var result = a
        multiplyInDomain(&result, b, &t)
        if !isReduced(result) { subtractModulus(&result) }
        return result
    }

    /// a ← a·b·R⁻¹ mod n, below R. Bounds: a, b < R. `t` is scratch space.
    private func multiplyInDomain(_ a: inout Number, _ b: Number, _ t: inout Product) {
        let count = limbs.count
        precondition(count <= Self.maximumLimbCount)
        var t = t.mutableSpan
        multiply(a.span.extracting(first: count), b.span.extracting(first: count), into: &t)
        var result = a.mutableSpan
        reduce(&t, into: &result)
    }

    /// a ← a²·R⁻¹ mod n, below R. Bounds: a < R. `t` is scratch space.
    private func squareInDomain(_ a: inout Number, _ t: inout Product) {
        let count = limbs.count
        precondition(count <= Self.maximumLimbCount)
        var t = t.mutableSpan
        square(a.span.extracting(first: count), into: &t)
        var result = a.mutableSpan
        reduce(&t, into: &result)
    }

    /// r ← t·R⁻¹ mod n, below R; overwrites `t`. Bounds: t < R².
    func reduce(_ t: inout MutableSpan<UInt64>, into r: inout MutableSpan<UInt64>) {
        PureRSA.reduce(&t, modulo: limbs.span, negatedInverse.span, into: &r)
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

    /// 2a mod n. Bounds: a < n, so 2a < 2n, and one subtraction suffices.
    private func double(_ a: inout Number) {
        var carry: UInt64 = 0
        for i in 0..<limbs.count {
            let limb = a[i]
            a[i] = limb << 1 | carry
            carry = limb >> 63
        }
        if carry == 1 || !isReduced(a) { subtractModulus(&a) }
    }

    /// R² mod n. Doubles 2^bitWidth mod n until the number is 2^c·R, c = `limbs.count`. This number represents 2^c in
    /// the Montgomery domain. Six squarings in the domain then yield R·R, which represents (2^c)^64 = R.
    private func computedSquareOfR() -> Number {
        // 2^bitWidth − n. n is odd and its top bit is set, so this difference is above 0 and below n. The difference
        // equals ¬n + 1, and ¬n is even.
        var square = Number(repeating: 0)
        let top = (bitWidth - 1) / 64
        for i in 0...top { square[i] = ~limbs[i] }
        square[0] |= 1
        let unused = 64 * (top + 1) - bitWidth
        square[top] &= .max >> UInt64(truncatingIfNeeded: unused)
        for _ in 0..<64 * limbs.count - bitWidth + limbs.count { double(&square) }
        for _ in 0..<6 { square = product(square, square) }
        return square
    }

    private var squareOfRNumber: Number {
        var number = Number(repeating: 0)
        for i in 0..<squareOfR.count { number[i] = squareOfR[i] }
        return number
    }

    /// −n⁻¹ mod 2²⁵⁶ of an odd n, by Newton's iteration x ← x·(2 − n·x). n·n = 1 mod 8, so n is its own inverse in the
    /// low 3 bits, and each step doubles the number of correct bits: 3, 6, 12, 24, 48, 96, 192, 384.
    private static func negatedInverse(of n: [UInt64]) -> [UInt64] {
        let two: InlineArray<4, UInt64> = [2, 0, 0, 0]
        let n: InlineArray<4, UInt64> = [n[0], n[1], n[2], n[3]]
        var inverse = n
        for _ in 0..<7 { inverse = lowProduct(inverse, difference(two, lowProduct(n, inverse))) }
        let negated = difference([0, 0, 0, 0], inverse)
        return (0..<4).map { negated[$0] }
    }

    /// a − b mod 2²⁵⁶.
    private static func difference(
        _ a: InlineArray<4, UInt64>, _ b: InlineArray<4, UInt64>
    ) -> InlineArray<4, UInt64> {
        var carry: UInt64 = 1
        var result = a
        for i in 0..<4 { result[i] = addWithCarry(a[i], ~b[i], &carry) }
        return result
    }
}
