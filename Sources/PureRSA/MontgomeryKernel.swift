// Multiplies, squares and reduces multi-limb numbers. The loops process four limbs of one operand at a time.
//
// β = 2⁶⁴. A number is a span of limbs, least significant limb first. The number of limbs is a multiple of 4. The four
// open limbs of a sum stay in registers (``OpenLimbs``), so four products need only one load and one store.
//
// Source: Koç, Acar, Kaliski 1996 ("Analyzing and Comparing Montgomery Multiplication Algorithms"), §4, the separated
// form with words of 256 bits; Menezes, van Oorschot, Vanstone 1996, Algorithm 14.16, for the square.
//
// Time: depends only on the limb count.

/// The open limbs of a sum, to which more products will be added: Σ cᵢ·βⁱ, i = 0 … 3.
struct OpenLimbs {
    var c0: UInt64 = 0, c1: UInt64 = 0, c2: UInt64 = 0, c3: UInt64 = 0

    /// Adds t + a·(b₀ + b₁β + b₂β² + b₃β³), returns the lowest limb of the sum, and keeps the four higher limbs.
    /// Bounds: none needed. The sum is at most (β⁴ − 1) + (β − 1) + (β − 1)·(β⁴ − 1) = β⁵ − 1, so the second chain of
    /// additions ends without a carry.
    @inline(__always)
    mutating func add(
        _ t: UInt64, _ a: UInt64, _ b0: UInt64, _ b1: UInt64, _ b2: UInt64, _ b3: UInt64
    ) -> UInt64 {
        let (h0, l0) = a.multipliedFullWidth(by: b0), (h1, l1) = a.multipliedFullWidth(by: b1)
        let (h2, l2) = a.multipliedFullWidth(by: b2), (h3, l3) = a.multipliedFullWidth(by: b3)
        var carry: UInt64 = 0
        let s0 = addWithCarry(c0, l0, &carry)
        let s1 = addWithCarry(c1, l1, &carry)
        let s2 = addWithCarry(c2, l2, &carry)
        let s3 = addWithCarry(c3, l3, &carry)
        let s4 = carry
        carry = 0
        let lowest = addWithCarry(s0, t, &carry)
        c0 = addWithCarry(s1, h0, &carry)
        c1 = addWithCarry(s2, h1, &carry)
        c2 = addWithCarry(s3, h2, &carry)
        c3 = addWithCarry(s4, h3, &carry)
        return lowest
    }

    /// Adds a·b to `t`, where b = b₀ + b₁β + b₂β² + b₃β³. Limb j of a, from `start` up, is added at limb `offset` + j
    /// of `t`. Bounds: `a.count − start` is a multiple of 4; `t` has at least `offset + a.count` limbs. `self` keeps
    /// the limbs of the sum that are still open.
    @inline(__always)
    mutating func add(
        _ t: inout MutableSpan<UInt64>, at offset: Int, _ a: Span<UInt64>, from start: Int,
        _ b0: UInt64, _ b1: UInt64, _ b2: UInt64, _ b3: UInt64
    ) {
        var j = start
        while j < a.count {
            let k = offset &+ j
            t[k] = add(t[k], a[j], b0, b1, b2, b3)
            t[k &+ 1] = add(t[k &+ 1], a[j &+ 1], b0, b1, b2, b3)
            t[k &+ 2] = add(t[k &+ 2], a[j &+ 2], b0, b1, b2, b3)
            t[k &+ 3] = add(t[k &+ 3], a[j &+ 3], b0, b1, b2, b3)
            j &+= 4
        }
    }

    @inline(__always)
    func store(in t: inout MutableSpan<UInt64>, at k: Int) {
        t[k] = c0
        t[k &+ 1] = c1
        t[k &+ 2] = c2
        t[k &+ 3] = c3
    }
}

/// t ← a·b. Bounds: a and b have the same limb count, and `t` has twice as many limbs. Row i adds a·(bᵢ … bᵢ₊₃) at limb
/// i. It reads only limbs below i + count, which are zeroed or written by earlier rows. It also stores the four limbs
/// from i + count on.
@inline(never)
func multiply(_ a: Span<UInt64>, _ b: Span<UInt64>, into t: inout MutableSpan<UInt64>) {
    for j in 0..<a.count { t[j] = 0 }
    var i = 0
    while i < b.count {
        var open = OpenLimbs()
        open.add(&t, at: i, a, from: 0, b[i], b[i &+ 1], b[i &+ 2], b[i &+ 3])
        open.store(in: &t, at: i &+ a.count)
        i &+= 4
    }
}

