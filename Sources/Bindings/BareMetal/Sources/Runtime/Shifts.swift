// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// (The ABI defines the names and the behaviour of these functions.)

// Shifts of 64-bit words by a variable count. 32-bit processors have no instruction for them, so the compiler calls a
// function. On ARM, the EABI defines the function's name (ARM IHI 0043 §4.2); elsewhere libgcc does ("Routines for
// integer arithmetic"). The functions shift the two 32-bit halves separately, because a 64-bit shift would be a
// recursive call. Bounds: 0 ≤ count < 64.

#if arch(arm) || arch(riscv32)
    private func shiftedLeft(_ x: UInt64, by count: Int32) -> UInt64 {
        let low = UInt32(truncatingIfNeeded: x), high = UInt32(truncatingIfNeeded: x >> 32)
        let n = UInt32(bitPattern: count)
        if n >= 32 { return UInt64(low << (n &- 32)) << 32 }
        return UInt64(high << n | (low >> 1) >> (31 &- n)) << 32 | UInt64(low << n)
    }

    private func shiftedRight(_ x: UInt64, by count: Int32) -> UInt64 {
        let low = UInt32(truncatingIfNeeded: x), high = UInt32(truncatingIfNeeded: x >> 32)
        let n = UInt32(bitPattern: count)
        if n >= 32 { return UInt64(high >> (n &- 32)) }
        return UInt64(high >> n) << 32 | UInt64(low >> n | (high << 1) << (31 &- n))
    }

    /// For a negative number, shifts the complement, which is not negative, and complements the result.
    private func shiftedRight(_ x: Int64, by count: Int32) -> Int64 {
        let sign: UInt64 = x < 0 ? .max : 0
        return Int64(bitPattern: shiftedRight(UInt64(bitPattern: x) ^ sign, by: count) ^ sign)
    }
#endif

#if arch(arm)
    @c(__aeabi_llsl)
    public func aeabiLlsl(_ x: UInt64, _ count: Int32) -> UInt64 { shiftedLeft(x, by: count) }
    @c(__aeabi_llsr)
    public func aeabiLlsr(_ x: UInt64, _ count: Int32) -> UInt64 { shiftedRight(x, by: count) }
    @c(__aeabi_lasr)
    public func aeabiLasr(_ x: Int64, _ count: Int32) -> Int64 { shiftedRight(x, by: count) }
#elseif arch(riscv32)
    @c(__ashldi3)
    public func ashldi3(_ x: UInt64, _ count: Int32) -> UInt64 { shiftedLeft(x, by: count) }
    @c(__lshrdi3)
    public func lshrdi3(_ x: UInt64, _ count: Int32) -> UInt64 { shiftedRight(x, by: count) }
    @c(__ashrdi3)
    public func ashrdi3(_ x: Int64, _ count: Int32) -> Int64 { shiftedRight(x, by: count) }
#endif
