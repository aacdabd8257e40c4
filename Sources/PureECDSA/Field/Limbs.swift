// Multi-word arithmetic on 64-bit limbs: the only place where a carry is made.
//
// An overflow flag has to become a number. Written `flag ? 1 : 0`, the compiler makes a conditional branch of it, which
// costs three to five times as much and makes the time depend on the data. Reading the flag's byte instead becomes
// `add; adc` on x86-64 and `adds; adcs` on arm64. `LimbsTests` holds the two forms against each other.

/// The value of a flag as a limb: 0 or 1.
///
/// Safety: `Bool` is one byte whose only valid contents are 0 and 1 (the Swift ABI's "Type Layout": `Bool` is an `i1`
/// stored as `i8`), so the reinterpretation is defined and total. Time: constant.
@inline(__always)
func carryBit(_ flag: Bool) -> UInt64 {
    #if arch(wasm32)
        // There is no carry flag, and optimised for size the other form is a call.
        flag ? 1 : 0
    #else
        UInt64(truncatingIfNeeded: unsafe unsafeBitCast(flag, to: UInt8.self))
    #endif
}

/// The safe form of ``carryBit(_:)``, kept as its specification; tests compare the two.
func carryBitSpecification(_ flag: Bool) -> UInt64 {
    flag ? 1 : 0
}

/// `a + b + carry mod 2⁶⁴`; `carry` becomes the carry out.
///
/// Bounds: `carry ≤ 1` before and after: a + b + carry ≤ 2·(2⁶⁴ − 1) + 1 = 2⁶⁵ − 1, so at most one of the two additions
/// overflows. Time: constant. The flags are joined by `|`, not `+`: LLVM makes an `adc` of two overflow flags and an *or*
/// (its "carry diamond"), while a sum of them leaves `setb` and `movzbl` behind (a P-256 product: 222 instructions, not 199).
@inline(__always)
func addWithCarry(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (s, o1) = a.addingReportingOverflow(b)
    let (t, o2) = s.addingReportingOverflow(carry)
    carry = carryBit(o1) | carryBit(o2)
    return t
}

/// `a − b − borrow mod 2⁶⁴`; `borrow` becomes the borrow out.
///
/// Bounds: `borrow ≤ 1` before and after, for the reason given at ``addWithCarry(_:_:_:)``. Time: constant.
@inline(__always)
func subtractWithBorrow(_ a: UInt64, _ b: UInt64, _ borrow: inout UInt64) -> UInt64 {
    let (s, o1) = a.subtractingReportingOverflow(b)
    let (t, o2) = s.subtractingReportingOverflow(borrow)
    borrow = carryBit(o1) | carryBit(o2)
    return t
}

/// The low word of `a·b + c + carry`; `carry` becomes the high word.
///
/// Bounds: none are needed: (2⁶⁴ − 1)² + 2·(2⁶⁴ − 1) = 2¹²⁸ − 1. Time: constant (`mul` takes the same time for all
/// operands on the processors that matter; verification does not depend on it).
@inline(__always)
func multiplyAdd(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ carry: inout UInt64) -> UInt64 {
    // multipliedFullWidth, not UInt128: on wasm32 the latter calls __multi3, a library function that is not there.
    let (high, low) = a.multipliedFullWidth(by: b)
    let (s, o1) = low.addingReportingOverflow(c)
    let (t, o2) = s.addingReportingOverflow(carry)
    carry = high &+ carryBit(o1) &+ carryBit(o2)
    return t
}