/// t ← a²: computes each product of two different limbs once, doubles their sum and adds the squares of the limbs.
/// Bounds: `t` has twice as many limbs as a. Row i reads only limbs below i + count, which are zeroed or written by
/// earlier rows. It also stores the four limbs from i + count on.
@inline(never)
func square(_ a: Span<UInt64>, into t: inout MutableSpan<UInt64>) {
    for j in 0..<a.count { t[j] = 0 }
    var i = 0
    while i < a.count {
        let a0 = a[i], a1 = a[i &+ 1], a2 = a[i &+ 2], a3 = a[i &+ 3]
        let k = 2 &* i
        // The six products of different limbs of the block, at limbs k + 1 … k + 6. Their sum is at most (β − 1)²·(β +
        // β² + 2β³ + β⁴ + β⁵) < β⁷ − β⁶ + β⁵ + β³. Then the three limbs of `t` in the block are added. Together they
        // are below β⁴, so the sum stays below β⁷.
        let (h01, l01) = a0.multipliedFullWidth(by: a1), (h02, l02) = a0.multipliedFullWidth(by: a2)
        let (h03, l03) = a0.multipliedFullWidth(by: a3), (h12, l12) = a1.multipliedFullWidth(by: a2)
        let (h13, l13) = a1.multipliedFullWidth(by: a3), (h23, l23) = a2.multipliedFullWidth(by: a3)
        var carry: UInt64 = 0
        var p1 = l01
        var p2 = addWithCarry(l02, h01, &carry)
        var p3 = addWithCarry(l03, h02, &carry)
        var p4 = addWithCarry(l13, h03, &carry)
        var p5 = addWithCarry(l23, h13, &carry)
        var p6 = h23 &+ carry
        carry = 0
        p3 = addWithCarry(p3, l12, &carry)
        p4 = addWithCarry(p4, h12, &carry)
        p5 = addWithCarry(p5, 0, &carry)
        p6 = p6 &+ carry
        carry = 0
        p1 = addWithCarry(p1, t[k &+ 1], &carry)
        p2 = addWithCarry(p2, t[k &+ 2], &carry)
        p3 = addWithCarry(p3, t[k &+ 3], &carry)
        p4 = addWithCarry(p4, 0, &carry)
        p5 = addWithCarry(p5, 0, &carry)
        p6 = p6 &+ carry
        t[k &+ 1] = p1
        t[k &+ 2] = p2
        t[k &+ 3] = p3
        // Multiplies the limbs of the block by every limb above the block. The first product belongs at limb k + 4.
        var open = OpenLimbs(c0: p4, c1: p5, c2: p6, c3: 0)
        open.add(&t, at: i, a, from: i &+ 4, a0, a1, a2, a3)
        open.store(in: &t, at: i &+ a.count)
        i &+= 4
    }
    // 2·(the sum so far) + Σ aᵢ²·β²ⁱ = a² < β^(2·count), so neither chain of additions ends with a carry.
    var shifted: UInt64 = 0
    var carry: UInt64 = 0
    i = 0
    while i < a.count {
        let (h0, l0) = a[i].multipliedFullWidth(by: a[i])
        let (h1, l1) = a[i &+ 1].multipliedFullWidth(by: a[i &+ 1])
        let k = 2 &* i
        let x0 = t[k], x1 = t[k &+ 1], x2 = t[k &+ 2], x3 = t[k &+ 3]
        t[k] = addWithCarry(x0 << 1 | shifted, l0, &carry)
        t[k &+ 1] = addWithCarry(x1 << 1 | x0 >> 63, h0, &carry)
        t[k &+ 2] = addWithCarry(x2 << 1 | x1 >> 63, l1, &carry)
        t[k &+ 3] = addWithCarry(x3 << 1 | x2 >> 63, h1, &carry)
        shifted = x3 >> 63
        i &+= 2
    }
}

