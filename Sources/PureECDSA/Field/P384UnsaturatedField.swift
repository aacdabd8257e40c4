/// An element of GF(p), p = 2³⁸⁴ − 2¹²⁸ − 2⁹⁶ + 2³² − 1 (SP 800-186 §3.2.1.4), as fourteen signed limbs of 28 bits,
/// least significant first. Replaces ``P384Field`` on WebAssembly, for the reason given at ``P256UnsaturatedField``.
///
/// *Domain*: Montgomery. The limbs of x are congruent to x·2³⁹² mod p. `init(_:…)` converts from ``P384Field``.
///
/// *Bounds*: |lᵢ| ≤ 1¼·2²⁸, and |l13| ≤ 2²¹ for the highest limb, so |x| < 2³⁸⁵ + 2³⁶⁵. All operations accept and
/// return limbs within these bounds. A column of a product, with the reduction's terms, is at most 14·(1¼·2²⁸)² < 2⁶¹.
///
/// *Time*: only ``isZero`` has a branch. Nevertheless, no secret may reach this type.
struct P384UnsaturatedField: P384Element {
    typealias Plain = InlineArray<6, UInt64>

    var l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13: Int64

    /// 2^28 − 1. This is a computed property, for the reason given at ``P256UnsaturatedField``.
    private static var mask: Int64 { 0xfff_ffff }

    @inline(__always)
    init(
        limbs l0: Int64, _ l1: Int64, _ l2: Int64, _ l3: Int64, _ l4: Int64, _ l5: Int64, _ l6: Int64, _ l7: Int64,
        _ l8: Int64, _ l9: Int64, _ l10: Int64, _ l11: Int64, _ l12: Int64, _ l13: Int64
    ) {
        (
            self.l0, self.l1, self.l2, self.l3, self.l4, self.l5, self.l6, self.l7, self.l8, self.l9, self.l10,
            self.l11, self.l12, self.l13
        ) = (l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13)
    }

