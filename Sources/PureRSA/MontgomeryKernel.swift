// Multiplies, squares and reduces numbers of many limbs. The loops process four limbs of one operand at a time.
//
// β = 2⁶⁴. A number is a span of blocks of four limbs, least significant block first. Reading a block checks one index
// instead of four. The four open limbs of a sum stay in registers, so four products need only one load and one store.
//
// Source: Koç, Acar, Kaliski 1996 ("Analyzing and Comparing Montgomery Multiplication Algorithms"), §4, the separated
// form with words of 256 bits; Menezes, van Oorschot, Vanstone 1996, Algorithm 14.16, for the square.
//
// Time: depends only on the number of blocks.

/// The number Σ cᵢ·βⁱ, i = 0 … 3: a digit to the base β⁴, or the open limbs of a sum, to which more products will be
/// added.
package struct Block: Hashable, Sendable {
    var c0: UInt64 = 0, c1: UInt64 = 0, c2: UInt64 = 0, c3: UInt64 = 0

    /// Limb i. Bounds: 0 ≤ i ≤ 3.
    subscript(i: Int) -> UInt64 {
        get {
            switch i {
            case 0: c0
            case 1: c1
            case 2: c2
            default: c3
            }
        }
        set {
            switch i {
            case 0: c0 = newValue
            case 1: c1 = newValue
            case 2: c2 = newValue
            default: c3 = newValue
            }
        }
    }

    /// β⁴ − 1 − x.
    static prefix func ~ (x: Block) -> Block { Block(c0: ~x.c0, c1: ~x.c1, c2: ~x.c2, c3: ~x.c3) }

    /// `self + b + carry mod β⁴`; `carry` becomes the carry out. Bounds: `carry ≤ 1` before and after.
    @inline(__always)
    func adding(_ b: Block, _ carry: inout UInt64) -> Block {
        Block(
            c0: addWithCarry(c0, b.c0, &carry), c1: addWithCarry(c1, b.c1, &carry),
            c2: addWithCarry(c2, b.c2, &carry), c3: addWithCarry(c3, b.c3, &carry))
    }

    /// Adds t + a·b, returns the lowest limb of the sum, and keeps the four higher limbs. Bounds: none needed. The sum
    /// is at most (β⁴ − 1) + (β − 1) + (β − 1)·(β⁴ − 1) = β⁵ − 1, so the second chain of additions ends without a carry.
    /// Not inlined in Embedded Swift, because each product of two blocks needs it four times.
    #if hasFeature(Embedded)
        @inline(never)
    #else
        @inline(__always)
    #endif
    mutating func add(_ t: UInt64, _ a: UInt64, _ b: Block) -> UInt64 {
        let (h0, l0) = a.multipliedFullWidth(by: b.c0), (h1, l1) = a.multipliedFullWidth(by: b.c1)
        let (h2, l2) = a.multipliedFullWidth(by: b.c2), (h3, l3) = a.multipliedFullWidth(by: b.c3)
        var s4: UInt64 = 0
        let s = adding(Block(c0: l0, c1: l1, c2: l2, c3: l3), &s4)
        var carry: UInt64 = 0
        let lowest = addWithCarry(s.c0, t, &carry)
        c0 = addWithCarry(s.c1, h0, &carry)
        c1 = addWithCarry(s.c2, h1, &carry)
        c2 = addWithCarry(s.c3, h2, &carry)
        c3 = addWithCarry(s4, h3, &carry)
        return lowest
    }

    /// Adds t + a·b, returns the lowest four limbs of the sum, and keeps the four higher limbs.
    @inline(__always)
    mutating func add(_ t: Block, _ a: Block, _ b: Block) -> Block {
        Block(c0: add(t.c0, a.c0, b), c1: add(t.c1, a.c1, b), c2: add(t.c2, a.c2, b), c3: add(t.c3, a.c3, b))
    }

    /// Adds a·b to `t`. Block j of a, from `start` up, is added at block `offset` + j of `t`. Bounds: `t` has at least
    /// `offset + a.count` blocks. `self` keeps the limbs of the sum that are still open.
    @inline(__always)
    mutating func add(
        _ t: inout MutableSpan<Block>, at offset: Int, _ a: Span<Block>, from start: Int, _ b: Block
    ) {
        var j = start
        while j < a.count {
            t[offset &+ j] = add(t[offset &+ j], a[j], b)
            j &+= 1
        }
    }
}

/// t ← a·b. Bounds: a and b have the same number of blocks, and `t` has twice as many. Row i adds a·bᵢ at block i. It
/// reads only blocks below i + count, which are zeroed or written by earlier rows, and also stores block i + count.
@inline(never)
func multiply(_ a: Span<Block>, _ b: Span<Block>, into t: inout MutableSpan<Block>) {
    for j in 0..<a.count { t[j] = Block() }
    for i in 0..<b.count {
        var open = Block()
        open.add(&t, at: i, a, from: 0, b[i])
        t[i &+ a.count] = open
    }
}

/// t ← a²: computes each product of two different limbs once, doubles their sum and adds the squares of the limbs.
/// Bounds: `t` has twice as many blocks as a. Row i reads only blocks below i + count, which are zeroed or written by
/// earlier rows, and also stores block i + count.
@inline(never)
func square(_ a: Span<Block>, into t: inout MutableSpan<Block>) {
    for j in 0..<a.count { t[j] = Block() }
    for i in 0..<a.count {
        let b = a[i]
        // Multiplies the block by every block above it. The first product belongs at block 2i + 1.
        var open = t[2 &* i].addLimbProducts(b)
        open.add(&t, at: i, a, from: i &+ 1, b)
        t[i &+ a.count] = open
    }
    // 2·(the sum so far) + Σ aᵢ²·β²ⁱ = a² < β^(2·count), so neither chain of additions ends with a carry.
    var shifted: UInt64 = 0
    var carry: UInt64 = 0
    for i in 0..<a.count {
        let b = a[i]
        t[2 &* i].doubleAndAddSquares(b.c0, b.c1, &shifted, &carry)
        t[2 &* i &+ 1].doubleAndAddSquares(b.c2, b.c3, &shifted, &carry)
    }
}

