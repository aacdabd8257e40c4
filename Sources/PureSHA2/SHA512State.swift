/// The chaining value H of SHA-512 and SHA-384 and its compression function (FIPS 180-4 §6.4.2). *Time:* as for
/// `SHA256State`, whose comment also explains why SHA-256 and SHA-512 have separate code.
struct SHA512State: SHA2State {
    private(set) var words: InlineArray<8, UInt64>

    init(_ initialHashValue: InlineArray<8, UInt64>) {
        words = initialHashValue
    }

    static var blockByteCount: Int { 128 }

    mutating func compress(_ blocks: RawSpan) {
        #if hasFeature(Embedded)
            var offset = 0
            while offset < blocks.byteCount {
                compressBlockRolled(blocks.extracting(offset..<offset &+ Self.blockByteCount))
                offset &+= Self.blockByteCount
            }
        #else
            let groupCount = blocks.byteCount / SHA512ScheduleGroup.byteCount
            if groupCount > 0 { compressGroups(blocks, groupCount) }
            let offset = groupCount &* SHA512ScheduleGroup.byteCount
            if offset < blocks.byteCount { compressBlock(blocks.extracting(offset..<blocks.byteCount)) }
        #endif
    }

    /// Compresses `groupCount` groups of two blocks, as ``SHA256State`` compresses groups of four. The rounds of a
    /// block alternate with 32 steps of the next group's message schedule. Three steps follow every eight rounds, and
    /// two more steps follow round 80. The rounds are in a loop, because 80 unrolled rounds would be 20 % slower than
    /// code without groups.
    private mutating func compressGroups(_ blocks: RawSpan, _ groupCount: Int) {
        var next = SHA512ScheduleGroup()
        next.load(blocks.extracting(0..<SHA512ScheduleGroup.byteCount))
        for t in 16..<80 { next.advance(2 &* t) }
        // `rows` has the constants, then the schedule, as in SHA-256.
        var rows = InlineArray<320, UInt64>(repeating: 0)
        for t in 0..<80 {
            for block in 0..<2 { rows[2 &* t &+ block] = roundConstants[t] }
        }
        for group in 1...groupCount {
            for i in 0..<160 { rows[160 &+ i] = next.words[i] }
            let nextOffset = min(group, groupCount &- 1) &* SHA512ScheduleGroup.byteCount
            next.load(blocks.extracting(nextOffset..<nextOffset &+ SHA512ScheduleGroup.byteCount))
            for block in 0..<2 {
                var v = WorkingVariables(words)
                var t = 0
                var i = 32 &+ 64 &* block
                while t < 80 {
                    v.eightRounds(t, rows.span, block)
                    next.advance(i)
                    next.advance(i &+ 2)
                    next.advance(i &+ 4)
                    i &+= 6
                    t &+= 8
                }
                next.advance(i)
                next.advance(i &+ 2)
                add(v)
            }
        }
    }

