import DebugSampling
import ReferenceModel
import Testing

@testable import PureECDSALanes

@Suite(.enabled(if: processorRunsLanes, "The processor has no AVX-512 IFMA."))
struct SignedDigitLanesTests {
    /// The digits are odd, at most 2^w − 1, and sum to the scalar mod n.
    @Test(arguments: [(9, 29), (5, 52), (7, 37), (4, 64)])
    func digitsSumToTheScalar(_ width: Int, _ count: Int) {
        let n = ModelCurve.p256.n
        var scalars = laneEdges(below: n, seed: 20)
        scalars += [n - 1, n - 2, (n + 1) / 2, 1, 2, 0]
        for group in debugSample(scalars.inEveryLane, every: 5, of: "groups of scalars") {
            let words = group.flatMap { $0.words(count: 4) }
            let digits = SignedDigitLanes(words.span, width: width, count: count)
            var sums = [BigUInt](repeating: 0, count: 8)
            for i in 0..<count {
                let (index, sign) = digits.digit(at: width * i, width: width)
                for lane in 0..<8 {
                    #expect(0 <= index[lane] && index[lane] < 1 << Int64(width - 1))
                    #expect(sign[lane] == 0 || sign[lane] == -1)
                    let digit = BigUInt(UInt64(2 * index[lane] + 1)) << (width * i)
                    sums[lane] =
                        sign[lane] == 0
                        ? sums[lane].adding(digit, modulo: n) : sums[lane].subtracting(digit % n, modulo: n)
                }
            }
            #expect(sums == group)
        }
    }
}
