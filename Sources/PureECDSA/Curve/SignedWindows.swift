/// Scalars in width-w non-adjacent form. The digits are grouped by position, because the digits at one position select
/// the points to add after one doubling.
///
/// A scalar is Σ dᵢ·2ⁱ, where each digit is zero or odd and |dᵢ| < 2^(w−1). Of any w consecutive digits at most one is
/// not zero (Hankerson, Menezes, Vanstone, Guide to ECC, Algorithm 3.35). The digits are then cut into parts of equal
/// length, and each part is one row. Digit dᵢ is at position i − partBits·j in the row of part j, because dᵢ·2ⁱ =
/// (dᵢ·2^(partBits·j))·2^(i − partBits·j). Cutting the scalar instead of the digits would add 10 % more digits, because
/// a part could end with a truncated digit or a carry.
///
/// Time: variable.
struct SignedWindows {
    /// A non-zero digit.
    struct Digit {
        var value: Int16
        var row: UInt8
        /// The index in `digits` of the next digit at the same position, plus 1; 0 if no digit follows.
        var next: UInt8
    }

    /// The index in `digits` of the first digit at each position, plus 1; 0 if the position has no digit.
    private(set) var first = InlineArray<385, UInt8>(repeating: 0)
    private(set) var digits = InlineArray<255, Digit>(repeating: Digit(value: 0, row: 0, next: 0))
    private var count = 0
    /// The position of the highest digit.
    private(set) var highest = 0

    /// Adds the low `bitCount` bits of `scalar` as rows of `partBits` digits. The first row has the number `firstRow`.
    /// Windows that begin in the first row are `firstWidth` bits wide; all other windows are `width` bits wide.
    ///
    /// Reads the scalar from bit 0 up. If a bit differs from the carry, a window begins at this bit. The window's w
    /// bits plus the carry form an odd number, which becomes a digit in (−2^(w−1), 2^(w−1)). A negative digit carries
    /// into the bit above its window. If the last window is truncated, its number is below 2^(w−1) and does not carry.
    /// A carry out of the last bit becomes a digit of its own, at the end of the last row.
    ///
    /// Bounds: 2 ≤ width ≤ firstWidth ≤ 15, bitCount ≤ 384; all rows together have at most 255 digits. A scalar has at
    /// most ⌈bitCount/width⌉ digits and one more for the carry. The maximum in this module is 156 digits, for two
    /// scalars of 384 bits with windows of width 5.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    mutating func recode(
        _ scalar: some LimbArray, bitCount: Int, partBits: Int, firstWidth: Int, width: Int, row firstRow: Int
    ) {
        var i = 0, carry: UInt64 = 0
        var row = firstRow, start = 0, currentWidth = firstWidth
        while true {
            let word = scalar.word(at: i)  // bits i … i + 63
            let run = (word ^ (0 &- carry)).trailingZeroBitCount  // the number of zero digits from dᵢ up
            i += run
            if i >= bitCount, carry == 0 { break }  // all bits read
            if run + firstWidth > 64, run > 0 { continue }  // the word might end inside the window
            while i - start >= partBits, start + partBits < bitCount {
                start += partBits
                row += 1
                currentWidth = width
            }
            // If i = bitCount, only a carry remains, and the window has no bits.
            let count = UInt64(truncatingIfNeeded: min(currentWidth, bitCount - i))  // w, or fewer at the end
            let mask = 1 &<< count &- 1  // 2^count − 1
            var digit = Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: run) & mask &+ carry)  // odd
            carry = UInt64(truncatingIfNeeded: digit &>> (currentWidth &- 1))  // 1 if digit > 2^(w−1)
            digit &-= Int(truncatingIfNeeded: carry) &<< currentWidth  // k mods 2^w, |dᵢ| < 2^(w−1)
            insert(digit, at: i - start, row: row)  // dᵢ
            i += currentWidth  // dᵢ₊₁ … dᵢ₊w₋₁ = 0
        }
    }

    private mutating func insert(_ value: Int, at position: Int, row: Int) {
        digits[count] = Digit(
            value: Int16(truncatingIfNeeded: value), row: UInt8(truncatingIfNeeded: row), next: first[position])
        count += 1
        first[position] = UInt8(truncatingIfNeeded: count)
        highest = max(highest, position)
    }
}
