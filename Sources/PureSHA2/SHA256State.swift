#if ProcessorExtensions && arch(x86_64)
    import PureProcessor
    import PureSHA2Hardware
#endif

/// The chaining value H of SHA-256 and its compression function (FIPS 180-4 §6.2.2). SHA-256 and SHA-512 have separate
/// code, because unspecialised generic arithmetic would make debug builds 17 times slower, and the tests of every
/// module compute hashes. *Time:* depends only on the number of blocks. No branch and no address depends on data.
struct SHA256State: SHA2State {
    private(set) var words: InlineArray<8, UInt32>

    init(_ initialHashValue: InlineArray<8, UInt32>) {
        words = initialHashValue
    }

    static var blockByteCount: Int { 64 }

    mutating func compress(_ blocks: RawSpan) {
        #if hasFeature(Embedded)
            var offset = 0
            while offset < blocks.byteCount {
                compressBlockRolled(blocks.extracting(offset..<offset &+ Self.blockByteCount))
                offset &+= Self.blockByteCount
            }
        #else
            #if ProcessorExtensions && arch(x86_64)
                if processorHasSHAExtensions {
                    takeIn(blocks, &words, roundConstants)
                    return
                }
            #endif
            compressPortably(blocks)
        #endif
    }

    #if !hasFeature(Embedded)
        /// Compresses `blocks` with instructions that every processor has.
        mutating func compressPortably(_ blocks: RawSpan) {
            let groupCount = blocks.byteCount / SHA256ScheduleGroup.byteCount
            if groupCount > 0 { compressGroups(blocks, groupCount) }
            var offset = groupCount &* SHA256ScheduleGroup.byteCount
            while offset < blocks.byteCount {
                compressBlock(blocks.extracting(offset..<offset &+ Self.blockByteCount))
                offset &+= Self.blockByteCount
            }
        }
    #endif

    /// Compresses `groupCount` groups of four blocks. After every sixteen rounds, the code computes one sixteenth of
    /// the next group's message schedule. The compiler vectorises the schedule, so the vector units compute the
    /// schedule while the integer units compute the rounds. During the last group, the code computes the schedule of
    /// this group again, and does not use the result.
    private mutating func compressGroups(_ blocks: RawSpan, _ groupCount: Int) {
        var next = SHA256ScheduleGroup()
        next.load(blocks.extracting(0..<SHA256ScheduleGroup.byteCount))
        for t in 16..<64 { next.advance(4 &* t) }
        // The first half of `rows` has the constants: K_t for each block, at the index of W_t in the schedule. The
        // second half has the schedule. One register addresses both halves, which saves two instructions per round and
        // 2 % of the time (SHA-512: 8 %).
        var rows = InlineArray<512, UInt32>(repeating: 0)
        for t in 0..<64 {
            for block in 0..<4 { rows[4 &* t &+ block] = roundConstants[t] }
        }
        for group in 1...groupCount {
            for i in 0..<256 { rows[256 &+ i] = next.words[i] }
            let nextOffset = min(group, groupCount &- 1) &* SHA256ScheduleGroup.byteCount
            next.load(blocks.extracting(nextOffset..<nextOffset &+ SHA256ScheduleGroup.byteCount))
            for block in 0..<4 {
                var v = WorkingVariables(words)
                var t = 0
                var i = 64 &+ 48 &* block
                while t < 64 {
                    v.sixteenRounds(t, rows.span, block)
                    next.advance(i)
                    next.advance(i &+ 4)
                    next.advance(i &+ 8)
                    i &+= 12
                    t &+= 16
                }
                add(v)
            }
        }
    }