    /// Compresses one block, and stores only the last sixteen words of the schedule, as in ``SHA256State``.
    private mutating func compressBlock(_ block: RawSpan) {
        var w0: UInt64 = bigEndianWord(block, 0)
        var w1: UInt64 = bigEndianWord(block, 8)
        var w2: UInt64 = bigEndianWord(block, 16)
        var w3: UInt64 = bigEndianWord(block, 24)
        var w4: UInt64 = bigEndianWord(block, 32)
        var w5: UInt64 = bigEndianWord(block, 40)
        var w6: UInt64 = bigEndianWord(block, 48)
        var w7: UInt64 = bigEndianWord(block, 56)
        var w8: UInt64 = bigEndianWord(block, 64)
        var w9: UInt64 = bigEndianWord(block, 72)
        var w10: UInt64 = bigEndianWord(block, 80)
        var w11: UInt64 = bigEndianWord(block, 88)
        var w12: UInt64 = bigEndianWord(block, 96)
        var w13: UInt64 = bigEndianWord(block, 104)
        var w14: UInt64 = bigEndianWord(block, 112)
        var w15: UInt64 = bigEndianWord(block, 120)

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
        while t < 80 {
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
            var w = InlineArray<16, UInt64>(repeating: 0)
            for t in 0..<16 { w[t] = bigEndianWord(block, 8 &* t) }
            var v = WorkingVariables(words)
            for t in 0..<80 {
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

/// The working variables of FIPS 180-4 §6.4.2.
private struct WorkingVariables {
    var a, b, c, d, e, f, g, h: UInt64

    /// b ⊕ c, for Maj. The value of a ⊕ b in one round is the value of b ⊕ c in the next round.
    private var bXorC: UInt64

    @inline(__always)
    init(_ hashValue: InlineArray<8, UInt64>) {
        (a, b, c, d) = (hashValue[0], hashValue[1], hashValue[2], hashValue[3])
        (e, f, g, h) = (hashValue[4], hashValue[5], hashValue[6], hashValue[7])
        bXorC = b ^ c
    }

    /// One round, with `word` = K_t + W_t. SHA256State.swift derives the forms of Ch, Maj and T₁.
    @inline(__always)
    mutating func round(_ word: UInt64) {
        let early = h &+ word
        let late = (g ^ (e & (f ^ g))) &+ bigSigma1(e)
        let aXorB = a ^ b
        let newE = (d &+ early) &+ late
        let newA = (early &+ ((b ^ (aXorB & bXorC)) &+ bigSigma0(a))) &+ late
        bXorC = aXorB
        (a, b, c, d, e, f, g, h) = (newA, a, b, c, newE, e, f, g)
    }

    /// Rounds `t ..< t + 8` of block `block` of a group. `rows` has the constants, then the schedule.
    @inline(__always)
    mutating func eightRounds(_ t: Int, _ rows: Span<UInt64>, _ block: Int) {
        let first = 2 &* t &+ block
        round(rows[first] &+ rows[first &+ 160])
        round(rows[first &+ 2] &+ rows[first &+ 162])
        round(rows[first &+ 4] &+ rows[first &+ 164])
        round(rows[first &+ 6] &+ rows[first &+ 166])
        round(rows[first &+ 8] &+ rows[first &+ 168])
        round(rows[first &+ 10] &+ rows[first &+ 170])
        round(rows[first &+ 12] &+ rows[first &+ 172])
        round(rows[first &+ 14] &+ rows[first &+ 174])
    }
}

/// W_t = σ₁(W_{t−2}) + W_{t−7} + σ₀(W_{t−15}) + W_{t−16}, in place of W_{t−16}.
@inline(__always)
private func advance(_ w16: inout UInt64, _ w15: UInt64, _ w7: UInt64, _ w2: UInt64) -> UInt64 {
    w16 = w16 &+ smallSigma0(w15) &+ w7 &+ smallSigma1(w2)
    return w16
}

/// Σ₀ (FIPS 180-4 §4.1.3, equation 4.10).
@inline(__always)
private func bigSigma0(_ x: UInt64) -> UInt64 {
    rotatedRight(x, 28) ^ rotatedRight(x, 34) ^ rotatedRight(x, 39)
}

/// Σ₁ (equation 4.11).
@inline(__always)
private func bigSigma1(_ x: UInt64) -> UInt64 {
    rotatedRight(x, 14) ^ rotatedRight(x, 18) ^ rotatedRight(x, 41)
}

/// σ₀ (equation 4.12).
@inline(__always)
private func smallSigma0(_ x: UInt64) -> UInt64 {
    rotatedRight(x, 1) ^ rotatedRight(x, 8) ^ x &>> 7
}

/// σ₁ (equation 4.13).
@inline(__always)
private func smallSigma1(_ x: UInt64) -> UInt64 {
    rotatedRight(x, 19) ^ rotatedRight(x, 61) ^ x &>> 6
}

/// ROTR (FIPS 180-4 §3.2), `count` in `1 ..< 64`.
@inline(__always)
private func rotatedRight(_ x: UInt64, _ count: UInt64) -> UInt64 { x &>> count | x &<< (64 &- count) }

/// The first 64 bits of the fractional parts of the cube roots of the first 80 primes (FIPS 180-4 §4.2.3): `python3 -c
/// "from decimal import *; getcontext().prec = 60; print([hex(int(Decimal(p) ** (Decimal(1) / 3) % 1 * 2**64)) for p in
/// range(2, 410) if all(p % d for d in range(2, p))])"`
private let roundConstants: InlineArray<80, UInt64> = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
]