/// r ← t·R⁻¹ mod n, R = β^(n.count); overwrites `t`.
///
/// Bounds: t < R², because t is a product of two numbers below R; `inverse` is −n⁻¹ mod β⁴. Each block adds m·n·βⁱ with
/// m < β⁴. All blocks together add M·n with M < R, so (t + M·n) / R < R + n. This quotient has at most one bit (`top`)
/// above the limbs of r. If `top` is set, subtracting n makes r < R; otherwise r < R already. If t < R·n, then (t +
/// M·n) / R < 2n.
///
/// The division by R is exact, because m·n = −t mod β⁴ makes the four lowest limbs of each block 0.
@inline(never)
func reduce(
    _ t: inout MutableSpan<UInt64>, modulo n: Span<UInt64>, _ inverse: Span<UInt64>,
    into r: inout MutableSpan<UInt64>
) {
    let count = n.count
    let i0 = inverse[0], i1 = inverse[1], i2 = inverse[2], i3 = inverse[3]
    var top: UInt64 = 0
    var i = 0
    while i < count {
        let t0 = t[i], t1 = t[i &+ 1], t2 = t[i &+ 2], t3 = t[i &+ 3]
        let (m0, m1, m2, m3) = lowProduct(t0, t1, t2, t3, i0, i1, i2, i3)
        var open = OpenLimbs()
        // These four limbs are 0.
        _ = open.add(t0, n[0], m0, m1, m2, m3)
        _ = open.add(t1, n[1], m0, m1, m2, m3)
        _ = open.add(t2, n[2], m0, m1, m2, m3)
        _ = open.add(t3, n[3], m0, m1, m2, m3)
        open.add(&t, at: i, n, from: 4, m0, m1, m2, m3)
        // The sum of two numbers below β⁴ and a bit is at most 2β⁴ − 1, so only one of the two chains of additions ends
        // with a carry.
        let k = i &+ count
        var carry: UInt64 = 0
        t[k] = addWithCarry(addWithCarry(t[k], open.c0, &carry), 0, &top)
        t[k &+ 1] = addWithCarry(addWithCarry(t[k &+ 1], open.c1, &carry), 0, &top)
        t[k &+ 2] = addWithCarry(addWithCarry(t[k &+ 2], open.c2, &carry), 0, &top)
        t[k &+ 3] = addWithCarry(addWithCarry(t[k &+ 3], open.c3, &carry), 0, &top)
        top |= carry
        i &+= 4
    }
    if top == 1 {
        // R + r − n = r + (R − 1 − n) + 1 mod R.
        var carry: UInt64 = 1
        for j in 0..<count { r[j] = addWithCarry(t[count &+ j], ~n[j], &carry) }
    } else {
        for j in 0..<count { r[j] = t[count &+ j] }
    }
}

/// a·b mod β⁴.
func lowProduct(_ a: InlineArray<4, UInt64>, _ b: InlineArray<4, UInt64>) -> InlineArray<4, UInt64> {
    let (r0, r1, r2, r3) = lowProduct(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])
    return [r0, r1, r2, r3]
}

@inline(__always)
private func lowProduct(
    _ t0: UInt64, _ t1: UInt64, _ t2: UInt64, _ t3: UInt64, _ i0: UInt64, _ i1: UInt64, _ i2: UInt64, _ i3: UInt64
) -> (UInt64, UInt64, UInt64, UInt64) {
    let (h00, m0) = t0.multipliedFullWidth(by: i0)
    let (h01, l01) = t0.multipliedFullWidth(by: i1), (h10, l10) = t1.multipliedFullWidth(by: i0)
    let (h02, l02) = t0.multipliedFullWidth(by: i2), (h11, l11) = t1.multipliedFullWidth(by: i1)
    let (h20, l20) = t2.multipliedFullWidth(by: i0)
    // Of the products at limb 3, only the low words are below β⁴.
    var m3 = t0 &* i3 &+ t1 &* i2 &+ t2 &* i1 &+ t3 &* i0
    var carry: UInt64 = 0
    var m1 = addWithCarry(l01, h00, &carry)
    var m2 = addWithCarry(l02, h01, &carry)
    m3 = m3 &+ h02 &+ carry
    carry = 0
    m1 = addWithCarry(m1, l10, &carry)
    m2 = addWithCarry(m2, h10, &carry)
    m3 = m3 &+ h11 &+ carry
    carry = 0
    m2 = addWithCarry(m2, l11, &carry)
    m3 = m3 &+ h20 &+ carry
    carry = 0
    m2 = addWithCarry(m2, l20, &carry)
    m3 = m3 &+ carry
    return (m0, m1, m2, m3)
}

/// `a + b + carry mod 2⁶⁴`; `carry` becomes the carry out. Bounds: `carry ≤ 1` before and after.
///
/// Reading the flag as a byte compiles to `adc`; a conditional expression compiles to a branch
/// (`PureECDSA/Field/Limbs.swift` has the measurements). WebAssembly has no carry flag and uses the conditional
/// expression. The function is transparent, so that debug builds inline it too.
///
/// Safety: `Bool` is one byte whose only valid contents are 0 and 1 (the Swift ABI's "Type Layout").
@_transparent
func addWithCarry(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (s, o1) = a.addingReportingOverflow(b)
    let (t, o2) = s.addingReportingOverflow(carry)
    #if arch(wasm32)
        carry = o1 || o2 ? 1 : 0
    #else
        carry = UInt64(truncatingIfNeeded: unsafe unsafeBitCast(o1, to: UInt8.self) | unsafeBitCast(o2, to: UInt8.self))
    #endif
    return t
}
