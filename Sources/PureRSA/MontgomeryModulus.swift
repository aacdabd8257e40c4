/// Arithmetic modulo an odd n. A number x "in the Montgomery domain" is represented by x·R mod n. Comments state which
/// numbers are in the domain. R = 2^(256·c), where c is the number of blocks of n. Time: variable; no input is secret.
/// Source: Montgomery 1985. `MontgomeryKernel.swift` implements the products.
package struct MontgomeryModulus: Hashable, Sendable {
    /// The maximum number of limbs of a number, which is enough for 4,096 bits.
    package static var maximumLimbCount: Int { RSA.Signing.PublicKey.maximumModulusSize / 64 }

    /// A number of up to ``maximumLimbCount`` limbs, least significant first, on the stack. Unused limbs are 0. A closure
    /// initialises the blocks, because Embedded Swift unrolls `repeating:`, which makes WebAssembly modules larger.
    package struct Number: Sendable {
        var blocks = InlineArray<16, Block> { _ in Block() }

        package init() {}

        /// Limb i. Bounds: 0 ≤ i < ``maximumLimbCount``.
        package subscript(i: Int) -> UInt64 {
            get { blocks[i >> 2][i & 3] }
            set { blocks[i >> 2][i & 3] = newValue }
        }
    }

    private typealias Product = InlineArray<32, Block>

    /// n: 1 to 16 blocks.
    let blocks: [Block]
    let bitWidth: Int
    /// −n⁻¹ mod 2²⁵⁶.
    private let negatedInverse: Block
    /// R² mod n, with as many blocks as n.
    private var squareOfR: [Block]

    /// Returns `nil` unless n is odd, exceeds 1 and has at most ``maximumLimbCount`` limbs.
    package init?(bigEndian bytes: Span<UInt8>) {
        guard let number = Self.number(bigEndian: bytes) else { return nil }
        var count = Self.maximumLimbCount
        while count > 1, number[count - 1] == 0 { count -= 1 }
        guard number[0] & 1 == 1, count > 1 || number[0] != 1 else { return nil }
        let top = number[count - 1]
        self.init(
            odd: (0..<(count + 3) / 4).map { number.blocks[$0] }, bitWidth: 64 * count - top.leadingZeroBitCount)
    }

    /// Bounds: `blocks` contains an odd number above 1 that is `bitWidth` bits long, in at most 16 blocks.
    private init(odd blocks: [Block], bitWidth: Int) {
        self.blocks = blocks
        self.bitWidth = bitWidth
        negatedInverse = Self.negatedInverse(of: blocks[0])
        squareOfR = []
        let square = computedSquareOfR()
        squareOfR = (0..<blocks.count).map { square.blocks[$0] }
    }

    /// Converts big-endian octets to a number (RFC 8017 §4.2), or returns `nil` if the number does not fit.
    package static func number(bigEndian bytes: Span<UInt8>) -> Number? {
        guard bytes.count <= 8 * maximumLimbCount else { return nil }
        var number = Number()
        for i in 0..<bytes.count {
            let place = bytes.count - 1 - i
            number[place >> 3] |= UInt64(bytes[i]) << UInt64(truncatingIfNeeded: 8 * (place & 7))
        }
        return number
    }

    func isReduced(_ a: Number) -> Bool {
        for i in stride(from: Self.maximumLimbCount - 1, through: 0, by: -1) {
            let limb = i >> 2 < blocks.count ? blocks[i >> 2][i & 3] : 0
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
        var t = Product { _ in Block() }
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
        var t = Product { _ in Block() }
        var result = a
        multiplyInDomain(&result, b, &t)
        if !isReduced(result) { subtractModulus(&result) }
        return result
    }

    /// a ← a·b·R⁻¹ mod n, below R. Bounds: a, b < R. `t` is scratch space.
    private func multiplyInDomain(_ a: inout Number, _ b: Number, _ t: inout Product) {
        let count = blocks.count
        var t = t.mutableSpan
        multiply(a.blocks.span.extracting(first: count), b.blocks.span.extracting(first: count), into: &t)
        var result = a.blocks.mutableSpan
        reduce(&t, into: &result)
    }

    /// a ← a²·R⁻¹ mod n, below R. Bounds: a < R. `t` is scratch space.
    private func squareInDomain(_ a: inout Number, _ t: inout Product) {
        var t = t.mutableSpan
        square(a.blocks.span.extracting(first: blocks.count), into: &t)
        var result = a.blocks.mutableSpan
        reduce(&t, into: &result)
    }

    /// r ← t·R⁻¹ mod n, below R; overwrites `t`. Bounds: t < R².
    func reduce(_ t: inout MutableSpan<Block>, into r: inout MutableSpan<Block>) {
        PureRSA.reduce(&t, modulo: blocks.span, negatedInverse, into: &r)
    }

    /// a − n mod R. Bounds: a < R.
    private func subtractModulus(_ a: inout Number) {
        var a = a.blocks.mutableSpan
        subtract(blocks.span, from: &a)
    }

    /// 2a mod n. Bounds: a < n, so 2a < 2n, and one subtraction suffices.
    private func double(_ a: inout Number) {
        var carry: UInt64 = 0
        for i in 0..<blocks.count { a.blocks[i] = a.blocks[i].adding(a.blocks[i], &carry) }
        if carry == 1 || !isReduced(a) { subtractModulus(&a) }
    }

    /// R² mod n. Doubles 2^bitWidth mod n until the number is 2^4c·R, c = `blocks.count`. This number represents 2^4c in
    /// the Montgomery domain. Six squarings in the domain then yield R·R, which represents (2^4c)^64 = R.
    private func computedSquareOfR() -> Number {
        // 2^bitWidth − n. n is odd and its top bit is set, so this difference is above 0 and below n. The difference
        // equals ¬n + 1, and ¬n is even.
        var square = Number()
        let top = (bitWidth - 1) / 64
        for i in 0...top { square[i] = ~blocks[i >> 2][i & 3] }
        square[0] |= 1
        let unused = 64 * (top + 1) - bitWidth
        square[top] &= .max >> UInt64(truncatingIfNeeded: unused)
        for _ in 0..<256 * blocks.count - bitWidth + 4 * blocks.count { double(&square) }
        for _ in 0..<6 { square = product(square, square) }
        return square
    }

    private var squareOfRNumber: Number {
        var number = Number()
        for i in 0..<squareOfR.count { number.blocks[i] = squareOfR[i] }
        return number
    }

    /// y = −n⁻¹ mod 2²⁵⁶ of an odd n, by Newton's iteration y ← y·(2 + n·y). n·n = 1 mod 8, so −n is correct in the low 3
    /// bits, and each step doubles the number of correct bits: 3, 6, 12, 24, 48, 96, 192, 384.
    private static func negatedInverse(of n: Block) -> Block {
        // −n = ¬n + 1, and ¬n is even.
        var inverse = ~n
        inverse.c0 |= 1
        for _ in 0..<7 {
            // The carry out is above 2²⁵⁶.
            var carry: UInt64 = 0
            inverse = inverse.lowProduct(Block(c0: 2).adding(n.lowProduct(inverse), &carry))
        }
        return inverse
    }
}
