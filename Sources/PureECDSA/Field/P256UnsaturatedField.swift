/// An element of GF(p), p = 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ − 1 (SP 800-186 §3.2.1.3), as nine signed limbs of 29 bits, least
/// significant first. Used on WebAssembly, which has no carry flag and no instruction for the high half of a product.
///
/// *Domain*: Montgomery. The limbs of x are congruent to x·2²⁶¹ mod p. `init(_:…)` converts from ``P256Field``.
///
/// *Bounds*: |lᵢ| ≤ 1¼·2²⁹, and |l8| ≤ 2²⁵ for the highest limb, so |x| < 2²⁵⁷ + 2²³⁷. All operations accept and return
/// limbs within these bounds. A column of a product, with the terms of the reduction, is at most 9·(1¼·2²⁹)² < 2⁶².
///
/// *Time*: only ``isZero`` has a branch. Nevertheless, no secret may reach this type.
struct P256UnsaturatedField: P256Element {
    typealias Plain = InlineArray<4, UInt64>

    var l0, l1, l2, l3, l4, l5, l6, l7, l8: Int64

    /// 2^29 − 1. Computed, because a stored constant is initialised lazily, with a check in each function.
    private static var mask: Int64 { 0x1fff_ffff }

    @inline(__always)
    init(
        limbs l0: Int64, _ l1: Int64, _ l2: Int64, _ l3: Int64, _ l4: Int64, _ l5: Int64, _ l6: Int64, _ l7: Int64,
        _ l8: Int64
    ) {
        (self.l0, self.l1, self.l2, self.l3, self.l4, self.l5, self.l6, self.l7, self.l8) = (
            l0, l1, l2, l3, l4, l5, l6, l7, l8
        )
    }

