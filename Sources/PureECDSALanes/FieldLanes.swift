/// Eight elements of GF(p), p = 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ − 1 (SP 800-186 §3.2.1.3), in 52-bit limbs, lowest first.
/// *Domain*: Montgomery with R = 2²⁶⁰. The limbs of x are congruent to x·2²⁶⁰ mod p. *Bounds*: each limb is in [0,
/// 2⁵²), because the multiplication reads only 52 bits. The numbers may exceed p; comments state the bounds of numbers
/// in units of U = 2²⁵⁶. Numbers below 16 U fit into five limbs. p is below U and above (1 − 2⁻³¹)·U. *Time*: constant.
struct FieldLanes: Sendable {
    var l0, l1, l2, l3, l4: Lanes

    @inline(__always)
    init(_ l0: Lanes, _ l1: Lanes, _ l2: Lanes, _ l3: Lanes, _ l4: Lanes) {
        (self.l0, self.l1, self.l2, self.l3, self.l4) = (l0, l1, l2, l3, l4)
    }

    /// The same number in each lane.
    @inline(__always)
    init(all l0: Int64, _ l1: Int64, _ l2: Int64, _ l3: Int64, _ l4: Int64) {
        self.init(lanes(l0), lanes(l1), lanes(l2), lanes(l3), lanes(l4))
    }

    @inline(__always)
    static var zero: Self { Self(all: 0, 0, 0, 0, 0) }

    /// 1: 2²⁶⁰ mod p. Bounds: < 1 U.
    /// `python3 -c 'p=2**256-2**224+2**192+2**96-1; print([hex((2**260%p)>>52*i&2**52-1) for i in range(5)])'`
    @inline(__always)
    static var one: Self {
        Self(all: 0x10, 0xf_0000_0000_0000, 0xf_ffff_ffff_ffff, 0xf_feff_ffff_ffff, 0xf_ffff)
    }

    /// 2²⁵⁶ mod p. A product with this constant converts a number to the Montgomery domain of 2²⁵⁶. Bounds: < 1 U.
    /// `python3 -c 'p=…; print([hex((2**256%p)>>52*i&2**52-1) for i in range(5)])'`
    @inline(__always)
    static var toScalarDomain: Self {
        Self(all: 1, 0xf_f000_0000_0000, 0xf_ffff_ffff_ffff, 0xf_ffef_ffff_ffff, 0xffff)
    }

    /// 2⁵²⁰ mod p. A product with this constant converts a plain number to the Montgomery domain. Bounds: < 1 U.
    /// `python3 -c 'p=…; print([hex((2**520%p)>>52*i&2**52-1) for i in range(5)])'`
    @inline(__always)
    static var rSquared: Self {
        Self(all: 0x300, 0xf_ffff_fff0_0000, 0xf_fffe_ffff_fffb, 0xf_dfff_ffff_ffff, 0x4ff_ffff)
    }

    @inline(__always)
    var loose: LooseLanes { LooseLanes(l0, l1, l2, l3, l4) }

    /// A mask of the lanes that are 0 mod p. Bounds: the numbers are below 2p, so 0 and p are the only forms of 0.
    @inline(__always)
    var isZero: SIMDMask<Lanes> {
        let zero = (l0 | l1 | l2 | l3 | l4) .== lanes(0)
        let p =
            (l0 ^ lanes(Modulus.l0)) | (l1 ^ lanes(Modulus.l1)) | l2 | (l3 ^ lanes(Modulus.l3))
            | (l4 ^ lanes(Modulus.l4))
        return zero .| (p .== lanes(0))
    }

    /// The lanes rotated down by 1, 2 or 4; the lowest lanes move to the top.
    @inline(__always)
    func rotated(by count: Int) -> Self {
        Self(
            rotate(l0, by: count), rotate(l1, by: count), rotate(l2, by: count), rotate(l3, by: count),
            rotate(l4, by: count))
    }
}

/// The limbs of p; the third is 0. `python3 -c 'p=…; print([hex(p>>52*i&2**52-1) for i in range(5)])'`
enum Modulus {
    static var l0: Int64 { 0xf_ffff_ffff_ffff }
    static var l1: Int64 { 0xfff_ffff_ffff }
    static var l3: Int64 { 0x10_0000_0000 }
    static var l4: Int64 { 0xffff_ffff_0000 }
}