    /// Compresses one block. Stores only the last sixteen words of the schedule; each new word replaces the oldest.
    private mutating func compressBlock(_ block: RawSpan) {
        var w0: UInt32 = bigEndianWord(block, 0)
        var w1: UInt32 = bigEndianWord(block, 4)
        var w2: UInt32 = bigEndianWord(block, 8)
        var w3: UInt32 = bigEndianWord(block, 12)
        var w4: UInt32 = bigEndianWord(block, 16)
        var w5: UInt32 = bigEndianWord(block, 20)
        var w6: UInt32 = bigEndianWord(block, 24)
        var w7: UInt32 = bigEndianWord(block, 28)
        var w8: UInt32 = bigEndianWord(block, 32)
        var w9: UInt32 = bigEndianWord(block, 36)
        var w10: UInt32 = bigEndianWord(block, 40)
        var w11: UInt32 = bigEndianWord(block, 44)
        var w12: UInt32 = bigEndianWord(block, 48)
        var w13: UInt32 = bigEndianWord(block, 52)
        var w14: UInt32 = bigEndianWord(block, 56)
        var w15: UInt32 = bigEndianWord(block, 60)

        var v = WorkingVariables(words)
        v.round(w0 &+ roundConstants[0])
        v.round(w1 &+ roundConstants[1])
        v.round(w2 &+ roundConstants[2])
        v.round(w3 &+ roundConstants[3])
        v.round(w4 &+ roundConstants[4])
        v.round(w5 &+ roundConstants[5])
        v.round(w6 &+ roundConstants[6])
        v.round(w7 &+ roundConstants[7])
        v.round(w8 &+ roundConstants[8])
        v.round(w9 &+ roundConstants[9])
        v.round(w10 &+ roundConstants[10])
        v.round(w11 &+ roundConstants[11])
        v.round(w12 &+ roundConstants[12])
        v.round(w13 &+ roundConstants[13])
        v.round(w14 &+ roundConstants[14])
        v.round(w15 &+ roundConstants[15])
        var t = 16
        while t < 64 {
            v.round(advance(&w0, w1, w9, w14) &+ roundConstants[t])
            v.round(advance(&w1, w2, w10, w15) &+ roundConstants[t &+ 1])
            v.round(advance(&w2, w3, w11, w0) &+ roundConstants[t &+ 2])
            v.round(advance(&w3, w4, w12, w1) &+ roundConstants[t &+ 3])
            v.round(advance(&w4, w5, w13, w2) &+ roundConstants[t &+ 4])
            v.round(advance(&w5, w6, w14, w3) &+ roundConstants[t &+ 5])
            v.round(advance(&w6, w7, w15, w4) &+ roundConstants[t &+ 6])
            v.round(advance(&w7, w8, w0, w5) &+ roundConstants[t &+ 7])
            v.round(advance(&w8, w9, w1, w6) &+ roundConstants[t &+ 8])
            v.round(advance(&w9, w10, w2, w7) &+ roundConstants[t &+ 9])
            v.round(advance(&w10, w11, w3, w8) &+ roundConstants[t &+ 10])
            v.round(advance(&w11, w12, w4, w9) &+ roundConstants[t &+ 11])
            v.round(advance(&w12, w13, w5, w10) &+ roundConstants[t &+ 12])
            v.round(advance(&w13, w14, w6, w11) &+ roundConstants[t &+ 13])
            v.round(advance(&w14, w15, w7, w12) &+ roundConstants[t &+ 14])
            v.round(advance(&w15, w0, w8, w13) &+ roundConstants[t &+ 15])
            t &+= 16
        }
        add(v)
    }

    #if hasFeature(Embedded)
        /// Compresses one block in a loop of single rounds. This code is a tenth as long as the unrolled code.
        private mutating func compressBlockRolled(_ block: RawSpan) {
            var w = InlineArray<16, UInt32>(repeating: 0)
            for t in 0..<16 { w[t] = bigEndianWord(block, 4 &* t) }
            var v = WorkingVariables(words)
            for t in 0..<64 {
                if t >= 16 {
                    _ = advance(&w[t & 15], w[(t &+ 1) & 15], w[(t &+ 9) & 15], w[(t &+ 14) & 15])
                }
                v.round(w[t & 15] &+ roundConstants[t])
            }
            add(v)
        }
    #endif

    @inline(__always)
    private mutating func add(_ v: WorkingVariables) {
        words[0] &+= v.a
        words[1] &+= v.b
        words[2] &+= v.c
        words[3] &+= v.d
        words[4] &+= v.e
        words[5] &+= v.f
        words[6] &+= v.g
        words[7] &+= v.h
    }
}

/// The working variables of FIPS 180-4 §6.2.2.
private struct WorkingVariables {
    var a, b, c, d, e, f, g, h: UInt32

    /// b ⊕ c, for Maj. The value of a ⊕ b in one round is the value of b ⊕ c in the next round.
    private var bXorC: UInt32

    @inline(__always)
    init(_ hashValue: InlineArray<8, UInt32>) {
        (a, b, c, d) = (hashValue[0], hashValue[1], hashValue[2], hashValue[3])
        (e, f, g, h) = (hashValue[4], hashValue[5], hashValue[6], hashValue[7])
        bXorC = b ^ c
    }

