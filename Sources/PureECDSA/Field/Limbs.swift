// Multi-word arithmetic on 64-bit limbs: only this file computes carries.
//
// An overflow flag must become a number. `flag ? 1 : 0` compiles to a conditional branch, which costs three to five
// times as much and makes the time depend on the data. Reading the flag's byte compiles to `add; adc` on x86-64 and
// `adds; adcs` on arm64. `LimbsTests` compares the two forms.

/// The value of a flag as a limb: 0 or 1.
///
/// Safety: `Bool` is one byte whose only valid contents are 0 and 1 (the Swift ABI's "Type Layout": `Bool` is an `i1`
/// stored as `i8`), so the reinterpretation is defined and total. Time: constant.
///
/// Transparent, because a debug build inlines only these, within a file. As a call, it leads the debug tests' profile.
@_transparent
func carryBit(_ flag: Bool) -> UInt64 {
    #if arch(wasm32)
        // wasm32 has no carry flag, and the other form, optimised for size, is a call.
        flag ? 1 : 0
    #else
        UInt64(truncatingIfNeeded: unsafe unsafeBitCast(flag, to: UInt8.self))
    #endif
}

/// Specifies ``carryBit(_:)`` in safe code; tests compare the two.
func carryBitSpecification(_ flag: Bool) -> UInt64 {
    flag ? 1 : 0
}

/// `a + b + carry mod 2⁶⁴`; `carry` becomes the carry out. Time: constant.
///
/// Bounds: `carry ≤ 1` before and after. a + b + carry ≤ 2·(2⁶⁴ − 1) + 1 = 2⁶⁵ − 1, so at most one of the two additions
/// overflows.
///
/// The flags are joined by `|`, not `+`: LLVM turns two overflow flags and an *or* into an `adc` (its "carry diamond").
/// A sum leaves `setb` and `movzbl` behind (a P-256 product: 222 instructions, not 199).
@inline(__always)
func addWithCarry(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (s, o1) = a.addingReportingOverflow(b)  // a + b = s + o1·2⁶⁴
    let (t, o2) = s.addingReportingOverflow(carry)  // s + carry = t + o2·2⁶⁴
    carry = carryBit(o1) | carryBit(o2)  // o1 + o2 ≤ 1
    return t
}

/// `a − b − borrow mod 2⁶⁴`; `borrow` becomes the borrow out. Time: constant.
///
/// Bounds: `borrow ≤ 1` before and after, as in ``addWithCarry(_:_:_:)``.
@inline(__always)
func subtractWithBorrow(_ a: UInt64, _ b: UInt64, _ borrow: inout UInt64) -> UInt64 {
    let (s, o1) = a.subtractingReportingOverflow(b)  // a − b = s − o1·2⁶⁴
    let (t, o2) = s.subtractingReportingOverflow(borrow)  // s − borrow = t − o2·2⁶⁴
    borrow = carryBit(o1) | carryBit(o2)  // o1 + o2 ≤ 1
    return t
}

/// The low word of `a·b + c + carry`; `carry` becomes the high word.
///
/// Bounds: none needed: (2⁶⁴ − 1)² + 2·(2⁶⁴ − 1) = 2¹²⁸ − 1. Time: constant (`mul` takes the same time for all operands
/// on the processors that matter; verification does not depend on it).
@inline(__always)
func multiplyAdd(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ carry: inout UInt64) -> UInt64 {
    // multipliedFullWidth, because UInt128 on wasm32 calls __multi3, a library function that is missing there.
    let (high, low) = a.multipliedFullWidth(by: b)  // a·b = low + high·2⁶⁴
    let (s, o1) = low.addingReportingOverflow(c)  // low + c = s + o1·2⁶⁴
    let (t, o2) = s.addingReportingOverflow(carry)  // s + carry = t + o2·2⁶⁴
    carry = high &+ carryBit(o1) &+ carryBit(o2)  // below 2⁶⁴, because the sum is below 2¹²⁸
    return t
}
