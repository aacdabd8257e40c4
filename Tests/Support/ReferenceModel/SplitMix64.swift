/// The generator of Steele, Lea and Flood ("Fast splittable pseudorandom number generators", 2014). Random operands
/// depend only on the seed, so a failing test fails again.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator whose sequence depends only on `seed`.
    public init(seed: UInt64) { state = seed }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}

extension BigUInt {
    /// Returns a number below `bound`, distributed evenly enough for tests.
    public static func random(below bound: BigUInt, using generator: inout some RandomNumberGenerator) -> BigUInt {
        let words = (0..<bound.bitWidth / 64 + 2).map { _ in generator.next() }
        return BigUInt(words: words) % bound
    }
}
