// Without the trait ProcessorExtensions, this module is empty, and no other module depends on it.
#if ProcessorExtensions && arch(x86_64)

    import _Builtin_intrinsics.intel

    /// Compresses whole `blocks` into the hash value `words` (FIPS 180-4 §6.2.2) with the instructions of Intel's SHA
    /// extensions. `K` are the round constants (§4.2.2). *Bounds:* the processor has SHA and SSSE3; other processors
    /// trap on an illegal instruction. *Time:* depends only on the number of blocks. *Source:* Gulley et al. 2013,
    /// "Intel SHA Extensions" (order of instructions and words).
    @inline(never)
    package func takeIn(
        _ blocks: RawSpan, _ words: inout InlineArray<8, UInt32>, _ K: borrowing InlineArray<64, UInt32>
    ) {
        // The state is (A, B, E, F) and (C, D, G, H), most significant word first. sha256rnds2 returns a new (A, B, E,
        // F); the old (A, B, E, F) becomes the new (C, D, G, H).
        var abef = vector(words[5], words[4], words[1], words[0])
        var cdgh = vector(words[7], words[6], words[3], words[2])
        // Viewing the constants as raw bytes is safe because integers have no padding.
        let K = unsafe K.span.bytes
        var offset = 0
        while offset < blocks.byteCount {
            let (oldABEF, oldCDGH) = (abef, cdgh)
            var w0 = bigEndian(load(blocks, offset)), w1 = bigEndian(load(blocks, offset &+ 16))
            var w2 = bigEndian(load(blocks, offset &+ 32)), w3 = bigEndian(load(blocks, offset &+ 48))
            fourRounds(&abef, &cdgh, w0, K, 0)
            fourRounds(&abef, &cdgh, w1, K, 4)
            fourRounds(&abef, &cdgh, w2, K, 8)
            fourRounds(&abef, &cdgh, w3, K, 12)
            var t = 16
            while t < 64 {
                advance(&w0, w1, w2, w3)
                fourRounds(&abef, &cdgh, w0, K, t)
                advance(&w1, w2, w3, w0)
                fourRounds(&abef, &cdgh, w1, K, t &+ 4)
                advance(&w2, w3, w0, w1)
                fourRounds(&abef, &cdgh, w2, K, t &+ 8)
                advance(&w3, w0, w1, w2)
                fourRounds(&abef, &cdgh, w3, K, t &+ 12)
                t &+= 16
            }
            abef = _mm_add_epi32(abef, oldABEF)
            cdgh = _mm_add_epi32(cdgh, oldCDGH)
            offset &+= 64
        }
        let (first, second) = (lanes(abef), lanes(cdgh))
        words = [first[3], first[2], second[3], second[2], first[1], first[0], second[1], second[0]]
    }

    /// Rounds `t ..< t + 4`, with their words W_t … W_{t+3}.
    @inline(__always)
    private func fourRounds(
        _ abef: inout __m128i, _ cdgh: inout __m128i, _ w: __m128i, _ K: RawSpan, _ t: Int
    ) {
        let sum = _mm_add_epi32(w, load(K, 4 &* t))
        // Each instruction computes two rounds from the lower two sums, and replaces the older half of the state.
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum)
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_unpackhi_epi64(sum, sum))
    }

    /// Replaces W_{t−16} … W_{t−13} with W_t … W_{t+3} (§6.2.2 step 1). sha256msg1 adds σ₀(W_{t−15}) …, this function
    /// adds W_{t−7} …, and sha256msg2 adds σ₁(W_{t−2}) …. The upper two inputs of σ₁ are results of sha256msg2 itself.
    @inline(__always)
    private func advance(_ w16: inout __m128i, _ w12: __m128i, _ w8: __m128i, _ w4: __m128i) {
        let a = lanes(w8), b = lanes(w4)
        let w7 = vector(a[1], a[2], a[3], b[0])
        w16 = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w16, w12), w7), w4)
    }

    /// Loads the four words at `offset`, which is checked against the end of `bytes`.
    @inline(__always)
    private func load(_ bytes: RawSpan, _ offset: Int) -> __m128i {
        // The unsafe load is safe, because every bit pattern is a valid vector and the load needs no alignment.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: __m128i.self)
    }

    /// Reverses the bytes of each word.
    @inline(__always)
    private func bigEndian(_ words: __m128i) -> __m128i {
        _mm_shuffle_epi8(words, __m128i(0x0405_0607_0001_0203, 0x0c0d_0e0f_0809_0a0b))
    }

    /// Returns a vector of four words, the first in the lowest lane.
    @inline(__always)
    private func vector(_ w0: UInt32, _ w1: UInt32, _ w2: UInt32, _ w3: UInt32) -> __m128i {
        // The cast is safe, because both types are the 16 bytes of a vector register.
        unsafe unsafeBitCast(SIMD4(w0, w1, w2, w3), to: __m128i.self)
    }

    @inline(__always)
    private func lanes(_ v: __m128i) -> SIMD4<UInt32> {
        // Safe: as in `vector`.
        unsafe unsafeBitCast(v, to: SIMD4<UInt32>.self)
    }

#endif
