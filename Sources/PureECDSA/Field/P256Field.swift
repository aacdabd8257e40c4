/// An element of GF(p), p = 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ − 1 (SP 800-186 §3.2.1.3), as four limbs, least significant first.
///
/// *Domain*: Montgomery. The limbs of x are congruent to x·2²⁵⁶ mod p. *Bounds*: the limbs may contain any number below
/// 2²⁵⁶, **not** necessarily below p ("lazy" reduction). Zero has two forms, 0 and p. Equal elements may have different
/// limbs, so compare elements with `==`, which reduces first. All operations accept any
/// number within this bound, and return a number within this bound.
///
/// *Time*: multiplication, squaring, halving and the masked first corrections have no branches. The rare second
/// correction of a sum or difference is behind a branch (`_slowPath`), so no secret may reach this type.
struct P256Field: MontgomeryField, P256Element {
    typealias Plain = InlineArray<4, UInt64>

    var l0, l1, l2, l3: UInt64

    /// The limbs of p: `python3 -c 'p=2**256-2**224+2**192+2**96-1; print([hex(p>>64*i&2**64-1) for i in range(4)])'`
    static let p0: UInt64 = 0xffff_ffff_ffff_ffff, p1: UInt64 = 0x0000_0000_ffff_ffff
    static let p2: UInt64 = 0x0000_0000_0000_0000, p3: UInt64 = 0xffff_ffff_0000_0001

    /// c = 2²⁵⁶ − p = 2²²⁴ − 2¹⁹² − 2⁹⁶ + 1. To subtract p, add c and drop 2²⁵⁶.
    private static let c0: UInt64 = 0x0000_0000_0000_0001, c1: UInt64 = 0xffff_ffff_0000_0000
    private static let c2: UInt64 = 0xffff_ffff_ffff_ffff, c3: UInt64 = 0x0000_0000_ffff_fffe