    /// One round, with `word` = K_t + W_t. In sixteen consecutive inlined rounds, moving a value to the next variable
    /// costs no instruction.
    ///
    /// Ch(e, f, g) = (e ∧ f) ⊕ (¬e ∧ g) = g ⊕ (e ∧ (f ⊕ g)). Maj(a, b, c) = b ⊕ ((a ⊕ b) ∧ (b ⊕ c)): if a = b or b = c,
    /// the majority is b. Otherwise a and c both differ from b, so the majority differs from b too. T₁ = `early` +
    /// `late`. `early` does not depend on `e`, so only `late` delays the next round.
    @inline(__always)
    mutating func round(_ word: UInt32) {
        let early = h &+ word
        let late = (g ^ (e & (f ^ g))) &+ bigSigma1(e)
        let aXorB = a ^ b
        let newE = (d &+ early) &+ late
        let newA = (early &+ ((b ^ (aXorB & bXorC)) &+ bigSigma0(a))) &+ late
        bXorC = aXorB
        (a, b, c, d, e, f, g, h) = (newA, a, b, c, newE, e, f, g)
    }

    /// Rounds `t ..< t + 16` of block `block` of a group. `rows` has the constants, then the schedule.
    @inline(__always)
    mutating func sixteenRounds(_ t: Int, _ rows: Span<UInt32>, _ block: Int) {
        let first = 4 &* t &+ block
        round(rows[first] &+ rows[first &+ 256])
        round(rows[first &+ 4] &+ rows[first &+ 260])
        round(rows[first &+ 8] &+ rows[first &+ 264])
        round(rows[first &+ 12] &+ rows[first &+ 268])
        round(rows[first &+ 16] &+ rows[first &+ 272])
        round(rows[first &+ 20] &+ rows[first &+ 276])
        round(rows[first &+ 24] &+ rows[first &+ 280])
        round(rows[first &+ 28] &+ rows[first &+ 284])
        round(rows[first &+ 32] &+ rows[first &+ 288])
        round(rows[first &+ 36] &+ rows[first &+ 292])
        round(rows[first &+ 40] &+ rows[first &+ 296])
        round(rows[first &+ 44] &+ rows[first &+ 300])
        round(rows[first &+ 48] &+ rows[first &+ 304])
        round(rows[first &+ 52] &+ rows[first &+ 308])
        round(rows[first &+ 56] &+ rows[first &+ 312])
        round(rows[first &+ 60] &+ rows[first &+ 316])
    }
}

/// W_t = σ₁(W_{t−2}) + W_{t−7} + σ₀(W_{t−15}) + W_{t−16}, in place of W_{t−16}.
@inline(__always)
private func advance(_ w16: inout UInt32, _ w15: UInt32, _ w7: UInt32, _ w2: UInt32) -> UInt32 {
    w16 = w16 &+ smallSigma0(w15) &+ w7 &+ smallSigma1(w2)
    return w16
}

/// Σ₀ (FIPS 180-4 §4.1.2, equation 4.4).
@inline(__always)
private func bigSigma0(_ x: UInt32) -> UInt32 {
    rotatedRight(x, 2) ^ rotatedRight(x, 13) ^ rotatedRight(x, 22)
}

/// Σ₁ (equation 4.5).
@inline(__always)
private func bigSigma1(_ x: UInt32) -> UInt32 {
    rotatedRight(x, 6) ^ rotatedRight(x, 11) ^ rotatedRight(x, 25)
}

/// σ₀ (equation 4.6).
@inline(__always)
private func smallSigma0(_ x: UInt32) -> UInt32 {
    rotatedRight(x, 7) ^ rotatedRight(x, 18) ^ x &>> 3
}

/// σ₁ (equation 4.7).
@inline(__always)
private func smallSigma1(_ x: UInt32) -> UInt32 {
    rotatedRight(x, 17) ^ rotatedRight(x, 19) ^ x &>> 10
}

/// ROTR (FIPS 180-4 §3.2), `count` in `1 ..< 32`.
@inline(__always)
private func rotatedRight(_ x: UInt32, _ count: UInt32) -> UInt32 { x &>> count | x &<< (32 &- count) }

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4 §4.2.2): `python3 -c
/// "from decimal import *; getcontext().prec = 60; print([hex(int(Decimal(p) ** (Decimal(1) / 3) % 1 * 2**32)) for p in
/// range(2, 312) if all(p % d for d in range(2, p))])"`
private let roundConstants: InlineArray<64, UInt32> = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]
