import ReferenceModel
import Testing

@testable import PureECDSALanes

#if ProcessorExtensions && arch(x86_64)
    import PureProcessor

    /// Whether this processor can run PureECDSALanes as compiled in this build.
    let processorRunsLanes = processorHasIFMA
#else
    /// Without the trait, PureECDSALanes is compiled for any processor.
    let processorRunsLanes = true
#endif

/// 2²⁵⁶, the unit of the bounds.
let U = BigUInt.power(ofTwo: 256)

extension FieldLanes {
    /// Creates eight lanes from numbers of up to 260 bits.
    init(_ numbers: [BigUInt]) {
        precondition(numbers.count == 8)
        self = .zero
        for lane in 0..<8 {
            let limbs = (0..<5).map { Int64((numbers[lane] >> (52 * $0)).words(count: 5)[0] & 0xf_ffff_ffff_ffff) }
            (l0[lane], l1[lane], l2[lane], l3[lane], l4[lane]) = (limbs[0], limbs[1], limbs[2], limbs[3], limbs[4])
        }
    }

    /// The numbers in the lanes. Limbs must be in [0, 2⁵²), as the multiplication reads them.
    var numbers: [BigUInt] {
        (0..<8).map { lane in
            let limbs = [l0[lane], l1[lane], l2[lane], l3[lane], l4[lane]]
            #expect(limbs.allSatisfy { 0 <= $0 && $0 <= limbMask }, "lane \(lane): \(limbs)")
            return limbs.enumerated().reduce(0) { $0 + BigUInt(UInt64(clamping: $1.element)) << (52 * $1.offset) }
        }
    }

    /// The values mod p, converted out of the Montgomery domain.
    var values: [BigUInt] {
        let p = ModelCurve.p256.p
        guard let inverse = BigUInt.power(ofTwo: 260).inverse(modulo: p) else { preconditionFailure("p is odd") }
        return numbers.map { $0 * inverse % p }
    }
}

extension [BigUInt] {
    /// Groups of eight numbers. In every lane, the groups together contain each number once.
    var inEveryLane: [[BigUInt]] {
        indices.map { start in (0..<8).map { self[(start + $0) % count] } }
    }
}

/// Returns numbers below `bound` at which limbs of 52 bits carry, and random numbers.
func laneEdges(below bound: BigUInt, seed: UInt64, randomCount: Int = 24) -> [BigUInt] {
    var generator = SplitMix64(seed: seed)
    var numbers = BigUInt.edges(modulus: ModelCurve.p256.p, below: bound)
    for i in 1...5 {
        for number in [BigUInt.power(ofTwo: 52 * i), .power(ofTwo: 52 * i) - 1] where number < bound {
            numbers += [number, bound - number]
        }
    }
    numbers += (0..<randomCount).map { _ in .random(below: bound, using: &generator) }
    return numbers.filter { $0 < bound }
}
