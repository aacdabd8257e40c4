/// An element of GF(p), p = 2³⁸⁴ − 2¹²⁸ − 2⁹⁶ + 2³² − 1 (SP 800-186 §3.2.1.4), as six limbs, least significant first.
/// *Domain*: Montgomery. The limbs of x are congruent to x·2³⁸⁴ mod p. *Bounds*: the limbs may contain any number below
/// 2³⁸⁴, **not** necessarily below p ("lazy" reduction). Zero has two forms, 0 and p, so compare elements with `==`.
/// All operations accept and return any number within this bound. *Time*: as for ``P256Field``.
struct P384Field: MontgomeryField, P384Element {
    typealias Plain = InlineArray<6, UInt64>

    var l0, l1, l2, l3, l4, l5: UInt64

    /// The limbs of p; p3 = p4 = p5 = 2⁶⁴ − 1.
    /// `python3 -c 'p=2**384-2**128-2**96+2**32-1; print([hex(p>>64*i&2**64-1) for i in range(6)])'`
    static let p0: UInt64 = 0x0000_0000_ffff_ffff, p1: UInt64 = 0xffff_ffff_0000_0000
    static let p2: UInt64 = 0xffff_ffff_ffff_fffe, p3: UInt64 = 0xffff_ffff_ffff_ffff

    /// c = 2³⁸⁴ − p = 2¹²⁸ + 2⁹⁶ − 2³² + 1. To subtract p, add c and drop 2³⁸⁴. The upper three limbs of c are 0.
    private static let c0: UInt64 = 0xffff_ffff_0000_0001, c1: UInt64 = 0x0000_0000_ffff_ffff, c2: UInt64 = 1