extension Block {
    /// Adds the six products of different limbs of `b`, at limbs 1 … 6. Returns limbs 4 … 6 of the sum.
    ///
    /// Bounds: limb 0 of `self` is kept. The sum of the products is at most (β − 1)²·(β + β² + 2β³ + β⁴ + β⁵) < β⁷ − β⁶
    /// + β⁵ + β³. Limbs 1 … 3 of `self` are below β⁴, so the sum stays below β⁷.
    @inline(__always)
    fileprivate mutating func addLimbProducts(_ b: Block) -> Block {
        let (h01, l01) = b.c0.multipliedFullWidth(by: b.c1), (h02, l02) = b.c0.multipliedFullWidth(by: b.c2)
        let (h03, l03) = b.c0.multipliedFullWidth(by: b.c3), (h12, l12) = b.c1.multipliedFullWidth(by: b.c2)
        let (h13, l13) = b.c1.multipliedFullWidth(by: b.c3), (h23, l23) = b.c2.multipliedFullWidth(by: b.c3)
        var carry: UInt64 = 0
        let p2 = addWithCarry(l02, h01, &carry)
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
        c1 = addWithCarry(l01, c1, &carry)
        c2 = addWithCarry(p2, c2, &carry)
        c3 = addWithCarry(p3, c3, &carry)
        p4 = addWithCarry(p4, 0, &carry)
        p5 = addWithCarry(p5, 0, &carry)
        p6 = p6 &+ carry
        return Block(c0: p4, c1: p5, c2: p6, c3: 0)
    }

    /// Doubles the block and adds a₀² + a₁²·β². `shifted` is the bit that the doubling moves from block to block, and
    /// `carry` the carry of the addition. Bounds: both are at most 1, before and after.
    @inline(__always)
    fileprivate mutating func doubleAndAddSquares(
        _ a0: UInt64, _ a1: UInt64, _ shifted: inout UInt64, _ carry: inout UInt64
    ) {
        let (h0, l0) = a0.multipliedFullWidth(by: a0), (h1, l1) = a1.multipliedFullWidth(by: a1)
        let doubled = Block(
            c0: c0 << 1 | shifted, c1: c1 << 1 | c0 >> 63, c2: c2 << 1 | c1 >> 63, c3: c3 << 1 | c2 >> 63)
        shifted = c3 >> 63
        self = doubled.adding(Block(c0: l0, c1: h0, c2: l1, c3: h1), &carry)
    }
}

/// r ← t·R⁻¹ mod n, R = β^(4·n.count); overwrites `t`.
///
/// Bounds: t < R², because t is a product of two numbers below R; `inverse` is −n⁻¹ mod β⁴. Each block adds m·n·β⁴ⁱ with
/// m < β⁴. All blocks together add M·n with M < R, so (t + M·n) / R < R + n. This quotient has at most one bit (`top`)
/// above the limbs of r. If `top` is set, subtracting n makes r < R; otherwise r < R already. If t < R·n, then (t +
/// M·n) / R < 2n.
///
/// The division by R is exact, because m·n = −t mod β⁴ makes the four lowest limbs of each block 0.
@inline(never)
func reduce(
    _ t: inout MutableSpan<Block>, modulo n: Span<Block>, _ inverse: Block, into r: inout MutableSpan<Block>
) {
    let count = n.count
    var top: UInt64 = 0
    for i in 0..<count {
        let m = t[i].lowProduct(inverse)
        var open = Block()
        open.add(&t, at: i, n, from: 0, m)
        // The sum of two numbers below β⁴ and a bit is at most 2β⁴ − 1, so only one of the two chains of additions ends
        // with a carry.
        var carry: UInt64 = 0
        t[i &+ count] = t[i &+ count].adding(open, &carry).adding(Block(), &top)
        top |= carry
    }
    for j in 0..<count { r[j] = t[count &+ j] }
    // R + r − n.
    if top == 1 { subtract(n, from: &r) }
}

/// a ← a − n mod R, as a + (R − 1 − n) + 1. Bounds: `a` has at least as many blocks as n.
func subtract(_ n: Span<Block>, from a: inout MutableSpan<Block>) {
    var carry: UInt64 = 1
    for i in 0..<n.count { a[i] = a[i].adding(~n[i], &carry) }
}

extension Block {
    /// `self`·b mod β⁴.
    @inline(__always)
    func lowProduct(_ b: Block) -> Block {
        let (h00, m0) = c0.multipliedFullWidth(by: b.c0)
        let (h01, l01) = c0.multipliedFullWidth(by: b.c1), (h10, l10) = c1.multipliedFullWidth(by: b.c0)
        let (h02, l02) = c0.multipliedFullWidth(by: b.c2), (h11, l11) = c1.multipliedFullWidth(by: b.c1)
        let (h20, l20) = c2.multipliedFullWidth(by: b.c0)
        // Of the products at limb 3, only the low words are below β⁴.
        var m3 = c0 &* b.c3 &+ c1 &* b.c2 &+ c2 &* b.c1 &+ c3 &* b.c0
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
        return Block(c0: m0, c1: m1, c2: m2, c3: m3)
    }
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
