/// The message schedules of four blocks: word `4t + j` is W_t of block `j` (FIPS 180-4 §6.2.2 step 1). So one vector
/// operation on four words computes the same step for all four blocks.
struct SHA256ScheduleGroup {
    private(set) var words = InlineArray<256, UInt32>(repeating: 0)

    static var byteCount: Int { 4 * SHA256State.blockByteCount }

    /// Sets W₀ … W₁₅ of the four consecutive blocks in `blocks`.
    @inline(__always)
    mutating func load(_ blocks: RawSpan) {
        for t in 0..<16 {
            for block in 0..<4 {
                words[4 &* t &+ block] = bigEndianWord(blocks, SHA256State.blockByteCount &* block &+ 4 &* t)
            }
        }
    }

    /// W_t = σ₁(W_{t−2}) + W_{t−7} + σ₀(W_{t−15}) + W_{t−16} of all four blocks, for `first` = 4t.
    @inline(__always)
    mutating func advance(_ first: Int) {
        for i in 0..<4 {
            let t = first &+ i
            words[t] = words[t &- 64] &+ smallSigma0(words[t &- 60]) &+ words[t &- 28] &+ smallSigma1(words[t &- 8])
        }
    }
}

// σ₀ and σ₁ (FIPS 180-4 §4.1.2, equations 4.6 and 4.7) in a form that compiles to vector instructions. Each ROTR is
// written as two shifts, which are kept apart in the expression. If the optimiser recognised both shifts as a rotation,
// it would emit a rotation instruction. Baseline x86-64 has rotations only for scalars, which would prevent
// vectorisation.

/// ROTR⁷ ⊕ ROTR¹⁸ ⊕ SHR³.
@inline(__always)
private func smallSigma0(_ x: UInt32) -> UInt32 {
    (x &>> 3 ^ x &<< 25) ^ (x &>> 7 ^ x &<< 14) ^ x &>> 18
}

/// ROTR¹⁷ ⊕ ROTR¹⁹ ⊕ SHR¹⁰.
@inline(__always)
private func smallSigma1(_ x: UInt32) -> UInt32 {
    (x &>> 10 ^ x &<< 15) ^ (x &>> 17 ^ x &<< 13) ^ x &>> 19
}