@inline(__always)
private func rotate(_ a: Lanes, by count: Int) -> Lanes {
    switch count {
    case 1: Lanes(a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[0])
    case 2: Lanes(a[2], a[3], a[4], a[5], a[6], a[7], a[0], a[1])
    default: Lanes(a[4], a[5], a[6], a[7], a[0], a[1], a[2], a[3])
    }
}

/// Eight numbers with signed limbs that are not carried. They are sums and differences of ``FieldLanes``; carries are
/// propagated only once, at the end. *Bounds*: |limb| < 2⁶⁰.
struct LooseLanes {
    var l0, l1, l2, l3, l4: Lanes

    @inline(__always)
    init(_ l0: Lanes, _ l1: Lanes, _ l2: Lanes, _ l3: Lanes, _ l4: Lanes) {
        (self.l0, self.l1, self.l2, self.l3, self.l4) = (l0, l1, l2, l3, l4)
    }

    @inline(__always)
    static func + (a: Self, b: Self) -> Self {
        Self(a.l0 &+ b.l0, a.l1 &+ b.l1, a.l2 &+ b.l2, a.l3 &+ b.l3, a.l4 &+ b.l4)
    }

    @inline(__always)
    static func - (a: Self, b: Self) -> Self {
        Self(a.l0 &- b.l0, a.l1 &- b.l1, a.l2 &- b.l2, a.l3 &- b.l3, a.l4 &- b.l4)
    }

    /// The numbers times 2^k.
    @inline(__always)
    func doubled(times k: Int64) -> Self {
        let k = lanes(k)
        return Self(l0 &<< k, l1 &<< k, l2 &<< k, l3 &<< k, l4 &<< k)
    }

    /// The numbers plus k·p. The caller chooses k so that a difference becomes non-negative.
    @inline(__always)
    func addingModulus(times k: Int64) -> Self {
        Self(
            l0 &+ lanes(k &* Modulus.l0), l1 &+ lanes(k &* Modulus.l1), l2, l3 &+ lanes(k &* Modulus.l3),
            l4 &+ lanes(k &* Modulus.l4))
    }

    /// The numbers, negated in the lanes whose `sign` is −1.
    @inline(__always)
    func negated(where sign: Lanes) -> Self {
        Self(
            l0.negated(where: sign), l1.negated(where: sign), l2.negated(where: sign), l3.negated(where: sign),
            l4.negated(where: sign))
    }

    /// The same numbers, with all carries propagated. Bounds: the numbers are in [0, 16 U).
    @inline(__always)
    var carried: FieldLanes {
        let bits = lanes(52), mask = lanes(limbMask)
        let c1 = l1 &+ (l0 &>> bits)
        let c2 = l2 &+ (c1 &>> bits)
        let c3 = l3 &+ (c2 &>> bits)
        let c4 = l4 &+ (c3 &>> bits)
        return FieldLanes(l0 & mask, c1 & mask, c2 & mask, c3 & mask, c4)
    }

    /// The numbers mod p, with carried limbs, below 1.001 U. Replaces q·2²⁵⁶ by q·c, where c = 2²⁵⁶ − p = 2²²⁴ − 2¹⁹² −
    /// 2⁹⁶ + 1.
    ///
    /// Bounds: the numbers are below 64 U, and each is at least U/2 or has no negative limb. Let q = ⌊l₄/2⁴⁸⌋. The
    /// carries from the lower limbs into l₄ are at most 2⁹. So −1 < q < 64 + 1, because l₄ > 2⁴⁷ − 2⁹ for a number of
    /// U/2 or more. The result is below U + 2⁹·2²⁰⁸ + q·2²²⁴ < 1.001 U. The result is not negative: if q = 0, the
    /// number does not change. Otherwise q·c ≥ 2²²³ exceeds the most that the limbs below l₄ can subtract, 2⁹·2²⁰⁸.
    @inline(__always)
    var folded: FieldLanes {
        let q = l4 &>> lanes(48)
        return Self(
            l0 &+ q, l1 &- (q &<< lanes(44)), l2, l3 &- (q &<< lanes(36)),
            (l4 & lanes(0xffff_ffff_ffff)) &+ (q &<< lanes(16))
        ).carried
    }
}
