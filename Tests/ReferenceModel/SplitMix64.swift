/// The generator of Steele, Lea and Flood ("Fast splittable pseudorandom number generators", 2014): a test that fails
/// fails again, because its operands follow from the seed alone.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator whose whole sequence follows from `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}

extension BigUInt {
    /// A number below `bound`, close enough to evenly distributed for tests.
    public static func random(below bound: BigUInt, using generator: inout some RandomNumberGenerator) -> BigUInt {
        let words = (0..<bound.bitWidth / 64 + 2).map { _ in generator.next() }
        return BigUInt(words: words) % bound
    }
}
