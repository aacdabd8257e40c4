/// Scalars in width-w non-adjacent form, digits ordered by position: the points to add after each doubling.
///
/// A scalar is Σ dᵢ·2ⁱ with digits zero or odd, |dᵢ| < 2^(w−1). Of any w consecutive digits at most one is not zero
/// (Hankerson, Menezes, Vanstone, Guide to ECC, Algorithm 3.35). The digits are then cut into parts of equal length,
/// one row each: dᵢ is at i − partBits·j in the row of part j, because dᵢ·2ⁱ = (dᵢ·2^(partBits·j))·2^(i − partBits·j).
/// So no part ends with a truncated digit or a carry, which would add a tenth more digits.
///
/// Time: variable.
struct SignedWindows {
    /// A non-zero digit.
    struct Digit {
        var value: Int16
        var row: UInt8
        /// The next digit at the same position, counted from 1; 0 if there is none.
        var next: UInt8
    }

    /// The first digit at each position, counted from 1; 0 if there is none.
    private(set) var first = InlineArray<385, UInt8>(repeating: 0)
    private(set) var digits = InlineArray<255, Digit>(repeating: Digit(value: 0, row: 0, next: 0))
    private var count = 0
    /// The position of the highest digit.
    private(set) var highest = 0

    /// Adds the low `bitCount` bits of `scalar` as rows of `partBits` digits, starting with `row`. Windows that begin
    /// in the first row have `firstWidth`, others `width`.
    ///
    /// Reads from bit 0 up. If a bit differs from the carry, the next w bits plus the carry are an odd number: a digit
    /// in (−2^(w−1), 2^(w−1)). A negative digit carries into the next bit. A truncated last window is below 2^(w−1) and
    /// does not carry. A carry out of the last bit is a digit above all others, at the end of the last row.
    ///
    /// Bounds: 2 ≤ width ≤ firstWidth ≤ 15, bitCount ≤ 384; all rows together have at most 255 digits. A scalar has at
    /// most ⌈bitCount/width⌉ digits and the carry: 156 for two scalars of 384 bits in windows of 5, the most here.
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
            let run = (word ^ (0 &- carry)).trailingZeroBitCount  // dᵢ = 0 for as many i
            i += run
            if i >= bitCount, carry == 0 { break }  // all bits read
            if run + firstWidth > 64, run > 0 { continue }  // the window is not in this word
            while i - start >= partBits, start + partBits < bitCount {
                start += partBits
                row += 1
                currentWidth = width
            }
            // At bitCount only a carry remains, and the window is empty.
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
