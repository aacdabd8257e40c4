/// Eight scalars in odd signed digits. No digit is 0, so every lane adds at the same positions.
///
/// An odd u below 2^(w·k) is Σ dᵢ·2^(w·i), i < k, with dᵢ odd and |dᵢ| < 2^w. Let v = ⌊u/2⌋ + 2^(w·k − 1), and let bᵢ
/// be the windows of w bits of v. Then dᵢ = 2·bᵢ + 1 − 2^w, because the sum is 2v − Σ(2^w − 1)·2^(w·i) = 2v + 1 −
/// 2^(w·k) = u (Joye–Tunstall 2009, §3, without the search for the digits). If u is even, n − u is odd, and u has the
/// digits of n − u with all signs changed, because −(n − u) ≡ u mod n. So 0 has the digits of n with all signs changed.
struct SignedDigitLanes {
    /// v, words of 64 bits, least significant first.
    private var words: InlineArray<5, SIMD8<UInt64>>
    /// −1 in the lanes with an even scalar, 0 in all other lanes.
    private let evenLanes: Lanes

    /// Recodes eight scalars of four words each, lowest word first, for `count` windows of `width` bits. Bounds:
    /// scalars below n; width ≤ 9; 256 ≤ width·count ≤ 261.
    init(_ scalars: borrowing Span<UInt64>, width: Int, count: Int) {
        // `openssl ecparam -name prime256v1 -text -param_enc explicit -noout`
        let n: InlineArray<4, UInt64> = [
            0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000,
        ]
        var words = InlineArray<5, SIMD8<UInt64>>(repeating: SIMD8(repeating: 0))
        var even = lanes(0)
        for lane in 0..<8 {
            let isEven = scalars[4 * lane] & 1 == 0
            even[lane] = isEven ? -1 : 0
            var borrow: UInt64 = 0
            var odd: InlineArray<4, UInt64> = [0, 0, 0, 0]
            for k in 0..<4 {
                let word = scalars[4 * lane + k]
                let (a, first) = n[k].subtractingReportingOverflow(word)
                let (difference, second) = a.subtractingReportingOverflow(borrow)
                borrow = first || second ? 1 : 0
                odd[k] = isEven ? difference : word
            }
            for k in 0..<4 { words[k][lane] = odd[k] >> 1 | (k < 3 ? odd[k + 1] << 63 : 0) }
        }
        let top = width * count - 1  // 255 … 260
        words[top >> 6] |= SIMD8(repeating: 1 << UInt64(top & 63))
        self.words = words
        evenLanes = even
    }

    /// The digit d whose window begins at bit `position`, as an index and a sign. The index is (|d| − 1)/2; the sign is
    /// −1 for a negative d, and 0 otherwise.
    @inline(__always)
    func digit(at position: Int, width: Int) -> (index: Lanes, sign: Lanes) {
        let word = position >> 6, shift = position & 63
        var bits = words[word] &>> SIMD8(repeating: UInt64(shift))
        if shift + width > 64, word < 4 { bits |= words[word + 1] &<< SIMD8(repeating: UInt64(64 - shift)) }
        let b = Lanes(truncatingIfNeeded: bits) & lanes(1 << Int64(width) - 1)
        // 2b + 1 − 2^w < 0 if b < 2^(w−1). Then (|d| − 1)/2 = 2^(w−1) − 1 − b, and otherwise b − 2^(w−1).
        let negative = (b &>> lanes(Int64(width - 1))) &- lanes(1)
        return ((b ^ negative) & lanes(1 << Int64(width - 1) - 1), negative ^ evenLanes)
    }
}
