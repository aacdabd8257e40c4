/// The message schedules of two blocks: word `2t + j` is W_t of block `j` (FIPS 180-4 §6.4.2 step 1). So one vector
/// operation on two words computes the same step for both blocks.
struct SHA512ScheduleGroup {
    private(set) var words = InlineArray<160, UInt64>(repeating: 0)

    static var byteCount: Int { 2 * SHA512State.blockByteCount }

    /// Sets W₀ … W₁₅ of the two consecutive blocks in `blocks`.
    @inline(__always)
    mutating func load(_ blocks: RawSpan) {
        for t in 0..<16 {
            for block in 0..<2 {
                words[2 &* t &+ block] = bigEndianWord(blocks, SHA512State.blockByteCount &* block &+ 8 &* t)
            }
        }
    }

    /// W_t = σ₁(W_{t−2}) + W_{t−7} + σ₀(W_{t−15}) + W_{t−16} of both blocks, for `first` = 2t.
    @inline(__always)
    mutating func advance(_ first: Int) {
        for i in 0..<2 {
            let t = first &+ i
            words[t] = words[t &- 32] &+ smallSigma0(words[t &- 30]) &+ words[t &- 14] &+ smallSigma1(words[t &- 4])
        }
    }
}

// σ₀ and σ₁ (FIPS 180-4 §4.1.3, equations 4.12 and 4.13) in the form that SHA256ScheduleGroup.swift explains.

/// ROTR¹ ⊕ ROTR⁸ ⊕ SHR⁷.
@inline(__always)
private func smallSigma0(_ x: UInt64) -> UInt64 {
    (x &>> 1 ^ x &<< 56) ^ (x &>> 7 ^ x &<< 63) ^ x &>> 8
}

/// ROTR¹⁹ ⊕ ROTR⁶¹ ⊕ SHR⁶.
@inline(__always)
private func smallSigma1(_ x: UInt64) -> UInt64 {
    (x &>> 6 ^ x &<< 45) ^ (x &>> 19 ^ x &<< 3) ^ x &>> 61
}
