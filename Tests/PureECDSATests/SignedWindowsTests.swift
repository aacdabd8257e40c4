import ReferenceModel
import Testing

@testable import PureECDSA

struct SignedWindowsTests {
    /// The digits spell the scalar, part by part, and are a width-w non-adjacent form.
    @Test(arguments: [(1, 256, 4), (4, 64, 4), (1, 384, 6), (6, 64, 6)], [2, 5, 8, 10, 15])
    func recodes(_ shape: (parts: Int, partBits: Int, limbs: Int), _ width: Int) {
        switch shape.limbs {
        case 4: recodes(InlineArray<4, UInt64>.self, ModelCurve.p256.n, shape.parts, shape.partBits, width)
        default: recodes(InlineArray<6, UInt64>.self, ModelCurve.p384.n, shape.parts, shape.partBits, width)
        }
    }

    private func recodes<Limbs: LimbArray>(
        _: Limbs.Type, _ n: BigUInt, _ parts: Int, _ partBits: Int, _ width: Int
    ) {
        var generator = SplitMix64(seed: 30)
        let bound = BigUInt.power(ofTwo: parts * partBits)
        var scalars = BigUInt.edges(modulus: n, below: bound)
        scalars += (0..<30).map { _ in .random(below: n, using: &generator) }
        // Runs of ones and zeros of every length around a window, at every alignment to it: carries that run far.
        for run in 1..<2 * width {
            for start in 0..<width {
                scalars.append(((.power(ofTwo: run) - 1) << start) + (.power(ofTwo: partBits - 1) - 1))
                scalars.append(bound - 1 - ((.power(ofTwo: run) - 1) << start))
            }
        }
        for scalar in scalars {
            var windows = SignedWindows()
            for part in 0..<parts {
                windows.recode(
                    Limbs(scalar), from: part * partBits, bitCount: partBits, width: width, row: part)
            }
            var positive = BigUInt(0)
            var negative = BigUInt(0)
            var last = [Int?](repeating: nil, count: parts)
            for i in 0..<windows.first.count {
                var next = windows.first[i]
                #expect(next == 0 || i <= windows.highest)
                while next != 0 {
                    let entry = windows.digits[Int(next) - 1]
                    let digit = Int(entry.value), part = Int(entry.row)
                    next = entry.next
                    let isFit = digit % 2 != 0 && abs(digit) < 1 << (width - 1)
                    let isApart = last[part].map { i - $0 >= width } ?? true
                    // The carry out of a part is a digit of its own, which may be near the last one.
                    #expect(isFit && (isApart || i == partBits && digit == 1), "\(scalar): \(digit) at \(part), \(i)")
                    last[part] = i
                    let value = BigUInt(UInt64(abs(digit))) << (part * partBits + i)
                    if digit > 0 { positive = positive + value } else { negative = negative + value }
                }
            }
            #expect(positive == scalar + negative, "\(scalar)")
        }
    }
}