    @inline(__always)
    init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64) {
        (self.l0, self.l1, self.l2, self.l3) = (l0, l1, l2, l3)
    }

    @inline(__always)
    init(words: Plain) {
        self.init(words[0], words[1], words[2], words[3])
    }

    @inline(__always)
    var words: Plain { [l0, l1, l2, l3] }

    static var modulus: Plain { [p0, p1, p2, p3] }

    static let byteCount = 32
    static var zero: Self { Self(0, 0, 0, 0) }
    /// 2²⁵⁶ mod p = c.
    static var one: Self { Self(c0, c1, c2, c3) }
    /// 2⁵¹² mod p. `python3 -c 'p=…; print(hex(2**512%p))'`
    static var rSquared: Self {
        Self(0x0000_0000_0000_0003, 0xffff_fffb_ffff_ffff, 0xffff_ffff_ffff_fffe, 0x0000_0004_ffff_fffd)
    }
    /// 2⁷⁶⁸ mod p, for ``invertedVarTime()``. `python3 -c 'p=…; print(hex(2**768%p))'`
    static var rCubed: Self {
        Self(0xffff_fffd_0000_000a, 0xffff_ffed_ffff_fff7, 0x0000_0005_ffff_fffc, 0x0000_0018_0000_0001)
    }

    // MARK: Sums

    /// Bounds: a + b < 2²⁵⁷. The first correction yields a number below 2²⁵⁶ + c. This number is 2²⁵⁶ or more only if
    /// both operands exceed p (about one random sum in 2⁶⁵). A second correction then yields less than c + c < 2²⁵⁶.
    @inline(__always)
    static func sum(_ a: Self, _ b: Self) -> Self {
        var k: UInt64 = 0
        let s0 = addWithCarry(a.l0, b.l0, &k), s1 = addWithCarry(a.l1, b.l1, &k)  // s = a + b mod 2²⁵⁶
        let s2 = addWithCarry(a.l2, b.l2, &k), s3 = addWithCarry(a.l3, b.l3, &k)  // k: its carry
        return Self(s0, s1, s2, s3).addingCarry(k)  // s + k·2²⁵⁶ ≡ s + k·c
    }

    /// `self + k·2²⁵⁶ mod p`, for k ≤ 1. Bounds: `self` below 2²⁵⁶.
    @inline(__always)
    private func addingCarry(_ k: UInt64) -> Self {
        let mask = 0 &- k  // ones if k = 1
        var k: UInt64 = 0
        // Adds c & mask. The limbs of c are 1, −2³², −1 and 2³² − 2; this form compiles to the fewest instructions.
        let s0 = addWithCarry(l0, mask >> 63, &k), s1 = addWithCarry(l1, mask << 32, &k)  // + c0, c1
        let s2 = addWithCarry(l2, mask, &k), s3 = addWithCarry(l3, (mask << 33) >> 32, &k)  // + c2, c3
        let sum = Self(s0, s1, s2, s3)
        return _slowPath(k != 0) ? sum.addingOnce() : sum  // 2²⁵⁶ + sum < 2²⁵⁶ + c
    }

    /// The second correction of a sum: adds c. This addition never carries out (see `+`).
    @inline(never)
    private func addingOnce() -> Self {
        let (sum, carry) = addingComplement()  // below c + c
        assert(carry == 0)
        return sum
    }

    /// Bounds: a − b > −2²⁵⁶. If a − b borrows, the code adds p = 2²⁵⁶ − c: it drops the borrow and subtracts c. The
    /// subtraction borrows again only if the difference is below c (b > a + p). Then subtracting c again suffices.
    @inline(__always)
    static func difference(_ a: Self, _ b: Self) -> Self {
        var k: UInt64 = 0
        var s0 = subtractWithBorrow(a.l0, b.l0, &k), s1 = subtractWithBorrow(a.l1, b.l1, &k)  // s = a − b + k·2²⁵⁶
        var s2 = subtractWithBorrow(a.l2, b.l2, &k), s3 = subtractWithBorrow(a.l3, b.l3, &k)  // k: its borrow
        let mask = 0 &- k  // ones if k = 1
        k = 0
        s0 = subtractWithBorrow(s0, mask >> 63, &k)  // − c0; c & mask, as in addingCarry
        s1 = subtractWithBorrow(s1, mask << 32, &k)  // − c1
        s2 = subtractWithBorrow(s2, mask, &k)  // − c2
        s3 = subtractWithBorrow(s3, (mask << 33) >> 32, &k)  // − c3
        let difference = Self(s0, s1, s2, s3)
        return _slowPath(k != 0) ? difference.subtractingOnce() : difference  // k: s < c
    }

    /// The second correction of a difference: subtracts c. This subtraction never borrows (see `-` and
    /// ``reduction(_:less:)``).
    @inline(never)
    private func subtractingOnce() -> Self {
        var k: UInt64 = 0
        let s0 = subtractWithBorrow(l0, Self.c0, &k), s1 = subtractWithBorrow(l1, Self.c1, &k)  // − c0, c1
        let s2 = subtractWithBorrow(l2, Self.c2, &k), s3 = subtractWithBorrow(l3, Self.c3, &k)  // − c2, c3
        assert(k == 0)
        return Self(s0, s1, s2, s3)
    }

    /// x/2. Adds p to an odd number first; the 257-bit sum is even. Bounds: (2²⁵⁶ + p)/2 < 2²⁵⁶. Time: constant.
    @inline(__always)
    func half() -> Self {
        let mask = 0 &- (l0 & 1)  // ones if x is odd
        var k: UInt64 = 0
        let s0 = addWithCarry(l0, mask & Self.p0, &k), s1 = addWithCarry(l1, mask & Self.p1, &k)  // x, or x + p: even
        let s2 = addWithCarry(l2, mask & Self.p2, &k), s3 = addWithCarry(l3, mask & Self.p3, &k)  // k: bit 256
        return Self(s0 >> 1 | s1 << 63, s1 >> 1 | s2 << 63, s2 >> 1 | s3 << 63, s3 >> 1 | k << 63)  // /2, below 2²⁵⁶
    }

    // MARK: Products

    /// The Montgomery product a·b·2⁻²⁵⁶ mod p: a schoolbook product, then the reduction.
    @inline(never)
    static func * (a: Self, b: Self) -> Self { reduced(a.fullProduct(b)) }

    @inline(never)
    func squared() -> Self { .reduced(fullSquare()) }

    /// The product of two elements as an integer below 2⁵¹².
    struct Product {
        var t0, t1, t2, t3, t4, t5, t6, t7: UInt64
    }

    @inline(__always)
    func schoolbookProduct(_ b: Self) -> Product {
        var t0: UInt64 = 0, t1: UInt64 = 0, t2: UInt64 = 0, t3: UInt64 = 0
        var t4: UInt64 = 0, t5: UInt64 = 0, t6: UInt64 = 0, t7: UInt64 = 0
        addRow(b.l0, &t0, &t1, &t2, &t3, &t4)  // + self·b.l0
        addRow(b.l1, &t1, &t2, &t3, &t4, &t5)  // + self·b.l1·2⁶⁴
        addRow(b.l2, &t2, &t3, &t4, &t5, &t6)  // + self·b.l2·2¹²⁸
        addRow(b.l3, &t3, &t4, &t5, &t6, &t7)  // + self·b.l3·2¹⁹²
        return Product(t0: t0, t1: t1, t2: t2, t3: t3, t4: t4, t5: t5, t6: t6, t7: t7)
    }

    /// t ← t + self·b, where t has four limbs and `t4` becomes the fifth. The low words of the products form one chain
    /// of additions, and the high words a second chain. The compiler keeps the carries in the processor's carry flag.
    /// Bounds: t < 2²⁵⁶ before, so t + self·b < 2³²⁰ after, and the last carry of the second chain is 0.
    @inline(__always)
    private func addRow(
        _ b: UInt64, _ t0: inout UInt64, _ t1: inout UInt64, _ t2: inout UInt64, _ t3: inout UInt64, _ t4: inout UInt64
    ) {
        let (h0, p0) = l0.multipliedFullWidth(by: b), (h1, p1) = l1.multipliedFullWidth(by: b)
        let (h2, p2) = l2.multipliedFullWidth(by: b), (h3, p3) = l3.multipliedFullWidth(by: b)
        var k: UInt64 = 0
        t0 = addWithCarry(t0, p0, &k)  // + low(l₀·b)
        t1 = addWithCarry(t1, p1, &k)  // + low(l₁·b)
        t2 = addWithCarry(t2, p2, &k)  // + low(l₂·b)
        t3 = addWithCarry(t3, p3, &k)  // + low(l₃·b)
        t4 = k  // the carry of the low words
        k = 0
        t1 = addWithCarry(t1, h0, &k)  // + high(l₀·b)
        t2 = addWithCarry(t2, h1, &k)  // + high(l₁·b)
        t3 = addWithCarry(t3, h2, &k)  // + high(l₂·b)
        t4 = addWithCarry(t4, h3, &k)  // + high(l₃·b); no carry out
    }

    /// Computes each product of two different limbs once, doubles the sum, and adds the squares of the limbs.
    @inline(__always)
    func schoolbookSquare() -> Product {
        // The mixed products as a sum of rows: l1·l0, l2·l0, l3·l0; l2·l1, l3·l1; l3·l2.
        let (h10, p10) = l0.multipliedFullWidth(by: l1), (h20, p20) = l0.multipliedFullWidth(by: l2)
        let (h30, p30) = l0.multipliedFullWidth(by: l3), (h21, p21) = l1.multipliedFullWidth(by: l2)
        let (h31, p31) = l1.multipliedFullWidth(by: l3), (h32, p32) = l2.multipliedFullWidth(by: l3)
        var k: UInt64 = 0
        var t1 = p10  // column 1: low(l₀l₁)
        var t2 = addWithCarry(p20, h10, &k)  // column 2: low(l₀l₂) + high(l₀l₁)
        var t3 = addWithCarry(p30, h20, &k)  // column 3: low(l₀l₃) + high(l₀l₂)
        var t4 = addWithCarry(p31, h30, &k)  // column 4: low(l₁l₃) + high(l₀l₃)
        var t5 = addWithCarry(p32, h31, &k)  // column 5: low(l₂l₃) + high(l₁l₃)
        var t6 = addWithCarry(h32, 0, &k)  // column 6: high(l₂l₃) and the carry
        k = 0
        t3 = addWithCarry(t3, p21, &k)  // column 3: + low(l₁l₂)
        t4 = addWithCarry(t4, h21, &k)  // column 4: + high(l₁l₂)
        t5 = addWithCarry(t5, 0, &k)  // column 5: the carry
        t6 = addWithCarry(t6, 0, &k)  // column 6: the carry

        // Twice the sum of the mixed products is at most x² < 2⁵¹², so the last carry, t7, is the highest word.
        // Doubling by addition uses the carry chain; shifts would compile to `shld`, which is slow on AMD's processors.
        k = 0
        t1 = addWithCarry(t1, t1, &k)  // column 1: doubled
        t2 = addWithCarry(t2, t2, &k)  // column 2: doubled
        t3 = addWithCarry(t3, t3, &k)  // column 3: doubled
        t4 = addWithCarry(t4, t4, &k)  // column 4: doubled
        t5 = addWithCarry(t5, t5, &k)  // column 5: doubled
        t6 = addWithCarry(t6, t6, &k)  // column 6: doubled
        var t7 = k  // column 7: the carry

        let (h0, t0) = l0.multipliedFullWidth(by: l0), (h1, s1) = l1.multipliedFullWidth(by: l1)
        let (h2, s2) = l2.multipliedFullWidth(by: l2), (h3, s3) = l3.multipliedFullWidth(by: l3)
        k = 0
        t1 = addWithCarry(t1, h0, &k)  // column 1: + high(l₀²)
        t2 = addWithCarry(t2, s1, &k)  // column 2: + low(l₁²)
        t3 = addWithCarry(t3, h1, &k)  // column 3: + high(l₁²)
        t4 = addWithCarry(t4, s2, &k)  // column 4: + low(l₂²)
        t5 = addWithCarry(t5, h2, &k)  // column 5: + high(l₂²)
        t6 = addWithCarry(t6, s3, &k)  // column 6: + low(l₃²)
        t7 = addWithCarry(t7, h3, &k)  // column 7: + high(l₃²)
        return Product(t0: t0, t1: t1, t2: t2, t3: t3, t4: t4, t5: t5, t6: t6, t7: t7)
    }

    /// Montgomery reduction t·2⁻²⁵⁶ mod p (Montgomery 1985). Reduces only the low half of t, and adds the high half of
    /// t to the result. Bounds: the sum is below 2²⁵⁶ + p. If the sum is 2²⁵⁶ or more, one subtraction of
    /// p suffices.
    @inline(__always)
    static func reduction(_ t: Product) -> Self {
        let u = reducedLowHalf(Self(t.t0, t.t1, t.t2, t.t3))  // (t mod 2²⁵⁶)·2⁻²⁵⁶ mod p, at most p
        var k: UInt64 = 0
        let s0 = addWithCarry(t.t4, u.l0, &k), s1 = addWithCarry(t.t5, u.l1, &k)  // s = ⌊t/2²⁵⁶⌋ + u mod 2²⁵⁶
        let s2 = addWithCarry(t.t6, u.l2, &k), s3 = addWithCarry(t.t7, u.l3, &k)  // k: its carry
        let mask = 0 &- k  // if k = 1, s < p
        k = 0
        let r0 = addWithCarry(s0, mask >> 63, &k), r1 = addWithCarry(s1, mask << 32, &k)  // c & mask, as in addingCarry
        let r2 = addWithCarry(s2, mask, &k), r3 = addWithCarry(s3, (mask << 33) >> 32, &k)  // s + c < p + c = 2²⁵⁶
        return Self(r0, r1, r2, r3)
    }

    /// (t − u)·2⁻²⁵⁶ mod p. Bounds: d = t − u is reduced like a product, with the borrow of d kept separately. The
    /// result is in (−2²⁵⁶, 2²⁵⁶ + p). A result of 2²⁵⁶ or more needs one subtraction of p. A negative result needs one
    /// addition of p, or two if the result is below −p. A result below −p requires that both factors of u exceed p
    /// (about one random pair in 2⁶⁵).
    @inline(__always)
    static func reduction(_ t: Product, less u: Product) -> Self {
        var b: UInt64 = 0
        let d0 = subtractWithBorrow(t.t0, u.t0, &b), d1 = subtractWithBorrow(t.t1, u.t1, &b)  // d = t − u + b·2⁵¹²
        let d2 = subtractWithBorrow(t.t2, u.t2, &b), d3 = subtractWithBorrow(t.t3, u.t3, &b)  // d mod 2²⁵⁶
        let d4 = subtractWithBorrow(t.t4, u.t4, &b), d5 = subtractWithBorrow(t.t5, u.t5, &b)  // ⌊d/2²⁵⁶⌋
        let d6 = subtractWithBorrow(t.t6, u.t6, &b), d7 = subtractWithBorrow(t.t7, u.t7, &b)  // b: its borrow
        let v = reducedLowHalf(Self(d0, d1, d2, d3))  // (d mod 2²⁵⁶)·2⁻²⁵⁶ mod p, at most p
        var k: UInt64 = 0
        let s0 = addWithCarry(d4, v.l0, &k), s1 = addWithCarry(d5, v.l1, &k)  // s = ⌊d/2²⁵⁶⌋ + v mod 2²⁵⁶
        let s2 = addWithCarry(d6, v.l2, &k), s3 = addWithCarry(d7, v.l3, &k)  // k: its carry
        // The value is s + (k − b)·2²⁵⁶. If k − b = 1, subtract p by adding c. If k − b = −1, add p by adding ~c and
        // 1. This addition carries out unless the value is below −p; a second correction then follows.
        let mask = 0 &- (k ^ b), isNegative = b & ~k, sign = 0 &- isNegative  // k − b = 0: no c; −1: isNegative
        k = isNegative  // the 1 of ~c + 1
        let r0 = addWithCarry(s0, (mask >> 63) ^ sign, &k), r1 = addWithCarry(s1, (mask << 32) ^ sign, &k)  // ± c
        let r2 = addWithCarry(s2, mask ^ sign, &k), r3 = addWithCarry(s3, ((mask << 33) >> 32) ^ sign, &k)
        let r = Self(r0, r1, r2, r3)
        return _slowPath(k != isNegative) ? r.subtractingOnce() : r  // no carry: the value was below −p
    }

    /// t·2⁻²⁵⁶ mod p, for t < 2²⁵⁶. Each step clears one word. Bounds: (t + Σ mᵢ·2⁶⁴ⁱ·p)/2²⁵⁶ ≤ p, because Σ mᵢ·2⁶⁴ⁱ <
    /// 2²⁵⁶. So no step has a carry out.
    @inline(__always)
    static func lowHalfReduction(_ t: Self) -> Self {
        var (u0, u1, u2, u3) = (t.l0, t.l1, t.l2, t.l3)
        reductionStep(&u0, &u1, &u2, &u3)  // clears limb 0
        reductionStep(&u1, &u2, &u3, &u0)  // clears limb 1
        reductionStep(&u2, &u3, &u0, &u1)  // clears limb 2
        reductionStep(&u3, &u0, &u1, &u2)  // clears limb 3
        return Self(u0, u1, u2, u3)
    }

    /// u ← (u + m·p)/2⁶⁴ with m = u0. Afterwards `u0` has the new highest limb. p ≡ −1 mod 2⁶⁴, so the multiplier m is
    /// the lowest limb itself. The sum m·p + m = m·(2⁹⁶ + 2¹⁹²·(2⁶⁴ − 2³² + 1)) needs only shifts. The limbs of this
    /// sum above the lowest limb are m·2³², m/2³², and the two words of m·p3. Bounds: the high word of m·p3 is at most
    /// 2⁶⁴ − 2³², so adding the carry to this word has no carry out.
    @inline(__always)
    private static func reductionStep(
        _ u0: inout UInt64, _ u1: inout UInt64, _ u2: inout UInt64, _ u3: inout UInt64
    ) {
        let m = u0  // −p⁻¹ ≡ 1 mod 2⁶⁴
        var b: UInt64 = 0
        let low = subtractWithBorrow(m, m << 32, &b)  // m·p3 = m·(2⁶⁴ − 2³² + 1), low word
        let high = subtractWithBorrow(m, m >> 32, &b)  // high word
        var k: UInt64 = 0
        u1 = addWithCarry(u1, m << 32, &k)  // + m·2⁹⁶, low word
        u2 = addWithCarry(u2, m >> 32, &k)  // high word
        u3 = addWithCarry(u3, low, &k)  // + m·p3·2¹⁹², low word
        u0 = addWithCarry(high, 0, &k)  // high word; no carry out
    }

    // MARK: Canonical form

    @inline(__always)
    func addingComplement() -> (sum: Self, carry: UInt64) {
        var k: UInt64 = 0
        let s0 = addWithCarry(l0, Self.c0, &k), s1 = addWithCarry(l1, Self.c1, &k)  // + c0, c1
        let s2 = addWithCarry(l2, Self.c2, &k), s3 = addWithCarry(l3, Self.c3, &k)  // + c2, c3
        return (Self(s0, s1, s2, s3), k)
    }

    /// Whether the element is zero, as 0 or as p. In both forms l2 is 0, so the code tests l2 first. Time: variable.
    @inline(__always)
    var isZero: Bool {
        _slowPath(l2 == 0) && (l0 | l1 | l3 == 0 || isModulus)
    }

    private var isModulus: Bool {
        l0 == Self.p0 && l1 == Self.p1 && l2 == Self.p2 && l3 == Self.p3
    }

    // MARK: Inversion

    static func inverse(_ words: Plain) -> Plain {
        P256Inversion.p256Field.invertVarTime(words)
    }
}
