/// A scalar cut into parts of equal length, each in width-w non-adjacent form: part j is Σ digit(j, i)·2ⁱ, digits zero or odd
/// with |digit| < 2^(w−1), and of any w digits in a row at most one not zero (Hankerson, Menezes, Vanstone, Guide to ECC,
/// Algorithm 3.35). Time: variable.
struct SignedWindows {
    /// Part after part, `partBits` + 1 digits each, the last one a carry: digit(j, i) is at j·(partBits + 1) + i. 6·(64 + 1) is the most that any curve here needs.
    private(set) var digits: InlineArray<390, Int16>

    /// Recodes `scalar`. Bounds: 2 ≤ width ≤ 15; parts·(partBits + 1) ≤ 390; the scalar has at most parts·partBits bits.
    init(recoding scalar: some LimbArray, parts: Int, partBits: Int, width: Int) {
        digits = InlineArray(repeating: 0)
        for part in 0..<parts {
            recode(scalar, from: part * partBits, into: part * (partBits + 1), bitCount: partBits, width: width)
        }
    }

    /// Reads up: where a bit differs from the carry, the next `width` bits and the carry make an odd number, taken as a digit in
    /// (−2^(w−1), 2^(w−1)); a negative one carries into the bit above. A last window cut short cannot carry unless it is full.
    private mutating func recode(
        _ scalar: some LimbArray, from start: Int, into base: Int, bitCount: Int, width: Int
    ) {
        var i = 0, carry: UInt64 = 0
        while i < bitCount {
            let ahead = min(48, bitCount - i)
            let word = scalar.bits(at: start + i, count: ahead)
            // The run of bits equal to the carry gives zeros.
            let run = (word ^ (0 &- carry)).trailingZeroBitCount
            if run > 0, run + width > ahead {
                i += min(run, ahead)
                continue
            }
            i += run
            let count = min(width, ahead - run)
            var digit = Int(truncatingIfNeeded: (word &>> UInt64(truncatingIfNeeded: run) & (1 << count - 1)) &+ carry)
            carry = 0
            if digit >> (width - 1) != 0 {
                digit -= 1 << width
                carry = 1
            }
            digits[base + i] = Int16(truncatingIfNeeded: digit)
            i += count
        }
        digits[base + bitCount] = Int16(truncatingIfNeeded: carry)
    }
}