    /// Converts the limbs of a ``P256Field``, any number below 2²⁵⁶. Multiplies the number by 2⁵, because this type
    /// represents x by x·2²⁶¹ instead of x·2²⁵⁶. Bounds: the 29 highest bits form one limb. The part of this limb from
    /// 2²⁵⁶ up is below 2⁵, so folding adds at most 2²⁶ to any limb.
    @inline(never)
    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        let u0 = Int64(truncatingIfNeeded: w0 << 5) & Self.mask  // the low 24 bits
        let u1 = Int64(truncatingIfNeeded: w0 >> 24) & Self.mask  // from bit 24
        let u2 = Int64(truncatingIfNeeded: w0 >> 53 | w1 << 11) & Self.mask  // from bit 53
        let u3 = Int64(truncatingIfNeeded: w1 >> 18) & Self.mask  // from bit 82
        let u4 = Int64(truncatingIfNeeded: w1 >> 47 | w2 << 17) & Self.mask  // from bit 111
        let u5 = Int64(truncatingIfNeeded: w2 >> 12) & Self.mask  // from bit 140
        let u6 = Int64(truncatingIfNeeded: w2 >> 41 | w3 << 23) & Self.mask  // from bit 169
        let u7 = Int64(truncatingIfNeeded: w3 >> 6) & Self.mask  // from bit 198
        let u8 = Int64(truncatingIfNeeded: w3 >> 35)  // from bit 227
        self = Self(limbs: u0, u1, u2, u3, u4, u5, u6, u7, u8).folded()
    }

    init(words: Plain) {
        self.init(words[0], words[1], words[2], words[3])
    }

    static var byteCount: Int { P256Field.byteCount }
    static var zero: Self { Self(limbs: 0, 0, 0, 0, 0, 0, 0, 0, 0) }
    static var one: Self { Self(words: P256Field.one.words) }

    // MARK: Sums

    @inline(never)
    static func + (a: Self, b: Self) -> Self {
        Self(
            limbs: a.l0 &+ b.l0, a.l1 &+ b.l1, a.l2 &+ b.l2, a.l3 &+ b.l3, a.l4 &+ b.l4, a.l5 &+ b.l5, a.l6 &+ b.l6,
            a.l7 &+ b.l7, a.l8 &+ b.l8
        ).reduced()
    }

    @inline(never)
    static func - (a: Self, b: Self) -> Self {
        Self(
            limbs: a.l0 &- b.l0, a.l1 &- b.l1, a.l2 &- b.l2, a.l3 &- b.l3, a.l4 &- b.l4, a.l5 &- b.l5, a.l6 &- b.l6,
            a.l7 &- b.l7, a.l8 &- b.l8
        ).reduced()
    }

    /// Carries from each limb into the next, in all limbs at once. Then folds the highest limb. Bounds: if the limbs
    /// are at most twice the bounds of an element, carries are in [−3, 2], and |l8| ≤ 2²⁶ + 3.
    @inline(__always)
    private func reduced() -> Self {
        let m = Self.mask
        return Self(
            limbs: l0 & m, (l1 & m) &+ l0 >> 29, (l2 & m) &+ l1 >> 29, (l3 & m) &+ l2 >> 29, (l4 & m) &+ l3 >> 29,
            (l5 & m) &+ l4 >> 29, (l6 & m) &+ l5 >> 29, (l7 & m) &+ l6 >> 29, l8 &+ l7 >> 29
        ).folded()
    }

    /// Folds the bits of the highest limb from 2²⁵⁶ up: q·2²⁵⁶ ≡ q·(2²²⁴ − 2¹⁹² − 2⁹⁶ + 1). Bounds: the other limbs are
    /// in [−3, 2²⁹ + 2] and |q| ≤ 2⁵. Adding 2²⁶ stays below 1¼·2²⁹. l8 is in [0, 2²⁴).
    @inline(__always)
    private func folded() -> Self {
        let q = l8 >> 24  // 2²⁵⁶ = 2²⁴·2^(29·8)
        return Self(limbs: l0 &+ q, l1, l2, l3 &- q << 9, l4, l5, l6 &- q << 18, l7 &+ q << 21, l8 & (1 << 24 - 1))
    }

    /// x/2. For an odd x this is (x − 1)/2 + (p + 1)/2, and (p + 1)/2 = 2²⁵⁵ − 2²²³ + 2¹⁹¹ + 2⁹⁵. Bounds: |lᵢ| is at
    /// most (1¼/2 + ½)·2²⁹ plus 2²⁰, and |l8| at most 2²⁴ + 2²³ + 1.
    @inline(never)
    func halved() -> Self {
        let odd = l0 & 1  // adds (p + 1)/2
        return Self(
            limbs: l0 >> 1 &+ (l1 & 1) << 28, l1 >> 1 &+ (l2 & 1) << 28, l2 >> 1 &+ (l3 & 1) << 28,
            l3 >> 1 &+ (l4 & 1) << 28 &+ odd << 8, l4 >> 1 &+ (l5 & 1) << 28, l5 >> 1 &+ (l6 & 1) << 28,
            l6 >> 1 &+ (l7 & 1) << 28 &+ odd << 17, l7 >> 1 &+ (l8 & 1) << 28 &- odd << 20, l8 >> 1 &+ odd << 23)
    }

    // MARK: Products

    typealias Product = Self
    func fullProduct(_ b: Self) -> Self { self * b }
    func fullSquare() -> Self { squared() }
    static func reducedDifference(_ t: Self, _ u: Self) -> Self { t - u }

    /// The Montgomery product a·b·2⁻²⁶¹ mod p. Rows of the product alternate with reduction steps.
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
        return t.element()
    }

    /// The Montgomery square. Computes each product of two different limbs once, with one factor doubled. Row i
    /// multiplies lᵢ by lᵢ and all higher limbs. After row i, column i is complete and is reduced.
    @inline(never)
    func squared() -> Self {
        var t = Columns()
        let d1 = l1 &+ l1, d2 = l2 &+ l2, d3 = l3 &+ l3, d4 = l4 &+ l4, d5 = l5 &+ l5, d6 = l6 &+ l6, d7 = l7 &+ l7,
            d8 = l8 &+ l8
        t.t0 = t.t0 &+ l0 &* l0  // row 0: l₀², then 2l₀lⱼ, j > 0
        t.t1 = t.t1 &+ l0 &* d1
        t.t2 = t.t2 &+ l0 &* d2
        t.t3 = t.t3 &+ l0 &* d3
        t.t4 = t.t4 &+ l0 &* d4
        t.t5 = t.t5 &+ l0 &* d5
        t.t6 = t.t6 &+ l0 &* d6
        t.t7 = t.t7 &+ l0 &* d7
        t.t8 = t.t8 &+ l0 &* d8
        t.reduce()  // column 0 reduced
        t.t1 = t.t1 &+ l1 &* l1  // row 1: l₁², then 2l₁lⱼ, j > 1
        t.t2 = t.t2 &+ l1 &* d2
        t.t3 = t.t3 &+ l1 &* d3
        t.t4 = t.t4 &+ l1 &* d4
        t.t5 = t.t5 &+ l1 &* d5
        t.t6 = t.t6 &+ l1 &* d6
        t.t7 = t.t7 &+ l1 &* d7
        t.t8 = t.t8 &+ l1 &* d8
        t.reduce()  // column 1 reduced
        t.t2 = t.t2 &+ l2 &* l2  // row 2: l₂², then 2l₂lⱼ, j > 2
        t.t3 = t.t3 &+ l2 &* d3
        t.t4 = t.t4 &+ l2 &* d4
        t.t5 = t.t5 &+ l2 &* d5
        t.t6 = t.t6 &+ l2 &* d6
        t.t7 = t.t7 &+ l2 &* d7
        t.t8 = t.t8 &+ l2 &* d8
        t.reduce()  // column 2 reduced
        t.t3 = t.t3 &+ l3 &* l3  // row 3: l₃², then 2l₃lⱼ, j > 3
        t.t4 = t.t4 &+ l3 &* d4
        t.t5 = t.t5 &+ l3 &* d5
        t.t6 = t.t6 &+ l3 &* d6
        t.t7 = t.t7 &+ l3 &* d7
        t.t8 = t.t8 &+ l3 &* d8
        t.reduce()  // column 3 reduced
        t.t4 = t.t4 &+ l4 &* l4  // row 4: l₄², then 2l₄lⱼ, j > 4
        t.t5 = t.t5 &+ l4 &* d5
        t.t6 = t.t6 &+ l4 &* d6
        t.t7 = t.t7 &+ l4 &* d7
        t.t8 = t.t8 &+ l4 &* d8
        t.reduce()  // column 4 reduced
        t.t5 = t.t5 &+ l5 &* l5  // row 5: l₅², then 2l₅lⱼ, j > 5
        t.t6 = t.t6 &+ l5 &* d6
        t.t7 = t.t7 &+ l5 &* d7
        t.t8 = t.t8 &+ l5 &* d8
        t.reduce()  // column 5 reduced
        t.t6 = t.t6 &+ l6 &* l6  // row 6: l₆², then 2l₆lⱼ, j > 6
        t.t7 = t.t7 &+ l6 &* d7
        t.t8 = t.t8 &+ l6 &* d8
        t.reduce()  // column 6 reduced
        t.t7 = t.t7 &+ l7 &* l7  // row 7: l₇², then 2l₇lⱼ, j > 7
        t.t8 = t.t8 &+ l7 &* d8
        t.reduce()  // column 7 reduced
        t.t8 = t.t8 &+ l8 &* l8  // row 8: l₈²
        t.reduce()  // column 8 reduced
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

        @inline(__always)
        mutating func addRow(_ a: P256UnsaturatedField, _ b: Int64) {
            t0 = t0 &+ a.l0 &* b  // t ← t + a·b, column by column
            t1 = t1 &+ a.l1 &* b
            t2 = t2 &+ a.l2 &* b
            t3 = t3 &+ a.l3 &* b
            t4 = t4 &+ a.l4 &* b
            t5 = t5 &+ a.l5 &* b
            t6 = t6 &+ a.l6 &* b
            t7 = t7 &+ a.l7 &* b
            t8 = t8 &+ a.l8 &* b
            reduce()
        }

        /// t ← (t + m·p)/2²⁹ with m = t mod 2²⁹. p ≡ −1 mod 2²⁹, so the lowest column becomes t₀ − m, which is only a
        /// carry into the next column. p + 1 = 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ needs only shifts.
        @inline(__always)
        mutating func reduce() {
            let m = t0 & P256UnsaturatedField.mask  // −p⁻¹ ≡ 1 mod 2²⁹
            let carry = t0 >> 29  // (t₀ − m)/2²⁹
            t0 = t1 &+ carry  // the columns move down by one
            t1 = t2
            t2 = t3 &+ m << 9  // + m·2⁹⁶, 96 = 3·29 + 9
            t3 = t4
            t4 = t5
            t5 = t6 &+ m << 18  // + m·2¹⁹², 192 = 6·29 + 18
            t6 = t7 &- m << 21  // − m·2²²⁴, 224 = 7·29 + 21
            t7 = t8 &+ m << 24  // + m·2²⁵⁶, 256 = 8·29 + 24
            t8 = 0
        }

        /// Returns the element. All limbs but the highest are in [0, 2²⁹). Bounds: for a and b within an element's
        /// bounds, |a·b| < 2⁵¹⁴ + 2⁵⁰². The reduced number is in (−2²⁵³ − 1, p + 2²⁵³ + 1), and t8 is in (−2²⁴, 2²⁵).
        @inline(__always)
        consuming func element() -> P256UnsaturatedField {
            let m = P256UnsaturatedField.mask
            t1 = t1 &+ t0 >> 29  // the carries, from the lowest column up
            t2 = t2 &+ t1 >> 29
            t3 = t3 &+ t2 >> 29
            t4 = t4 &+ t3 >> 29
            t5 = t5 &+ t4 >> 29
            t6 = t6 &+ t5 >> 29
            t7 = t7 &+ t6 >> 29
            t8 = t8 &+ t7 >> 29
            return P256UnsaturatedField(limbs: t0 & m, t1 & m, t2 & m, t3 & m, t4 & m, t5 & m, t6 & m, t7 & m, t8)
        }
    }

    // MARK: Plain numbers

    init?(plain: Plain) {
        guard plain.isLess(than: P256Field.modulus) else { return nil }
        self = Self(words: plain) * Self(words: P256Field.rSquared.words)
    }

    /// The plain number. A Montgomery product with 1 converts the element out of the Montgomery domain. Bounds: (x +
    /// m·p)/2²⁶¹ with 0 ≤ m < 2²⁶¹ and |x| < 2²⁶⁰ is in (−½, p + ½). So this integer is in [0, p], and p becomes 0.
    var plain: Plain {
        let x = self * Self(limbs: 1, 0, 0, 0, 0, 0, 0, 0, 0)
        let words: Plain = [
            UInt64(bitPattern: x.l0 | x.l1 << 29 | x.l2 << 58),
            UInt64(bitPattern: x.l2 >> 6 | x.l3 << 23 | x.l4 << 52),
            UInt64(bitPattern: x.l4 >> 12 | x.l5 << 17 | x.l6 << 46),
            UInt64(bitPattern: x.l6 >> 18 | x.l7 << 11 | x.l8 << 40),
        ]
        return words.isLess(than: P256Field.modulus) ? words : .zero
    }

    /// Returns whether two elements are congruent mod p. Time: variable.
    static func == (a: Self, b: Self) -> Bool { (a - b).isZero }

    /// Bounds: an element that is a multiple k·p has |k| ≤ 2, and its lowest 29 bits are −k mod 2²⁹. Time: variable.
    var isZero: Bool { _slowPath((l0 &+ 2) & Self.mask <= 4) && plain.isZero }

    func invertedVarTime() -> Self {
        Self(words: P256Field.inverse(plain)) * Self(words: P256Field.rSquared.words)
    }
}