    @inline(__always)
    init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64, _ l4: UInt64, _ l5: UInt64) {
        (self.l0, self.l1, self.l2, self.l3, self.l4, self.l5) = (l0, l1, l2, l3, l4, l5)
    }

    @inline(__always)
    init(words: Plain) {
        self.init(words[0], words[1], words[2], words[3], words[4], words[5])
    }

    @inline(__always)
    var words: Plain { [l0, l1, l2, l3, l4, l5] }

    static var modulus: Plain { [p0, p1, p2, p3, p3, p3] }

    static let byteCount = 48
    static var zero: Self { Self(0, 0, 0, 0, 0, 0) }
    /// 2³⁸⁴ mod p = c.
    static var one: Self { Self(c0, c1, c2, 0, 0, 0) }
    /// 2⁷⁶⁸ mod p. `python3 -c 'p=…; print(hex(2**768%p))'`
    static var rSquared: Self {
        Self(
            0xffff_fffe_0000_0001, 0x0000_0002_0000_0000, 0xffff_fffe_0000_0000,
            0x0000_0002_0000_0000, 0x0000_0000_0000_0001, 0x0000_0000_0000_0000)
    }
    /// 2¹¹⁵² mod p, for ``invertedVarTime()``. `python3 -c 'p=…; print(hex(2**1152%p))'`
    static var rCubed: Self {
        Self(
            0xffff_fffc_0000_0002, 0x0000_0003_0000_0002, 0xffff_fffc_ffff_fffe,
            0x0000_0003_0000_0005, 0xffff_fffd_ffff_fffd, 0x0000_0003_0000_0002)
    }

    // MARK: Sums

    /// Bounds: as in ``P256Field``. A second correction is needed only if both operands exceed p; it then suffices.
    @inline(__always)
    static func sum(_ a: Self, _ b: Self) -> Self {
        var k: UInt64 = 0
        let s0 = addWithCarry(a.l0, b.l0, &k), s1 = addWithCarry(a.l1, b.l1, &k)  // s = a + b mod 2³⁸⁴
        let s2 = addWithCarry(a.l2, b.l2, &k), s3 = addWithCarry(a.l3, b.l3, &k)  // limbs 2 and 3
        let s4 = addWithCarry(a.l4, b.l4, &k), s5 = addWithCarry(a.l5, b.l5, &k)  // k: its carry
        let (sum, carry) = Self(s0, s1, s2, s3, s4, s5).adding(mask: 0 &- k)  // s + k·2³⁸⁴ ≡ s + k·c
        return _slowPath(carry != 0) ? sum.addingOnce() : sum  // 2³⁸⁴ + sum < 2³⁸⁴ + c
    }

    /// `self + (c & mask)` and the carry out, for a mask of zeros or ones.
    @inline(__always)
    private func adding(mask: UInt64) -> (sum: Self, carry: UInt64) {
        var k: UInt64 = 0
        let s0 = addWithCarry(l0, mask & Self.c0, &k), s1 = addWithCarry(l1, mask & Self.c1, &k)  // + c0, c1
        let s2 = addWithCarry(l2, mask & Self.c2, &k), s3 = addWithCarry(l3, 0, &k)  // + c2; c3 = 0
        let s4 = addWithCarry(l4, 0, &k), s5 = addWithCarry(l5, 0, &k)  // c4 = c5 = 0
        return (Self(s0, s1, s2, s3, s4, s5), k)
    }

    /// The second correction of a sum: adds c. This addition never carries out.
    @inline(never)
    private func addingOnce() -> Self {
        let (sum, carry) = addingComplement()  // below c + c
        assert(carry == 0)
        return sum
    }

    /// Bounds: as in ``P256Field``. A second correction is needed only if b > a + p; it then suffices.
    @inline(__always)
    static func difference(_ a: Self, _ b: Self) -> Self {
        var k: UInt64 = 0
        let s0 = subtractWithBorrow(a.l0, b.l0, &k), s1 = subtractWithBorrow(a.l1, b.l1, &k)  // s = a − b + k·2³⁸⁴
        let s2 = subtractWithBorrow(a.l2, b.l2, &k), s3 = subtractWithBorrow(a.l3, b.l3, &k)  // limbs 2 and 3
        let s4 = subtractWithBorrow(a.l4, b.l4, &k), s5 = subtractWithBorrow(a.l5, b.l5, &k)  // k: its borrow
        let (difference, borrow) = Self(s0, s1, s2, s3, s4, s5).subtracting(mask: 0 &- k)  // s − k·c
        return _slowPath(borrow != 0) ? difference.subtractingOnce() : difference  // borrow: s < c
    }

    /// `self − (c & mask)` and the borrow out, for a mask of zeros or ones.
    @inline(__always)
    private func subtracting(mask: UInt64) -> (Self, UInt64) {
        var k: UInt64 = 0
        let s0 = subtractWithBorrow(l0, mask & Self.c0, &k), s1 = subtractWithBorrow(l1, mask & Self.c1, &k)  // − c
        let s2 = subtractWithBorrow(l2, mask & Self.c2, &k), s3 = subtractWithBorrow(l3, 0, &k)  // − c2; c3 = 0
        let s4 = subtractWithBorrow(l4, 0, &k), s5 = subtractWithBorrow(l5, 0, &k)  // c4 = c5 = 0
        return (Self(s0, s1, s2, s3, s4, s5), k)
    }

    /// The second correction of a difference: subtracts c. This subtraction never borrows.
    @inline(never)
    private func subtractingOnce() -> Self {
        let (difference, borrow) = subtracting(mask: ~0)
        assert(borrow == 0)
        return difference
    }

    /// x/2. Adds p to an odd number first; the 385-bit sum is even. Bounds: (2³⁸⁴ + p)/2 < 2³⁸⁴. Time: constant.
    @inline(__always)
    func half() -> Self {
        let mask = 0 &- (l0 & 1)  // ones if x is odd
        var k: UInt64 = 0
        let s0 = addWithCarry(l0, mask & Self.p0, &k), s1 = addWithCarry(l1, mask & Self.p1, &k)  // x, or x + p: even
        let s2 = addWithCarry(l2, mask & Self.p2, &k), s3 = addWithCarry(l3, mask, &k)  // p3 = p4 = p5 = 2⁶⁴ − 1
        let s4 = addWithCarry(l4, mask, &k), s5 = addWithCarry(l5, mask, &k)  // k: bit 384
        return Self(
            s0 >> 1 | s1 << 63, s1 >> 1 | s2 << 63, s2 >> 1 | s3 << 63,
            s3 >> 1 | s4 << 63, s4 >> 1 | s5 << 63, s5 >> 1 | k << 63)
    }

    // MARK: Products

    /// The Montgomery product a·b·2⁻³⁸⁴ mod p: a schoolbook product, then the reduction.
    @inline(never)
    static func * (a: Self, b: Self) -> Self { reduced(a.fullProduct(b)) }

    @inline(never)
    func squared() -> Self { .reduced(fullSquare()) }

    /// The product of two elements as an integer below 2⁷⁶⁸.
    struct Product {
        var t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11: UInt64
    }

    @inline(__always)
    func schoolbookProduct(_ b: Self) -> Product {
        var t0: UInt64 = 0, t1: UInt64 = 0, t2: UInt64 = 0, t3: UInt64 = 0, t4: UInt64 = 0, t5: UInt64 = 0
        var t6: UInt64 = 0, t7: UInt64 = 0, t8: UInt64 = 0, t9: UInt64 = 0, t10: UInt64 = 0, t11: UInt64 = 0
        addRow(b.l0, &t0, &t1, &t2, &t3, &t4, &t5, &t6)  // + self·b.l0
        addRow(b.l1, &t1, &t2, &t3, &t4, &t5, &t6, &t7)  // + self·b.l1·2⁶⁴
        addRow(b.l2, &t2, &t3, &t4, &t5, &t6, &t7, &t8)  // + self·b.l2·2¹²⁸
        addRow(b.l3, &t3, &t4, &t5, &t6, &t7, &t8, &t9)  // + self·b.l3·2¹⁹²
        addRow(b.l4, &t4, &t5, &t6, &t7, &t8, &t9, &t10)  // + self·b.l4·2²⁵⁶
        addRow(b.l5, &t5, &t6, &t7, &t8, &t9, &t10, &t11)  // + self·b.l5·2³²⁰
        return Product(
            t0: t0, t1: t1, t2: t2, t3: t3, t4: t4, t5: t5, t6: t6, t7: t7, t8: t8, t9: t9, t10: t10, t11: t11)
    }

    /// t ← t + self·b, as in ``P256Field``: t has six limbs, and `t6` becomes the seventh. Bounds: t < 2³⁸⁴ before, so
    /// t + self·b < 2⁴⁴⁸ after, and the last carry of the second chain is 0.
    @inline(__always)
    private func addRow(
        _ b: UInt64,
        _ t0: inout UInt64, _ t1: inout UInt64, _ t2: inout UInt64, _ t3: inout UInt64,
        _ t4: inout UInt64, _ t5: inout UInt64, _ t6: inout UInt64
    ) {
        let (h0, p0) = l0.multipliedFullWidth(by: b), (h1, p1) = l1.multipliedFullWidth(by: b)
        let (h2, p2) = l2.multipliedFullWidth(by: b), (h3, p3) = l3.multipliedFullWidth(by: b)
        let (h4, p4) = l4.multipliedFullWidth(by: b), (h5, p5) = l5.multipliedFullWidth(by: b)
        var k: UInt64 = 0
        t0 = addWithCarry(t0, p0, &k)  // + low(l₀·b)
        t1 = addWithCarry(t1, p1, &k)  // + low(l₁·b)
        t2 = addWithCarry(t2, p2, &k)  // + low(l₂·b)
        t3 = addWithCarry(t3, p3, &k)  // + low(l₃·b)
        t4 = addWithCarry(t4, p4, &k)  // + low(l₄·b)
        t5 = addWithCarry(t5, p5, &k)  // + low(l₅·b)
        t6 = k  // the carry of the low words
        k = 0
        t1 = addWithCarry(t1, h0, &k)  // + high(l₀·b)
        t2 = addWithCarry(t2, h1, &k)  // + high(l₁·b)
        t3 = addWithCarry(t3, h2, &k)  // + high(l₂·b)
        t4 = addWithCarry(t4, h3, &k)  // + high(l₃·b)
        t5 = addWithCarry(t5, h4, &k)  // + high(l₄·b)
        t6 = addWithCarry(t6, h5, &k)  // + high(l₅·b); no carry out
    }

    @inline(__always)
    func schoolbookSquare() -> Product {
        // The mixed products row by row, l0·l1 … l0·l5, l1·l2 … l1·l5, …, l4·l5. In each row, the low words form one
        // chain of additions, and the high words a second chain.
        let (h01, p01) = l0.multipliedFullWidth(by: l1), (h02, p02) = l0.multipliedFullWidth(by: l2)
        let (h03, p03) = l0.multipliedFullWidth(by: l3), (h04, p04) = l0.multipliedFullWidth(by: l4)
        let (h05, p05) = l0.multipliedFullWidth(by: l5)
        var k: UInt64 = 0
        var t1 = p01  // column 1: low(l₀l₁)
        var t2 = addWithCarry(p02, h01, &k)  // column 2: low(l₀l₂) + high(l₀l₁)
        var t3 = addWithCarry(p03, h02, &k)  // column 3: low(l₀l₃) + high(l₀l₂)
        var t4 = addWithCarry(p04, h03, &k)  // column 4: low(l₀l₄) + high(l₀l₃)
        var t5 = addWithCarry(p05, h04, &k)  // column 5: low(l₀l₅) + high(l₀l₄)
        var t6 = addWithCarry(h05, 0, &k)  // column 6: high(l₀l₅) and the carry
        let (h12, p12) = l1.multipliedFullWidth(by: l2), (h13, p13) = l1.multipliedFullWidth(by: l3)
        let (h14, p14) = l1.multipliedFullWidth(by: l4), (h15, p15) = l1.multipliedFullWidth(by: l5)
        k = 0
        t3 = addWithCarry(t3, p12, &k)  // column 3: + low(l₁l₂)
        t4 = addWithCarry(t4, p13, &k)  // column 4: + low(l₁l₃)
        t5 = addWithCarry(t5, p14, &k)  // column 5: + low(l₁l₄)
        t6 = addWithCarry(t6, p15, &k)  // column 6: + low(l₁l₅)
        var t7 = k  // column 7: the carry
        k = 0
        t4 = addWithCarry(t4, h12, &k)  // column 4: + high(l₁l₂)
        t5 = addWithCarry(t5, h13, &k)  // column 5: + high(l₁l₃)
        t6 = addWithCarry(t6, h14, &k)  // column 6: + high(l₁l₄)
        t7 = addWithCarry(t7, h15, &k)  // column 7: + high(l₁l₅)
        let (h23, p23) = l2.multipliedFullWidth(by: l3), (h24, p24) = l2.multipliedFullWidth(by: l4)
        let (h25, p25) = l2.multipliedFullWidth(by: l5)
        k = 0
        t5 = addWithCarry(t5, p23, &k)  // column 5: + low(l₂l₃)
        t6 = addWithCarry(t6, p24, &k)  // column 6: + low(l₂l₄)
        t7 = addWithCarry(t7, p25, &k)  // column 7: + low(l₂l₅)
        var t8 = k  // column 8: the carry
        k = 0
        t6 = addWithCarry(t6, h23, &k)  // column 6: + high(l₂l₃)
        t7 = addWithCarry(t7, h24, &k)  // column 7: + high(l₂l₄)
        t8 = addWithCarry(t8, h25, &k)  // column 8: + high(l₂l₅)
        let (h34, p34) = l3.multipliedFullWidth(by: l4), (h35, p35) = l3.multipliedFullWidth(by: l5)
        k = 0
        t7 = addWithCarry(t7, p34, &k)  // column 7: + low(l₃l₄)
        t8 = addWithCarry(t8, p35, &k)  // column 8: + low(l₃l₅)
        var t9 = k  // column 9: the carry
        k = 0
        t8 = addWithCarry(t8, h34, &k)  // column 8: + high(l₃l₄)
        t9 = addWithCarry(t9, h35, &k)  // column 9: + high(l₃l₅)
        let (h45, p45) = l4.multipliedFullWidth(by: l5)
        k = 0
        t9 = addWithCarry(t9, p45, &k)  // column 9: + low(l₄l₅)
        var t10 = k  // column 10: the carry
        k = 0
        t10 = addWithCarry(t10, h45, &k)  // column 10: + high(l₄l₅)

        // Twice the sum of the mixed products is at most x² < 2⁷⁶⁸, so the last carry, t11, is the highest word. The
        // code doubles by addition, as in ``P256Field``.
        k = 0
        t1 = addWithCarry(t1, t1, &k)  // column 1: doubled
        t2 = addWithCarry(t2, t2, &k)  // column 2: doubled
        t3 = addWithCarry(t3, t3, &k)  // column 3: doubled
        t4 = addWithCarry(t4, t4, &k)  // column 4: doubled
        t5 = addWithCarry(t5, t5, &k)  // column 5: doubled
        t6 = addWithCarry(t6, t6, &k)  // column 6: doubled
        t7 = addWithCarry(t7, t7, &k)  // column 7: doubled
        t8 = addWithCarry(t8, t8, &k)  // column 8: doubled
        t9 = addWithCarry(t9, t9, &k)  // column 9: doubled
        t10 = addWithCarry(t10, t10, &k)  // column 10: doubled
        var t11 = k  // column 11: the carry

        let (h0, q0) = l0.multipliedFullWidth(by: l0), (h1, q1) = l1.multipliedFullWidth(by: l1)
        let (h2, q2) = l2.multipliedFullWidth(by: l2), (h3, q3) = l3.multipliedFullWidth(by: l3)
        let (h4, q4) = l4.multipliedFullWidth(by: l4), (h5, q5) = l5.multipliedFullWidth(by: l5)
        let t0 = q0  // column 0: low(l₀²)
        k = 0
        t1 = addWithCarry(t1, h0, &k)  // column 1: + high(l₀²)
        t2 = addWithCarry(t2, q1, &k)  // column 2: + low(l₁²)
        t3 = addWithCarry(t3, h1, &k)  // column 3: + high(l₁²)
        t4 = addWithCarry(t4, q2, &k)  // column 4: + low(l₂²)
        t5 = addWithCarry(t5, h2, &k)  // column 5: + high(l₂²)
        t6 = addWithCarry(t6, q3, &k)  // column 6: + low(l₃²)
        t7 = addWithCarry(t7, h3, &k)  // column 7: + high(l₃²)
        t8 = addWithCarry(t8, q4, &k)  // column 8: + low(l₄²)
        t9 = addWithCarry(t9, h4, &k)  // column 9: + high(l₄²)
        t10 = addWithCarry(t10, q5, &k)  // column 10: + low(l₅²)
        t11 = addWithCarry(t11, h5, &k)  // column 11: + high(l₅²)

        return Product(
            t0: t0, t1: t1, t2: t2, t3: t3, t4: t4, t5: t5, t6: t6, t7: t7, t8: t8, t9: t9, t10: t10, t11: t11)
    }

    /// Montgomery reduction t·2⁻³⁸⁴ mod p (Montgomery 1985). Reduces only the low half of t, and adds the high half of
    /// t to the result. Bounds: the sum is below 2³⁸⁴ + p, so one correction suffices.
    @inline(__always)
    static func reduction(_ t: Product) -> Self {
        let u = reducedLowHalf(Self(t.t0, t.t1, t.t2, t.t3, t.t4, t.t5))  // (t mod 2³⁸⁴)·2⁻³⁸⁴ mod p, at most p
        var k: UInt64 = 0
        let s0 = addWithCarry(t.t6, u.l0, &k), s1 = addWithCarry(t.t7, u.l1, &k)  // s = ⌊t/2³⁸⁴⌋ + u mod 2³⁸⁴
        let s2 = addWithCarry(t.t8, u.l2, &k), s3 = addWithCarry(t.t9, u.l3, &k)  // limbs 2 and 3
        let s4 = addWithCarry(t.t10, u.l4, &k), s5 = addWithCarry(t.t11, u.l5, &k)  // k: its carry
        return Self(s0, s1, s2, s3, s4, s5).adding(mask: 0 &- k).sum  // if k = 1, s < p and s + c < 2³⁸⁴
    }

    /// (t − u)·2⁻³⁸⁴ mod p. Bounds: as in ``P256Field/reduction(_:less:)``, including the second correction.
    @inline(__always)
    static func reduction(_ t: Product, less u: Product) -> Self {
        var b: UInt64 = 0
        let d0 = subtractWithBorrow(t.t0, u.t0, &b), d1 = subtractWithBorrow(t.t1, u.t1, &b)  // d = t − u + b·2⁷⁶⁸
        let d2 = subtractWithBorrow(t.t2, u.t2, &b), d3 = subtractWithBorrow(t.t3, u.t3, &b)  // limbs 2 and 3
        let d4 = subtractWithBorrow(t.t4, u.t4, &b), d5 = subtractWithBorrow(t.t5, u.t5, &b)  // d mod 2³⁸⁴
        let d6 = subtractWithBorrow(t.t6, u.t6, &b), d7 = subtractWithBorrow(t.t7, u.t7, &b)  // ⌊d/2³⁸⁴⌋
        let d8 = subtractWithBorrow(t.t8, u.t8, &b), d9 = subtractWithBorrow(t.t9, u.t9, &b)  // limbs 8 and 9
        let d10 = subtractWithBorrow(t.t10, u.t10, &b), d11 = subtractWithBorrow(t.t11, u.t11, &b)  // b: its borrow
        let v = reducedLowHalf(Self(d0, d1, d2, d3, d4, d5))  // (d mod 2³⁸⁴)·2⁻³⁸⁴ mod p, at most p
        var k: UInt64 = 0
        let s0 = addWithCarry(d6, v.l0, &k), s1 = addWithCarry(d7, v.l1, &k)  // s = ⌊d/2³⁸⁴⌋ + v mod 2³⁸⁴
        let s2 = addWithCarry(d8, v.l2, &k), s3 = addWithCarry(d9, v.l3, &k)  // limbs 2 and 3
        let s4 = addWithCarry(d10, v.l4, &k), s5 = addWithCarry(d11, v.l5, &k)  // k: its carry
        // The value is s + (k − b)·2³⁸⁴. If k − b = 1, subtract p by adding c. If k − b = −1, add p by adding ~c and
        // 1. This addition carries out unless the value is below −p; a second correction then follows.
        let mask = 0 &- (k ^ b), isNegative = b & ~k, sign = 0 &- isNegative  // k − b = 0: no c; −1: isNegative
        k = isNegative  // the 1 of ~c + 1
        let r0 = addWithCarry(s0, (mask & Self.c0) ^ sign, &k), r1 = addWithCarry(s1, (mask & Self.c1) ^ sign, &k)
        let r2 = addWithCarry(s2, (mask & Self.c2) ^ sign, &k), r3 = addWithCarry(s3, sign, &k)  // + c or ~c
        let r4 = addWithCarry(s4, sign, &k), r5 = addWithCarry(s5, sign, &k)  // k: its carry
        let r = Self(r0, r1, r2, r3, r4, r5)
        return _slowPath(k != isNegative) ? r.subtractingOnce() : r  // no carry: the value was below −p
    }

    /// t·2⁻³⁸⁴ mod p, for t < 2³⁸⁴. Each step clears one word. Bounds: (t + Σ mᵢ·2⁶⁴ⁱ·p)/2³⁸⁴ ≤ p, because Σ mᵢ·2⁶⁴ⁱ <
    /// 2³⁸⁴.
    @inline(__always)
    static func lowHalfReduction(_ t: Self) -> Self {
        var (u0, u1, u2, u3, u4, u5) = (t.l0, t.l1, t.l2, t.l3, t.l4, t.l5)
        u0 = reductionStep(u0, &u1, &u2, &u3, &u4, &u5)  // clears limb 0
        u1 = reductionStep(u1, &u2, &u3, &u4, &u5, &u0)  // clears limb 1
        u2 = reductionStep(u2, &u3, &u4, &u5, &u0, &u1)  // clears limb 2
        u3 = reductionStep(u3, &u4, &u5, &u0, &u1, &u2)  // clears limb 3
        u4 = reductionStep(u4, &u5, &u0, &u1, &u2, &u3)  // clears limb 4
        u5 = reductionStep(u5, &u0, &u1, &u2, &u3, &u4)  // clears limb 5
        return Self(u0, u1, u2, u3, u4, u5)
    }

    /// Performs one reduction step. Subtracts all words of m·c, except the lowest, from the limbs. Returns the word of
    /// weight 2³⁸⁴: m minus the borrow.
    ///
    /// −p⁻¹ ≡ 2³² + 1 mod 2⁶⁴, so a step clears the lowest limb t₀ with m = t₀·(2³² + 1). The step adds m·p = m·2³⁸⁴ −
    /// m·c, where c = 2¹²⁸ + 2⁹⁶ − 2³² + 1. The lowest word of m·c equals t₀, so subtracting this word clears t₀
    /// without a borrow. Shifts compute the other three words of m·c.
    ///
    /// Bounds:
    ///
    /// * m·c < 2¹⁹³, so word 3 of m·c is 0 or 1.
    /// * (m >> 32) − b does not wrap if m >> 32 > 0, because b ≤ 1. If m >> 32 = 0, then m·2³² < 2⁶⁴. Word 1 is m·2³² −
    ///   b′, where b′ is the borrow of word 0. Word 1 borrows only if m = 0 and b′ = 1, but word 0 does not borrow if m
    ///   = 0. So b = 0.
    /// * m − k does not wrap if m > 0, because k ≤ 1. If m = 0, all subtracted words are 0, so k = 0.
    @inline(__always)
    private static func reductionStep(
        _ t0: UInt64, _ t1: inout UInt64, _ t2: inout UInt64, _ t3: inout UInt64, _ t4: inout UInt64, _ t5: inout UInt64
    ) -> UInt64 {
        let m = t0 &+ t0 << 32  // m = t₀·(2³² + 1) mod 2⁶⁴
        var b: UInt64 = 0
        _ = subtractWithBorrow(m, m << 32, &b)  // m·(1 − 2³²), low word: t₀ again
        let u1 = subtractWithBorrow(m << 32, m >> 32, &b)  // word 1 of m·c: m·2⁹⁶ − m·2³²
        var u2 = subtractWithBorrow(m >> 32, 0, &b)  // word 2: m·2⁹⁶
        var u3: UInt64 = 0
        u2 = addWithCarry(u2, m, &u3)  // + m·2¹²⁸; word 3 is u3 ≤ 1
        var k: UInt64 = 0
        t1 = subtractWithBorrow(t1, u1, &k)  // − m·c, word 1
        t2 = subtractWithBorrow(t2, u2, &k)  // word 2
        t3 = subtractWithBorrow(t3, u3, &k)  // word 3
        t4 = subtractWithBorrow(t4, 0, &k)  // the borrow
        t5 = subtractWithBorrow(t5, 0, &k)  // the borrow
        return subtractWithBorrow(m, 0, &k)  // m·2³⁸⁴ less the borrow
    }

    // MARK: Canonical form

    @inline(__always)
    func addingComplement() -> (sum: Self, carry: UInt64) { adding(mask: ~0) }

    /// Whether the element is zero (0 or p). In both forms l5 + 1 mod 2⁶⁴ is at most 1, so the code tests this
    /// first. Time: variable.
    @inline(__always)
    var isZero: Bool {
        _slowPath(l5 &+ 1 <= 1) && (l0 | l1 | l2 | l3 | l4 | l5 == 0 || isModulus)
    }

    private var isModulus: Bool {
        l0 == Self.p0 && l1 == Self.p1 && l2 == Self.p2 && l3 & l4 & l5 == Self.p3
    }

    // MARK: Inversion

    static func inverse(_ words: Plain) -> Plain {
        ModularInversion<7>.p384Field.invertVarTime(words)
    }
}
