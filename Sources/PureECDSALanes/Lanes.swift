#if ProcessorExtensions && arch(x86_64)
    import _Builtin_intrinsics.intel
#endif

/// Eight words of 64 bits, which are the same limb of eight numbers. Every operation applies to all lanes.
typealias Lanes = SIMD8<Int64>

/// A mask of the 52 bits of a limb.
let limbMask: Int64 = 0xf_ffff_ffff_ffff

@inline(__always)
func lanes(_ word: Int64) -> Lanes { Lanes(repeating: word) }

extension SIMD8<Int64> {
    /// The words, shifted right logically (zeros enter from the left).
    @inline(__always)
    func shiftedRight(_ count: UInt64) -> Lanes {
        Lanes(
            truncatingIfNeeded: SIMD8<UInt64>(truncatingIfNeeded: self) &>> SIMD8<UInt64>(repeating: count))
    }

    /// The words, negated in the lanes whose `sign` is −1. In all other lanes, `sign` is 0.
    @inline(__always)
    func negated(where sign: Lanes) -> Lanes { (self ^ sign) &- sign }

    /// c ← c + (a·b mod 2⁵²), with only the low 52 bits of a and b. Bounds: the sum fits into a word.
    @inline(__always)
    mutating func addLow(_ a: Lanes, _ b: Lanes) {
        #if ProcessorExtensions && arch(x86_64)
            self = _mm512_madd52lo_epu64(self, a, b)
        #else
            self = self &+ Product(a, b).low
        #endif
    }

    /// c ← c + ⌊a·b/2⁵²⌋, with only the low 52 bits of a and b. Bounds: the sum fits into a word.
    @inline(__always)
    mutating func addHigh(_ a: Lanes, _ b: Lanes) {
        #if ProcessorExtensions && arch(x86_64)
            self = _mm512_madd52hi_epu64(self, a, b)
        #else
            self = self &+ Product(a, b).high
        #endif
    }
}

#if !(ProcessorExtensions && arch(x86_64))
    /// a·b in each lane, with only the low 52 bits of a and b. The product has two halves of 52 bits, as with IFMA.
    private struct Product {
        let low, high: Lanes

        /// With a = a₁·2²⁶ + a₀ and b split in the same way: a·b = a₁b₁·2⁵² + m·2²⁶ + a₀b₀, m = a₀b₁ + a₁b₀. Bounds: m
        /// < 2⁵³, and a₀b₀ + (m mod 2²⁶)·2²⁶ < 2⁵³.
        @inline(__always)
        init(_ a: Lanes, _ b: Lanes) {
            let half = lanes(0x3ff_ffff), bits = lanes(26)
            let a0 = a & half, a1 = (a &>> bits) & half, b0 = b & half, b1 = (b &>> bits) & half
            let middle = a0 &* b1 &+ a1 &* b0  // m
            let lower = a0 &* b0 &+ ((middle & half) &<< bits)
            low = lower & lanes(limbMask)
            high = a1 &* b1 &+ (middle &>> bits) &+ (lower &>> lanes(52))
        }
    }
#endif
