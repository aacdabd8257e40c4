/// What tells SHA-256 (words of 32 bits) from SHA-512 (64 bits): the constants and functions of FIPS 180-4 §4.1 and §4.2. The
/// rest, ``SHA2State`` and ``SHA2Message``, is the same text for both, specialised by the compiler.
protocol SHA2Word: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {
    /// The number of rounds, a multiple of 16.
    static var roundCount: Int { get }
    /// K_t of FIPS 180-4 §4.2, for `t` in `0 ..< roundCount`.
    static func roundConstant(_ t: Int) -> Self
    /// The bits to rotate right by in Σ₀, all three.
    static var bigSigma0: (Self, Self, Self) { get }
    /// The bits to rotate right by in Σ₁, all three.
    static var bigSigma1: (Self, Self, Self) { get }
    /// The bits to rotate right by in σ₀, twice, and then to shift right by.
    static var smallSigma0: (Self, Self, Self) { get }
    /// The bits to rotate right by in σ₁, twice, and then to shift right by.
    static var smallSigma1: (Self, Self, Self) { get }
}

extension SHA2Word {
    /// Sixteen words.
    @inline(__always)
    static var blockByteCount: Int { 16 * (bitWidth / 8) }

    /// ROTR of FIPS 180-4 §3.2; `count` is in `1 ..< bitWidth` and a constant wherever this is called.
    @inline(__always)
    func rotatedRight(_ count: Self) -> Self {
        self &>> count | self &<< (Self(truncatingIfNeeded: Self.bitWidth) &- count)
    }

    /// Σ₀ or Σ₁.
    @inline(__always)
    func bigSigma(_ bits: (Self, Self, Self)) -> Self {
        rotatedRight(bits.0) ^ rotatedRight(bits.1) ^ rotatedRight(bits.2)
    }

    /// σ₀ or σ₁.
    @inline(__always)
    func smallSigma(_ bits: (Self, Self, Self)) -> Self {
        rotatedRight(bits.0) ^ rotatedRight(bits.1) ^ (self &>> bits.2)
    }
}

/// The chaining value H of SHA-2 and its compression function (FIPS 180-4 §6.2.2 and §6.4.2).
///
/// *Time:* depends on the number of blocks alone: additions, rotations, shifts and logic, no branch and no address from data.
struct SHA2State<Word: SHA2Word>: Sendable {
    private(set) var words: InlineArray<8, Word>

    init(_ initialHashValue: InlineArray<8, Word>) {
        words = initialHashValue
    }