    /// Converts the limbs of a ``P384Field``, any number below 2³⁸⁴. Multiplies the number by 2⁸, because this type
    /// represents x by x·2³⁹² instead of x·2³⁸⁴. Bounds: the 28 highest bits form one limb. The part of this limb from
    /// 2³⁸⁴ up is below 2⁸, so folding adds at most 2²⁴ to any limb.
    @inline(never)
    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64, _ w4: UInt64, _ w5: UInt64) {
        let u0 = Int64(truncatingIfNeeded: w0 << 8) & Self.mask  // the low 20 bits
        let u1 = Int64(truncatingIfNeeded: w0 >> 20) & Self.mask  // from bit 20
        let u2 = Int64(truncatingIfNeeded: w0 >> 48 | w1 << 16) & Self.mask  // from bit 48
        let u3 = Int64(truncatingIfNeeded: w1 >> 12) & Self.mask  // from bit 76
        let u4 = Int64(truncatingIfNeeded: w1 >> 40 | w2 << 24) & Self.mask  // from bit 104
        let u5 = Int64(truncatingIfNeeded: w2 >> 4) & Self.mask  // from bit 132
        let u6 = Int64(truncatingIfNeeded: w2 >> 32) & Self.mask  // from bit 160
        let u7 = Int64(truncatingIfNeeded: w2 >> 60 | w3 << 4) & Self.mask  // from bit 188
        let u8 = Int64(truncatingIfNeeded: w3 >> 24) & Self.mask  // from bit 216
        let u9 = Int64(truncatingIfNeeded: w3 >> 52 | w4 << 12) & Self.mask  // from bit 244
        let u10 = Int64(truncatingIfNeeded: w4 >> 16) & Self.mask  // from bit 272
        let u11 = Int64(truncatingIfNeeded: w4 >> 44 | w5 << 20) & Self.mask  // from bit 300
        let u12 = Int64(truncatingIfNeeded: w5 >> 8) & Self.mask  // from bit 328
        let u13 = Int64(truncatingIfNeeded: w5 >> 36)  // from bit 356
        self = Self(limbs: u0, u1, u2, u3, u4, u5, u6, u7, u8, u9, u10, u11, u12, u13).folded()
    }

    init(words: Plain) {
        self.init(words[0], words[1], words[2], words[3], words[4], words[5])
    }

    static var byteCount: Int { P384Field.byteCount }
    static var zero: Self { Self(limbs: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }
    static var one: Self { Self(words: P384Field.one.words) }

    // MARK: Sums

    @inline(never)
    static func + (a: Self, b: Self) -> Self {
        Self(
            limbs: a.l0 &+ b.l0, a.l1 &+ b.l1, a.l2 &+ b.l2, a.l3 &+ b.l3, a.l4 &+ b.l4, a.l5 &+ b.l5, a.l6 &+ b.l6,
            a.l7 &+ b.l7, a.l8 &+ b.l8, a.l9 &+ b.l9, a.l10 &+ b.l10, a.l11 &+ b.l11, a.l12 &+ b.l12, a.l13 &+ b.l13
        ).reduced()
    }

    @inline(never)
    static func - (a: Self, b: Self) -> Self {
        Self(
            limbs: a.l0 &- b.l0, a.l1 &- b.l1, a.l2 &- b.l2, a.l3 &- b.l3, a.l4 &- b.l4, a.l5 &- b.l5, a.l6 &- b.l6,
            a.l7 &- b.l7, a.l8 &- b.l8, a.l9 &- b.l9, a.l10 &- b.l10, a.l11 &- b.l11, a.l12 &- b.l12, a.l13 &- b.l13
        ).reduced()
    }

    /// Carries from each limb into the next, in all limbs at once. Then folds the highest limb. Bounds: if the limbs
    /// are at most twice the bounds of an element, carries are in [−3, 2], and |l13| ≤ 2²² + 3.
    @inline(__always)
    private func reduced() -> Self {
        let m = Self.mask
        return Self(
            limbs: l0 & m, (l1 & m) &+ l0 >> 28, (l2 & m) &+ l1 >> 28, (l3 & m) &+ l2 >> 28, (l4 & m) &+ l3 >> 28,
            (l5 & m) &+ l4 >> 28, (l6 & m) &+ l5 >> 28, (l7 & m) &+ l6 >> 28, (l8 & m) &+ l7 >> 28,
            (l9 & m) &+ l8 >> 28, (l10 & m) &+ l9 >> 28, (l11 & m) &+ l10 >> 28, (l12 & m) &+ l11 >> 28,
            l13 &+ l12 >> 28
        ).folded()
    }

    /// Folds the bits of the highest limb from 2³⁸⁴ up: q·2³⁸⁴ ≡ q·(2¹²⁸ + 2⁹⁶ − 2³² + 1). Bounds: the other limbs are
    /// in [−3, 2²⁸ + 2] and |q| ≤ 2⁸. Adding 2²⁴ stays below 1¼·2²⁸. l13 is in [0, 2²⁰).
    @inline(__always)
    private func folded() -> Self {
        let q = l13 >> 20  // 2³⁸⁴ = 2²⁰·2^(28·13)
        return Self(
            limbs: l0 &+ q, l1 &- q << 4, l2, l3 &+ q << 12, l4 &+ q << 16, l5, l6, l7, l8, l9, l10, l11, l12,
            l13 & (1 << 20 - 1))
    }

    /// x/2. For an odd x this is (x − 1)/2 + (p + 1)/2, and (p + 1)/2 = 2³⁸³ − 2¹²⁷ − 2⁹⁵ + 2³¹. Bounds: |lᵢ| is at
    /// most (1¼/2 + ½)·2²⁸ plus 2¹⁵, and |l13| at most 2²⁰ + 2¹⁹ + 1.
    @inline(never)
    func halved() -> Self {
        let odd = l0 & 1  // adds (p + 1)/2
        return Self(
            limbs: l0 >> 1 &+ (l1 & 1) << 27, l1 >> 1 &+ (l2 & 1) << 27 &+ odd << 3, l2 >> 1 &+ (l3 & 1) << 27,
            l3 >> 1 &+ (l4 & 1) << 27 &- odd << 11, l4 >> 1 &+ (l5 & 1) << 27 &- odd << 15, l5 >> 1 &+ (l6 & 1) << 27,
            l6 >> 1 &+ (l7 & 1) << 27, l7 >> 1 &+ (l8 & 1) << 27, l8 >> 1 &+ (l9 & 1) << 27, l9 >> 1 &+ (l10 & 1) << 27,
            l10 >> 1 &+ (l11 & 1) << 27, l11 >> 1 &+ (l12 & 1) << 27, l12 >> 1 &+ (l13 & 1) << 27, l13 >> 1 &+ odd << 19
        )
    }

    // MARK: Products

    typealias Product = Self
    func fullProduct(_ b: Self) -> Self { self * b }
    func fullSquare() -> Self { squared() }
    static func reducedDifference(_ t: Self, _ u: Self) -> Self { t - u }

    /// The Montgomery product a·b·2⁻³⁹² mod p. Rows of the product alternate with reduction steps.
    @inline(never)
    static func * (a: Self, b: Self) -> Self {
        var t = Columns()
        t.addRow(a, b.l0)  // row 0, and column 0 reduced
        t.addRow(a, b.l1)  // row 1, and column 1 reduced
        t.addRow(a, b.l2)  // row 2, and column 2 reduced
        t.addRow(a, b.l3)  // row 3, and column 3 reduced
        t.addRow(a, b.l4)  // row 4, and column 4 reduced
        t.addRow(a, b.l5)  // row 5, and column 5 reduced
        t.addRow(a, b.l6)  // row 6, and column 6 reduced
        t.addRow(a, b.l7)  // row 7, and column 7 reduced
        t.addRow(a, b.l8)  // row 8, and column 8 reduced
        t.addRow(a, b.l9)  // row 9, and column 9 reduced
        t.addRow(a, b.l10)  // row 10, and column 10 reduced
        t.addRow(a, b.l11)  // row 11, and column 11 reduced
        t.addRow(a, b.l12)  // row 12, and column 12 reduced
        t.addRow(a, b.l13)  // row 13, and column 13 reduced
        return t.element()
    }

    /// The Montgomery square, with rows and reduction steps as in ``P256UnsaturatedField``.
    @inline(never)
    func squared() -> Self {
        var t = Columns()
        let d1 = l1 &+ l1, d2 = l2 &+ l2, d3 = l3 &+ l3, d4 = l4 &+ l4, d5 = l5 &+ l5, d6 = l6 &+ l6, d7 = l7 &+ l7,
            d8 = l8 &+ l8, d9 = l9 &+ l9, d10 = l10 &+ l10, d11 = l11 &+ l11, d12 = l12 &+ l12, d13 = l13 &+ l13
        t.t0 = t.t0 &+ l0 &* l0  // row 0: l₀², then 2l₀lⱼ, j > 0
        t.t1 = t.t1 &+ l0 &* d1
        t.t2 = t.t2 &+ l0 &* d2
        t.t3 = t.t3 &+ l0 &* d3
        t.t4 = t.t4 &+ l0 &* d4
        t.t5 = t.t5 &+ l0 &* d5
        t.t6 = t.t6 &+ l0 &* d6
        t.t7 = t.t7 &+ l0 &* d7
        t.t8 = t.t8 &+ l0 &* d8
        t.t9 = t.t9 &+ l0 &* d9
        t.t10 = t.t10 &+ l0 &* d10
        t.t11 = t.t11 &+ l0 &* d11
        t.t12 = t.t12 &+ l0 &* d12
        t.t13 = t.t13 &+ l0 &* d13
        t.reduce()  // column 0 reduced
        t.t1 = t.t1 &+ l1 &* l1  // row 1: l₁², then 2l₁lⱼ, j > 1
        t.t2 = t.t2 &+ l1 &* d2
        t.t3 = t.t3 &+ l1 &* d3
        t.t4 = t.t4 &+ l1 &* d4
        t.t5 = t.t5 &+ l1 &* d5
        t.t6 = t.t6 &+ l1 &* d6
        t.t7 = t.t7 &+ l1 &* d7
        t.t8 = t.t8 &+ l1 &* d8
        t.t9 = t.t9 &+ l1 &* d9
        t.t10 = t.t10 &+ l1 &* d10
        t.t11 = t.t11 &+ l1 &* d11
        t.t12 = t.t12 &+ l1 &* d12
        t.t13 = t.t13 &+ l1 &* d13
        t.reduce()  // column 1 reduced
        t.t2 = t.t2 &+ l2 &* l2  // row 2: l₂², then 2l₂lⱼ, j > 2
        t.t3 = t.t3 &+ l2 &* d3
        t.t4 = t.t4 &+ l2 &* d4
        t.t5 = t.t5 &+ l2 &* d5
        t.t6 = t.t6 &+ l2 &* d6
        t.t7 = t.t7 &+ l2 &* d7
        t.t8 = t.t8 &+ l2 &* d8
        t.t9 = t.t9 &+ l2 &* d9
        t.t10 = t.t10 &+ l2 &* d10
        t.t11 = t.t11 &+ l2 &* d11
        t.t12 = t.t12 &+ l2 &* d12
        t.t13 = t.t13 &+ l2 &* d13
        t.reduce()  // column 2 reduced
        t.t3 = t.t3 &+ l3 &* l3  // row 3: l₃², then 2l₃lⱼ, j > 3
        t.t4 = t.t4 &+ l3 &* d4
        t.t5 = t.t5 &+ l3 &* d5
        t.t6 = t.t6 &+ l3 &* d6
        t.t7 = t.t7 &+ l3 &* d7
        t.t8 = t.t8 &+ l3 &* d8
        t.t9 = t.t9 &+ l3 &* d9
        t.t10 = t.t10 &+ l3 &* d10
        t.t11 = t.t11 &+ l3 &* d11
        t.t12 = t.t12 &+ l3 &* d12
        t.t13 = t.t13 &+ l3 &* d13
        t.reduce()  // column 3 reduced
        t.t4 = t.t4 &+ l4 &* l4  // row 4: l₄², then 2l₄lⱼ, j > 4
        t.t5 = t.t5 &+ l4 &* d5
        t.t6 = t.t6 &+ l4 &* d6
        t.t7 = t.t7 &+ l4 &* d7
        t.t8 = t.t8 &+ l4 &* d8
        t.t9 = t.t9 &+ l4 &* d9
        t.t10 = t.t10 &+ l4 &* d10
        t.t11 = t.t11 &+ l4 &* d11
        t.t12 = t.t12 &+ l4 &* d12
        t.t13 = t.t13 &+ l4 &* d13
        t.reduce()  // column 4 reduced
        t.t5 = t.t5 &+ l5 &* l5  // row 5: l₅², then 2l₅lⱼ, j > 5
        t.t6 = t.t6 &+ l5 &* d6
        t.t7 = t.t7 &+ l5 &* d7
        t.t8 = t.t8 &+ l5 &* d8
        t.t9 = t.t9 &+ l5 &* d9
        t.t10 = t.t10 &+ l5 &* d10
        t.t11 = t.t11 &+ l5 &* d11
        t.t12 = t.t12 &+ l5 &* d12
        t.t13 = t.t13 &+ l5 &* d13
        t.reduce()  // column 5 reduced
        t.t6 = t.t6 &+ l6 &* l6  // row 6: l₆², then 2l₆lⱼ, j > 6
        t.t7 = t.t7 &+ l6 &* d7
        t.t8 = t.t8 &+ l6 &* d8
        t.t9 = t.t9 &+ l6 &* d9
        t.t10 = t.t10 &+ l6 &* d10
        t.t11 = t.t11 &+ l6 &* d11
        t.t12 = t.t12 &+ l6 &* d12
        t.t13 = t.t13 &+ l6 &* d13
        t.reduce()  // column 6 reduced
        t.t7 = t.t7 &+ l7 &* l7  // row 7: l₇², then 2l₇lⱼ, j > 7
        t.t8 = t.t8 &+ l7 &* d8
        t.t9 = t.t9 &+ l7 &* d9
        t.t10 = t.t10 &+ l7 &* d10
        t.t11 = t.t11 &+ l7 &* d11
        t.t12 = t.t12 &+ l7 &* d12
        t.t13 = t.t13 &+ l7 &* d13
        t.reduce()  // column 7 reduced
        t.t8 = t.t8 &+ l8 &* l8  // row 8: l₈², then 2l₈lⱼ, j > 8
        t.t9 = t.t9 &+ l8 &* d9
        t.t10 = t.t10 &+ l8 &* d10
        t.t11 = t.t11 &+ l8 &* d11
        t.t12 = t.t12 &+ l8 &* d12
        t.t13 = t.t13 &+ l8 &* d13
        t.reduce()  // column 8 reduced
        t.t9 = t.t9 &+ l9 &* l9  // row 9: l₉², then 2l₉lⱼ, j > 9
        t.t10 = t.t10 &+ l9 &* d10
        t.t11 = t.t11 &+ l9 &* d11
        t.t12 = t.t12 &+ l9 &* d12
        t.t13 = t.t13 &+ l9 &* d13
        t.reduce()  // column 9 reduced
        t.t10 = t.t10 &+ l10 &* l10  // row 10: l₁₀², then 2l₁₀lⱼ, j > 10
        t.t11 = t.t11 &+ l10 &* d11
        t.t12 = t.t12 &+ l10 &* d12
        t.t13 = t.t13 &+ l10 &* d13
        t.reduce()  // column 10 reduced
        t.t11 = t.t11 &+ l11 &* l11  // row 11: l₁₁², then 2l₁₁lⱼ, j > 11
        t.t12 = t.t12 &+ l11 &* d12
        t.t13 = t.t13 &+ l11 &* d13
        t.reduce()  // column 11 reduced
        t.t12 = t.t12 &+ l12 &* l12  // row 12: l₁₂², then 2l₁₂lⱼ, j > 12
        t.t13 = t.t13 &+ l12 &* d13
        t.reduce()  // column 12 reduced
        t.t13 = t.t13 &+ l13 &* l13  // row 13: l₁₃²
        t.reduce()  // column 13 reduced
        return t.element()
    }

    /// The columns of a product, starting with the lowest column that is not reduced yet.
    private struct Columns {
        var t0: Int64 = 0
        var t1: Int64 = 0
        var t2: Int64 = 0
        var t3: Int64 = 0
        var t4: Int64 = 0
        var t5: Int64 = 0
        var t6: Int64 = 0
        var t7: Int64 = 0
        var t8: Int64 = 0
        var t9: Int64 = 0
        var t10: Int64 = 0
        var t11: Int64 = 0
        var t12: Int64 = 0
        var t13: Int64 = 0

        @inline(__always)
        mutating func addRow(_ a: P384UnsaturatedField, _ b: Int64) {
            t0 = t0 &+ a.l0 &* b  // t ← t + a·b, column by column
            t1 = t1 &+ a.l1 &* b
            t2 = t2 &+ a.l2 &* b
            t3 = t3 &+ a.l3 &* b
            t4 = t4 &+ a.l4 &* b
            t5 = t5 &+ a.l5 &* b
            t6 = t6 &+ a.l6 &* b
            t7 = t7 &+ a.l7 &* b
            t8 = t8 &+ a.l8 &* b
            t9 = t9 &+ a.l9 &* b
            t10 = t10 &+ a.l10 &* b
            t11 = t11 &+ a.l11 &* b
            t12 = t12 &+ a.l12 &* b
            t13 = t13 &+ a.l13 &* b
            reduce()
        }

        /// t ← (t + m·p)/2²⁸ with m = t mod 2²⁸. p ≡ −1 mod 2²⁸, so the lowest column becomes t₀ − m, which is only a
        /// carry into the next column. p + 1 = 2³⁸⁴ − 2¹²⁸ − 2⁹⁶ + 2³² needs only shifts.
        @inline(__always)
        mutating func reduce() {
            let m = t0 & P384UnsaturatedField.mask  // −p⁻¹ ≡ 1 mod 2²⁸
            let carry = t0 >> 28  // (t₀ − m)/2²⁸
            t0 = t1 &+ carry &+ m << 4  // every column moves down by one; + m·2³², 32 = 28 + 4
            t1 = t2
            t2 = t3 &- m << 12  // − m·2⁹⁶, 96 = 3·28 + 12
            t3 = t4 &- m << 16  // − m·2¹²⁸, 128 = 4·28 + 16
            t4 = t5
            t5 = t6
            t6 = t7
            t7 = t8
            t8 = t9
            t9 = t10
            t10 = t11
            t11 = t12
            t12 = t13 &+ m << 20  // + m·2³⁸⁴, 384 = 13·28 + 20
            t13 = 0
        }

        /// Returns the element. All limbs but the highest are in [0, 2²⁸). Bounds: for a and b within an element's
        /// bounds, |a·b| < 2⁷⁷⁰ + 2⁷⁵⁸. The reduced number is in (−2³⁷⁸ − 1, p + 2³⁷⁸ + 1), and t13 is in (−2²⁰, 2²¹).
        @inline(__always)
        consuming func element() -> P384UnsaturatedField {
            let m = P384UnsaturatedField.mask
            t1 = t1 &+ t0 >> 28  // the carries, from the lowest column up
            t2 = t2 &+ t1 >> 28
            t3 = t3 &+ t2 >> 28
            t4 = t4 &+ t3 >> 28
            t5 = t5 &+ t4 >> 28
            t6 = t6 &+ t5 >> 28
            t7 = t7 &+ t6 >> 28
            t8 = t8 &+ t7 >> 28
            t9 = t9 &+ t8 >> 28
            t10 = t10 &+ t9 >> 28
            t11 = t11 &+ t10 >> 28
            t12 = t12 &+ t11 >> 28
            t13 = t13 &+ t12 >> 28
            return P384UnsaturatedField(
                limbs: t0 & m, t1 & m, t2 & m, t3 & m, t4 & m, t5 & m, t6 & m, t7 & m, t8 & m, t9 & m, t10 & m, t11 & m,
                t12 & m, t13)
        }
    }

    // MARK: Plain numbers

    init?(plain: Plain) {
        guard plain.isLess(than: P384Field.modulus) else { return nil }
        self = Self(words: plain) * Self(words: P384Field.rSquared.words)
    }

    /// The plain number. A Montgomery product with 1 converts the element out of the Montgomery domain. Bounds: (x +
    /// m·p)/2³⁹² with 0 ≤ m < 2³⁹² and |x| < 2³⁹¹ is in (−½, p + ½). So this integer is in [0, p], and p becomes 0.
    var plain: Plain {
        let x = self * Self(limbs: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let words: Plain = [
            UInt64(bitPattern: x.l0 | x.l1 << 28 | x.l2 << 56),
            UInt64(bitPattern: x.l2 >> 8 | x.l3 << 20 | x.l4 << 48),
            UInt64(bitPattern: x.l4 >> 16 | x.l5 << 12 | x.l6 << 40),
            UInt64(bitPattern: x.l6 >> 24 | x.l7 << 4 | x.l8 << 32 | x.l9 << 60),
            UInt64(bitPattern: x.l9 >> 4 | x.l10 << 24 | x.l11 << 52),
            UInt64(bitPattern: x.l11 >> 12 | x.l12 << 16 | x.l13 << 44),
        ]
        return words.isLess(than: P384Field.modulus) ? words : .zero
    }

    /// Returns whether two elements are congruent mod p. Time: variable.
    static func == (a: Self, b: Self) -> Bool { (a - b).isZero }

    /// Bounds: an element that is a multiple k·p has |k| ≤ 2, and its lowest 28 bits are −k mod 2²⁸. Time: variable.
    var isZero: Bool { _slowPath((l0 &+ 2) & Self.mask <= 4) && plain.isZero }

    func invertedVarTime() -> Self {
        Self(words: P384Field.inverse(plain)) * Self(words: P384Field.rSquared.words)
    }
}
