// Multi-word arithmetic on 64-bit limbs. In this module, only this file computes carries of such limbs.
//
// Carry arithmetic converts overflow flags to numbers. The expression `flag ? 1 : 0` compiles to a conditional branch,
// which costs three to five times as much and makes the time depend on the data. Reading the flag as a byte compiles to
// `add; adc` on x86-64 and `adds; adcs` on arm64. `LimbsTests` compares the results of both forms.

/// The value of a flag as a limb: 0 or 1. Safety: `Bool` is one byte whose only valid contents are 0 and 1 (the Swift
/// ABI's "Type Layout": `Bool` is an `i1` stored as `i8`), so the reinterpretation is defined and total. Time:
/// constant. The function is transparent, because debug builds inline only transparent functions, and only within a
/// file. Without inlining, it would take more time in the debug tests than any other function.
@_transparent
func carryBit(_ flag: Bool) -> UInt64 {
    #if arch(wasm32)
        // wasm32 has no carry flag, and `unsafeBitCast` compiles to a call if the code is optimised for size.
        flag ? 1 : 0
    #else
        UInt64(truncatingIfNeeded: unsafe unsafeBitCast(flag, to: UInt8.self))
    #endif
}

/// Specifies ``carryBit(_:)`` in safe code.
func carryBitSpecification(_ flag: Bool) -> UInt64 {
    flag ? 1 : 0
}

/// `a + b + carry mod 2⁶⁴`; `carry` becomes the carry out. Time: constant. Bounds: `carry ≤ 1` before and after. The
/// sum a + b + carry is at most 2·(2⁶⁴ − 1) + 1 = 2⁶⁵ − 1, so at most one of the two additions overflows. The flags are
/// combined with `|` instead of `+`, because LLVM turns two overflow flags and an *or* into an `adc` (its "carry
/// diamond"). With `+`, `setb` and `movzbl` instructions remain, and a P-256 product takes 222 instructions instead of
/// 199.
@inline(__always)
func addWithCarry(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (s, o1) = a.addingReportingOverflow(b)  // a + b = s + o1·2⁶⁴
    let (t, o2) = s.addingReportingOverflow(carry)  // s + carry = t + o2·2⁶⁴
    carry = carryBit(o1) | carryBit(o2)  // o1 + o2 ≤ 1
    return t
}

/// `a − b − borrow mod 2⁶⁴`; `borrow` becomes the borrow out. Time: constant. Bounds: `borrow ≤ 1` before and after,
/// as in ``addWithCarry(_:_:_:)``.
@inline(__always)
func subtractWithBorrow(_ a: UInt64, _ b: UInt64, _ borrow: inout UInt64) -> UInt64 {
    let (s, o1) = a.subtractingReportingOverflow(b)  // a − b = s − o1·2⁶⁴
    let (t, o2) = s.subtractingReportingOverflow(borrow)  // s − borrow = t − o2·2⁶⁴
    borrow = carryBit(o1) | carryBit(o2)  // o1 + o2 ≤ 1
    return t
}

/// The low word of `a·b + c + carry`; `carry` becomes the high word. Bounds: none needed, because the sum is at most
/// (2⁶⁴ − 1)² + 2·(2⁶⁴ − 1) = 2¹²⁸ − 1. Time: constant, because `mul` takes the same time for all operands on
/// common 64-bit processors. Verification does not depend on this property.
@inline(__always)
func multiplyAdd(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ carry: inout UInt64) -> UInt64 {
    // UInt128 is not used, because on wasm32 a UInt128 product calls __multi3, a library function that wasm32 lacks.
    let (high, low) = a.multipliedFullWidth(by: b)  // a·b = low + high·2⁶⁴
    let (s, o1) = low.addingReportingOverflow(c)  // low + c = s + o1·2⁶⁴
    let (t, o2) = s.addingReportingOverflow(carry)  // s + carry = t + o2·2⁶⁴
    carry = high &+ carryBit(o1) &+ carryBit(o2)  // below 2⁶⁴, because the sum is below 2¹²⁸
    return t
}
