/// Scalars in width-w non-adjacent form, all their digits ordered by position: what a multiplication adds after each doubling.
///
/// A scalar is cut into parts of equal length, each a row of its own: the part is Σ dᵢ·2ⁱ with digits zero or odd, |dᵢ| < 2^(w−1), and of any w digits
/// in a row at most one not zero (Hankerson, Menezes, Vanstone, Guide to ECC, Algorithm 3.35). Time: variable.
struct SignedWindows {
    /// A digit that is not zero.
    struct Digit {
        var value: Int16
        var row: UInt8
        /// The next digit at the same position, counted from 1; 0 for none.
        var next: UInt8
    }

    /// The first digit at each position, counted from 1; 0 for none.
    private(set) var first = InlineArray<385, UInt8>(repeating: 0)
    private(set) var digits = InlineArray<255, Digit>(repeating: Digit(value: 0, row: 0, next: 0))
    private var count = 0
    /// No digit is above this position.
    private(set) var highest = 0

    /// Adds the `bitCount` bits of `scalar` from `start` on as a row.
    ///
    /// Reads up: where a bit differs from the carry, the next `width` bits and the carry make an odd number, taken as a digit in
    /// (−2^(w−1), 2^(w−1)); a negative one carries into the bit above. A last window cut short cannot carry unless it is full.
    /// Bounds: 2 ≤ width ≤ 15, bitCount ≤ 384; all rows together have at most 255 digits. A row has at
    /// most ⌈bitCount/width⌉ and the carry: 156 for two scalars of 384 bits in windows of 5, which is the most of any curve here.
    mutating func recode(_ scalar: some LimbArray, from start: Int, bitCount: Int, width: Int, row: Int) {
        var i = 0, carry: UInt64 = 0
        while i < bitCount {
            let word = scalar.word(at: start + i)
            // The run of bits equal to the carry gives zeros.
            let run = (word ^ (0 &- carry)).trailingZeroBitCount
            if run + width > 64, i + run < bitCount, run > 0 {
                i += run
                continue
            }
            i += run
            if i >= bitCount { break }
            let count = UInt64(truncatingIfNeeded: min(width, bitCount - i))
            let mask = 1 &<< count &- 1
            var digit = Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: run) & mask &+ carry)
            carry = UInt64(truncatingIfNeeded: digit &>> (width &- 1))
            digit &-= Int(truncatingIfNeeded: carry) &<< width
            insert(digit, at: i, row: row)
            i += width
        }
        if carry != 0 { insert(1, at: bitCount, row: row) }
    }

    private mutating func insert(_ value: Int, at position: Int, row: Int) {
        digits[count] = Digit(
            value: Int16(truncatingIfNeeded: value), row: UInt8(truncatingIfNeeded: row), next: first[position])
        count += 1
        first[position] = UInt8(truncatingIfNeeded: count)
        highest = max(highest, position)
    }
}