    /// Takes in `blocks`, whole blocks one after the other.
    @inline(__always)
    mutating func compress(_ blocks: RawSpan) {
        assert(blocks.byteCount.isMultiple(of: Word.blockByteCount))
        // Everything a round touches is a local, so that it lives in registers and no round stores to the state.
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        var offset = 0
        while offset < blocks.byteCount {
            let (a0, b0, c0, d0, e0, f0, g0, h0) = (a, b, c, d, e, f, g, h)
            // b ^ c for Maj; each round leaves its a ^ b, the next one's b ^ c.
            var x = b ^ c

            var w0 = Self.load(blocks, offset, 0)
            var w1 = Self.load(blocks, offset, 1)
            var w2 = Self.load(blocks, offset, 2)
            var w3 = Self.load(blocks, offset, 3)
            var w4 = Self.load(blocks, offset, 4)
            var w5 = Self.load(blocks, offset, 5)
            var w6 = Self.load(blocks, offset, 6)
            var w7 = Self.load(blocks, offset, 7)
            var w8 = Self.load(blocks, offset, 8)
            var w9 = Self.load(blocks, offset, 9)
            var w10 = Self.load(blocks, offset, 10)
            var w11 = Self.load(blocks, offset, 11)
            var w12 = Self.load(blocks, offset, 12)
            var w13 = Self.load(blocks, offset, 13)
            var w14 = Self.load(blocks, offset, 14)
            var w15 = Self.load(blocks, offset, 15)

            Self.round(a, b, c, &d, e, f, g, &h, &x, 0, w0)
            Self.round(h, a, b, &c, d, e, f, &g, &x, 1, w1)
            Self.round(g, h, a, &b, c, d, e, &f, &x, 2, w2)
            Self.round(f, g, h, &a, b, c, d, &e, &x, 3, w3)
            Self.round(e, f, g, &h, a, b, c, &d, &x, 4, w4)
            Self.round(d, e, f, &g, h, a, b, &c, &x, 5, w5)
            Self.round(c, d, e, &f, g, h, a, &b, &x, 6, w6)
            Self.round(b, c, d, &e, f, g, h, &a, &x, 7, w7)
            Self.round(a, b, c, &d, e, f, g, &h, &x, 8, w8)
            Self.round(h, a, b, &c, d, e, f, &g, &x, 9, w9)
            Self.round(g, h, a, &b, c, d, e, &f, &x, 10, w10)
            Self.round(f, g, h, &a, b, c, d, &e, &x, 11, w11)
            Self.round(e, f, g, &h, a, b, c, &d, &x, 12, w12)
            Self.round(d, e, f, &g, h, a, b, &c, &x, 13, w13)
            Self.round(c, d, e, &f, g, h, a, &b, &x, 14, w14)
            Self.round(b, c, d, &e, f, g, h, &a, &x, 15, w15)

            var t = 16
            while t < Word.roundCount {
                Self.schedule(&w0, w1, w9, w14)
                Self.round(a, b, c, &d, e, f, g, &h, &x, t, w0)
                Self.schedule(&w1, w2, w10, w15)
                Self.round(h, a, b, &c, d, e, f, &g, &x, t &+ 1, w1)
                Self.schedule(&w2, w3, w11, w0)
                Self.round(g, h, a, &b, c, d, e, &f, &x, t &+ 2, w2)
                Self.schedule(&w3, w4, w12, w1)
                Self.round(f, g, h, &a, b, c, d, &e, &x, t &+ 3, w3)
                Self.schedule(&w4, w5, w13, w2)
                Self.round(e, f, g, &h, a, b, c, &d, &x, t &+ 4, w4)
                Self.schedule(&w5, w6, w14, w3)
                Self.round(d, e, f, &g, h, a, b, &c, &x, t &+ 5, w5)
                Self.schedule(&w6, w7, w15, w4)
                Self.round(c, d, e, &f, g, h, a, &b, &x, t &+ 6, w6)
                Self.schedule(&w7, w8, w0, w5)
                Self.round(b, c, d, &e, f, g, h, &a, &x, t &+ 7, w7)
                Self.schedule(&w8, w9, w1, w6)
                Self.round(a, b, c, &d, e, f, g, &h, &x, t &+ 8, w8)
                Self.schedule(&w9, w10, w2, w7)
                Self.round(h, a, b, &c, d, e, f, &g, &x, t &+ 9, w9)
                Self.schedule(&w10, w11, w3, w8)
                Self.round(g, h, a, &b, c, d, e, &f, &x, t &+ 10, w10)
                Self.schedule(&w11, w12, w4, w9)
                Self.round(f, g, h, &a, b, c, d, &e, &x, t &+ 11, w11)
                Self.schedule(&w12, w13, w5, w10)
                Self.round(e, f, g, &h, a, b, c, &d, &x, t &+ 12, w12)
                Self.schedule(&w13, w14, w6, w11)
                Self.round(d, e, f, &g, h, a, b, &c, &x, t &+ 13, w13)
                Self.schedule(&w14, w15, w7, w12)
                Self.round(c, d, e, &f, g, h, a, &b, &x, t &+ 14, w14)
                Self.schedule(&w15, w0, w8, w13)
                Self.round(b, c, d, &e, f, g, h, &a, &x, t &+ 15, w15)
                t &+= 16
            }

            a &+= a0
            b &+= b0
            c &+= c0
            d &+= d0
            e &+= e0
            f &+= f0
            g &+= g0
            h &+= h0
            offset &+= Word.blockByteCount
        }
        words = [a, b, c, d, e, f, g, h]
    }

    /// Word `index` of the block at `offset`, big-endian.
    @inline(__always)
    private static func load(_ blocks: RawSpan, _ offset: Int, _ index: Int) -> Word {
        // Safe: every bit pattern is a word, and the load is checked against the end of the span.
        Word(
            bigEndian: unsafe blocks.unsafeLoadUnaligned(
                fromByteOffset: offset &+ index &* (Word.bitWidth / 8), as: Word.self))
    }

    /// Replaces W_{t−16} by W_t = σ₁(W_{t−2}) + W_{t−7} + σ₀(W_{t−15}) + W_{t−16}.
    @inline(__always)
    private static func schedule(_ w: inout Word, _ w15: Word, _ w7: Word, _ w2: Word) {
        w = w &+ w15.smallSigma(Word.smallSigma0) &+ w7 &+ w2.smallSigma(Word.smallSigma1)
    }

    /// Round `t`, with `w` = W_t. Instead of moving all eight variables on by one, it leaves the new `e` in `d` and the new `a` in
    /// `h`; the caller rotates the names.
    ///
    /// Ch(e, f, g) = (e ∧ f) ⊕ (¬e ∧ g) = g ⊕ (e ∧ (f ⊕ g)).
    /// Maj(a, b, c) = (a ∧ b) ⊕ (a ∧ c) ⊕ (b ∧ c) = b ⊕ ((a ⊕ b) ∧ (b ⊕ c)): where a = b, or b = c, the majority is b; otherwise
    /// both differ from b, and it is not b. `x` carries b ⊕ c in and a ⊕ b out.
    @inline(__always)
    private static func round(
        _ a: Word, _ b: Word, _ c: Word, _ d: inout Word, _ e: Word, _ f: Word, _ g: Word, _ h: inout Word,
        _ x: inout Word, _ t: Int, _ w: Word
    ) {
        let t1 = h &+ Word.roundConstant(t) &+ w &+ (g ^ (e & (f ^ g))) &+ e.bigSigma(Word.bigSigma1)
        let y = a ^ b
        d &+= t1
        h = t1 &+ (b ^ (y & x)) &+ a.bigSigma(Word.bigSigma0)
        x = y
    }
}
