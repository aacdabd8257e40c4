import DebugSampling
import ReferenceModel
import Testing

@testable import PureECDSA

struct SignedWindowsTests {
    /// For every division of the scalar into parts, the digits sum to the scalar and form a width-w non-adjacent form.
    /// Windows that begin in the first part may have a greater width.
    @Test(
        arguments: [(1, 256), (4, 64), (8, 32), (1, 384), (6, 64), (12, 32), (64, 4)],
        [(2, 2), (5, 5), (8, 8), (10, 8), (15, 15), (10, 4)])
    func recodes(_ shape: (parts: Int, partBits: Int), _ widths: (first: Int, later: Int)) {
        switch shape.parts * shape.partBits {
        case 256: recodes(InlineArray<4, UInt64>.self, ModelCurve.p256.n, shape.parts, shape.partBits, widths)
        default: recodes(InlineArray<6, UInt64>.self, ModelCurve.p384.n, shape.parts, shape.partBits, widths)
        }
    }

    private func recodes<Limbs: LimbArray>(
        _: Limbs.Type, _ n: BigUInt, _ parts: Int, _ partBits: Int, _ widths: (first: Int, later: Int)
    ) {
        var generator = SplitMix64(seed: 30)
        let bound = BigUInt.power(ofTwo: parts * partBits)
        var scalars = BigUInt.edges(modulus: n, below: bound)
        scalars += (0..<30).map { _ in .random(below: n, using: &generator) }
        // Adds scalars that cause long carries: runs of ones and zeros of up to two window widths, at every offset
        // in a window.
        for run in 1..<2 * widths.first {
            for start in 0..<widths.first {
                scalars.append(((.power(ofTwo: run) - 1) << start) + (.power(ofTwo: partBits - 1) - 1))
                scalars.append(bound - 1 - ((.power(ofTwo: run) - 1) << start))
            }
        }
        for scalar in debugSample(scalars, every: 9, of: "scalars in \(parts) parts of \(partBits) bits") {
            var windows = SignedWindows()
            windows.recode(
                Limbs(scalar), bitCount: parts * partBits, partBits: partBits, firstWidth: widths.first,
                width: widths.later,
                row: 3)
            var positive = BigUInt(0)
            var negative = BigUInt(0)
            var digits: [(position: Int, width: Int)] = []
            for i in 0..<windows.first.count {
                var next = windows.first[i]
                #expect(next == 0 || i <= windows.highest)
                while next != 0 {
                    let entry = windows.digits[Int(next) - 1]
                    let digit = Int(entry.value), part = Int(entry.row) - 3
                    next = entry.next
                    let width = part == 0 ? widths.first : widths.later
                    // The carry out of the scalar is a digit 1 at the end of the last part.
                    let isPlaced = i < partBits || i == partBits && part == parts - 1 && digit == 1
                    let isFit = digit % 2 != 0 && abs(digit) < 1 << (width - 1) && (0..<parts).contains(part)
                    #expect(isPlaced && isFit, "\(scalar): \(digit) at \(part), \(i)")
                    let position = part * partBits + i
                    digits.append((position, width))
                    let value = BigUInt(UInt64(abs(digit))) << position
                    if digit > 0 { positive = positive + value } else { negative = negative + value }
                }
            }
            digits.sort { $0.position < $1.position }
            for (digit, next) in zip(digits, digits.dropFirst()) {
                // The digit for the carry out of the scalar may be nearer to the last window if that window is
                // truncated.
                #expect(next.position >= digit.position + digit.width || next.position == parts * partBits, "\(scalar)")
            }
            #expect(positive == scalar + negative, "\(scalar)")
        }
    }
}
