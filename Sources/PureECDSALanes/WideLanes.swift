/// Eight products before the reduction, in ten columns of 52 bits that are not carried. *Bounds*: |column| < 2⁵⁹, so
/// that there is room for the additions of the reduction, at most 2⁵⁶ per column.
struct WideLanes {
    var t0, t1, t2, t3, t4, t5, t6, t7, t8, t9: Lanes

    @inline(__always)
    private init() {
        t0 = lanes(0)
        (t1, t2, t3, t4, t5, t6, t7, t8, t9) = (t0, t0, t0, t0, t0, t0, t0, t0, t0)
    }

    /// a·b. Bounds: a column is a sum of at most ten halves of 52 bits.
    @inline(__always)
    init(_ a: FieldLanes, _ b: FieldLanes) {
        self.init()
        Self.addRow(a, b.l0, &t0, &t1, &t2, &t3, &t4, &t5)  // a·b₀
        Self.addRow(a, b.l1, &t1, &t2, &t3, &t4, &t5, &t6)  // a·b₁·2⁵²
        Self.addRow(a, b.l2, &t2, &t3, &t4, &t5, &t6, &t7)
        Self.addRow(a, b.l3, &t3, &t4, &t5, &t6, &t7, &t8)
        Self.addRow(a, b.l4, &t4, &t5, &t6, &t7, &t8, &t9)
    }

    @inline(__always)
    private static func addRow(
        _ a: FieldLanes, _ b: Lanes, _ t0: inout Lanes, _ t1: inout Lanes, _ t2: inout Lanes, _ t3: inout Lanes,
        _ t4: inout Lanes, _ t5: inout Lanes
    ) {
        t0.addLow(a.l0, b)
        t1.addLow(a.l1, b)
        t2.addLow(a.l2, b)
        t3.addLow(a.l3, b)
        t4.addLow(a.l4, b)
        t1.addHigh(a.l0, b)
        t2.addHigh(a.l1, b)
        t3.addHigh(a.l2, b)
        t4.addHigh(a.l3, b)
        t5.addHigh(a.l4, b)
    }

    /// a²: adds each product aᵢ·aⱼ with i < j once, doubles the sum, and adds the squares. Bounds: as for a product.
    @inline(__always)
    init(squareOf a: FieldLanes) {
        self.init()
        Self.add(a.l0, a.l1, &t1, &t2)  // aᵢ·aⱼ·2^(52·(i + j))
        Self.add(a.l0, a.l2, &t2, &t3)
        Self.add(a.l0, a.l3, &t3, &t4)
        Self.add(a.l0, a.l4, &t4, &t5)
        Self.add(a.l1, a.l2, &t3, &t4)
        Self.add(a.l1, a.l3, &t4, &t5)
        Self.add(a.l1, a.l4, &t5, &t6)
        Self.add(a.l2, a.l3, &t5, &t6)
        Self.add(a.l2, a.l4, &t6, &t7)
        Self.add(a.l3, a.l4, &t7, &t8)
        (t1, t2, t3, t4) = (t1 &+ t1, t2 &+ t2, t3 &+ t3, t4 &+ t4)  // 2·Σ
        (t5, t6, t7, t8) = (t5 &+ t5, t6 &+ t6, t7 &+ t7, t8 &+ t8)
        Self.add(a.l0, a.l0, &t0, &t1)  // aᵢ²·2^(104·i)
        Self.add(a.l1, a.l1, &t2, &t3)
        Self.add(a.l2, a.l2, &t4, &t5)
        Self.add(a.l3, a.l3, &t6, &t7)
        Self.add(a.l4, a.l4, &t8, &t9)
    }

    @inline(__always)
    private static func add(_ a: Lanes, _ b: Lanes, _ low: inout Lanes, _ high: inout Lanes) {
        low.addLow(a, b)
        high.addHigh(a, b)
    }

    /// t − 2^k·u. Bounds: k ≤ 3, and t and u are products, so a column is above −80·2⁵² and below 10·2⁵².
    @inline(__always)
    func subtracting(_ u: Self, doubled k: Int64 = 0) -> Self {
        let k = lanes(k)
        var d = self
        d.t0 = t0 &- (u.t0 &<< k)
        d.t1 = t1 &- (u.t1 &<< k)
        d.t2 = t2 &- (u.t2 &<< k)
        d.t3 = t3 &- (u.t3 &<< k)
        d.t4 = t4 &- (u.t4 &<< k)
        d.t5 = t5 &- (u.t5 &<< k)
        d.t6 = t6 &- (u.t6 &<< k)
        d.t7 = t7 &- (u.t7 &<< k)
        d.t8 = t8 &- (u.t8 &<< k)
        d.t9 = t9 &- (u.t9 &<< k)
        return d
    }

    /// t/2²⁶⁰ mod p: Montgomery's reduction, one limb per step (Koç–Acar–Kaliski 1996 §4; −p⁻¹ mod 2⁵² is 1). Bounds:
    /// the result is (t + m·p)/2²⁶⁰ with 0 ≤ m < 2²⁶⁰, so for t = T·U² it is in [T/16, T/16 + 1) U. The result has no
    /// negative limb if t has no negative column.
    @inline(__always)
    var reduced: LooseLanes {
        var (t1, t2, t3, t4, t5, t6, t7, t8, t9) = (t1, t2, t3, t4, t5, t6, t7, t8, t9)
        Self.reduce(t0, &t1, &t2, &t3, &t4, &t5)
        Self.reduce(t1, &t2, &t3, &t4, &t5, &t6)
        Self.reduce(t2, &t3, &t4, &t5, &t6, &t7)
        Self.reduce(t3, &t4, &t5, &t6, &t7, &t8)
        Self.reduce(t4, &t5, &t6, &t7, &t8, &t9)
        return LooseLanes(t5, t6, t7, t8, t9)
    }

    /// Adds m·p, where m = t₀ mod 2⁵². Drops the lowest column, which is then 0 mod 2⁵². p₀ = 2⁵² − 1: t₀ + m·p₀ =
    /// 2⁵²·(⌊t₀/2⁵²⌋ + m). With p₁ = 2⁴⁴ − 1, m + m·p₁ = m·2⁴⁴. p₂ = 0. Products with powers of two are faster than
    /// shifts, because shifts need masks.
    @inline(__always)
    private static func reduce(
        _ t0: Lanes, _ t1: inout Lanes, _ t2: inout Lanes, _ t3: inout Lanes, _ t4: inout Lanes, _ t5: inout Lanes
    ) {
        t1 = t1 &+ (t0 &>> lanes(52))  // ⌊t₀/2⁵²⌋
        t1.addLow(t0, lanes(1 << 44))  // m·2⁴⁴
        t2.addHigh(t0, lanes(1 << 44))
        t3.addLow(t0, lanes(Modulus.l3))  // m·p₃
        t4.addHigh(t0, lanes(Modulus.l3))
        t4.addLow(t0, lanes(Modulus.l4))  // m·p₄
        t5.addHigh(t0, lanes(Modulus.l4))
    }
}

extension FieldLanes {
    /// a·b. Bounds: for a = A·U and b = B·U, the result is below (A·B/16 + 1) U. This bound must be at most 16 U.
    @inline(__always)
    static func * (a: Self, b: Self) -> Self { WideLanes(a, b).reduced.carried }

    /// a². Bounds: as for a product.
    @inline(__always)
    var squared: Self { WideLanes(squareOf: self).reduced.carried }
}
