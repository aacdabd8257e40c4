// Steps 6 to 8 of ECDSA verification (FIPS 186-5 §6.4.2) on P-256, for eight signatures at once.
//
// All lanes take the same steps. All digits are odd, so no digit is 0, and no branch tests for exceptional points. A
// lane is undecided if it meets an exceptional point, or if its r + n may be below p. The caller verifies the
// signatures of undecided lanes with scalar code.
//
// *Time*: variable, because memory addresses depend on digits. Scalars and points are public.
//
// This file declares functions instead of a type, because a type would have copy functions (`__swift_memcpy…`),
// compiled with this module's flags. The linker could then use these copy functions for types of other modules
// (`Tests/Checks/ProcessorExtensions/run.sh`).

/// One bit for each lane; bit 0 is lane 0. The `valid` bit of an undecided lane is not a verdict.
package typealias LaneVerdicts = (valid: UInt8, undecided: UInt8)

/// Returns (2i + 1)·2^(64·part)·G: x, then y, in the Montgomery domain of 2²⁵⁶. i < 256 in part 0, otherwise i < 64.
package typealias GeneratorMultiple = (_ part: Int, _ index: Int) -> InlineArray<8, UInt64>
/// Returns 1/x for x < 2²⁵⁶, both in the Montgomery domain of 2²⁵⁶.
package typealias Inversion = (InlineArray<4, UInt64>) -> InlineArray<4, UInt64>

/// Returns whether x(u₁·G + u₂·Q) ≡ r mod n, in each lane.
///
/// Numbers have four words, least significant first; the words of lane k begin at index 4·k. Bounds: u₁, u₂, r < n, r ≠
/// 0; Q is on the curve and not the point at infinity, in every lane. These bounds are not checked.
///
/// - Parameter points: x and y of each lane's Q in the Montgomery domain of 2²⁵⁶; lane k begins at index 8·k.
package func verifyInLanes(
    u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64], generator: GeneratorMultiple, invert: Inversion
) -> LaneVerdicts {
    let digits1 = SignedDigitLanes(u1.span, width: 9, count: 29)
    let digits2 = SignedDigitLanes(u2.span, width: 5, count: 52)
    var storage = InlineArray<16, OddMultipleLanes.Point> { _ in InlineArray { _ in lanes(0) } }
    var ratioStorage = InlineArray<16, OddMultipleLanes.Ratio> { _ in InlineArray { _ in lanes(0) } }
    var multiples = storage.mutableSpan, ratios = ratioStorage.mutableSpan
    let x = WordLanes(points.span, stride: 8).element, y = WordLanes(points.span, offset: 4, stride: 8).element
    let last = OddMultipleLanes.climb(x, y, 16, from: 0, &multiples, &ratios)
    OddMultipleLanes.descend(last.inverted(by: invert), 16, to: 0, &multiples, ratios)
    // The highest window of u₂ begins at bit 255, and the highest window of u₁ at bit 252.
    let (index, sign) = digits2.digit(at: 255, width: 5)
    var sum = JacobianLanes(OddMultipleLanes.lookUp(index, in: multiples.span), sign: sign)
    var position = 255
    while position > 0 {  // `stride(from:through:by:)` would emit a function that other modules would share
        position -= 1
        sum.double()
        if position % 5 == 0 {
            let (index, sign) = digits2.digit(at: position, width: 5)
            let (x, y) = OddMultipleLanes.lookUp(index, in: multiples.span)
            sum.add(x, y, sign: sign)
        }
        if position % 9 == 0 {
            let (index, sign) = digits1.digit(at: position, width: 9)
            let (x, y) = generatorMultiples(0, index, generator)
            sum.add(x, y, sign: sign)
        }
    }
    return verdicts(sum, r)
}

/// Verifies as ``verifyInLanes(u1:u2:r:points:generator:invert:)`` does, but for keys with stored multiples. All parts
/// share 64 doublings.
///
/// - Parameter points: x and y of each lane's Q, 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q; lane k begins at index 32·k. Bounds: all
///   points are on the curve and not at infinity.
package func verifyInLanesByMultiples(
    u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64], generator: GeneratorMultiple, invert: Inversion
) -> LaneVerdicts {
    let digits1 = SignedDigitLanes(u1.span, width: 7, count: 37)
    let digits2 = SignedDigitLanes(u2.span, width: 4, count: 64)
    var storage = InlineArray<32, OddMultipleLanes.Point> { _ in InlineArray { _ in lanes(0) } }
    var multiples = storage.mutableSpan
    computeMultiples(of: points, invert, &multiples)
    // Only one window begins at bit 63: the highest window of u₁ in part 0.
    let (index, sign) = digits1.digit(at: 63, width: 7)
    var sum = JacobianLanes(generatorMultiples(0, index, generator), sign: sign)
    var place = 63
    while place > 0 {
        place -= 1
        sum.double()
        for part in 0..<4 {
            let position = 64 * part + place
            if place % 4 == 0 {
                let (index, sign) = digits2.digit(at: position, width: 4)
                let (x, y) = OddMultipleLanes.lookUp(index &+ lanes(Int64(8 * part)), in: multiples.span)
                sum.add(x, y, sign: sign)
            }
            if position % 7 == 0 {
                let (index, sign) = digits1.digit(at: position, width: 7)
                let (x, y) = generatorMultiples(part, index, generator)
                sum.add(x, y, sign: sign)
            }
        }
    }
    return verdicts(sum, r)
}

/// Computes eight odd multiples of each of the four points, with one inversion.
private func computeMultiples(
    of points: [UInt64], _ invert: Inversion, _ multiples: inout MutableSpan<OddMultipleLanes.Point>
) {
    var ratioStorage = InlineArray<32, OddMultipleLanes.Ratio> { _ in InlineArray { _ in lanes(0) } }
    var ratios = ratioStorage.mutableSpan
    var last = InlineArray<4, FieldLanes> { _ in .one }
    for j in 0..<4 {
        last[j] = OddMultipleLanes.climb(
            WordLanes(points.span, offset: 8 * j, stride: 32).element,
            WordLanes(points.span, offset: 8 * j + 4, stride: 32).element, 8, from: 8 * j, &multiples, &ratios)
    }
    let low = last[0] * last[1], high = last[2] * last[3]  // < 1.28
    let inverse = (low * high).inverted(by: invert)
    let lowInverse = inverse * high, highInverse = inverse * low  // < 1.09
    OddMultipleLanes.descend(lowInverse * last[1], 8, to: 0, &multiples, ratios)
    OddMultipleLanes.descend(lowInverse * last[0], 8, to: 8, &multiples, ratios)
    OddMultipleLanes.descend(highInverse * last[3], 8, to: 16, &multiples, ratios)
    OddMultipleLanes.descend(highInverse * last[2], 8, to: 24, &multiples, ratios)
}

@inline(__always)
private func generatorMultiples(
    _ part: Int, _ index: Lanes, _ generator: GeneratorMultiple
) -> (x: FieldLanes, y: FieldLanes) {
    let m = InlineArray<8, InlineArray<8, UInt64>> { lane in generator(part, Int(index[lane])) }
    return (WordLanes { lane, k in m[lane][k] }.element, WordLanes { lane, k in m[lane][k + 4] }.element)
}

/// Steps 7 and 8: tests x_R ≡ r mod n. Because x_R = X/Z², x_R = r ⇔ r·Z² = X. x_R may also be r + n if r + n < p,
/// which requires r < p − n < 2¹²⁸.
private func verdicts(_ R: borrowing JacobianLanes, _ r: [UInt64]) -> LaneVerdicts {
    let r = WordLanes(r.span)
    let x = r.limbs * .rSquared  // < 1.07
    let difference = ((x * R.Z.squared).loose - R.X.loose).addingModulus(times: 2).folded  // r·Z² − X: 0.99 … 3.1
    let isEqual = difference.isZero, isInfinity = R.Z.loose.folded.isZero
    var valid: UInt8 = 0, undecided: UInt8 = 0
    for lane in 0..<8 {
        let bit: UInt8 = 1 << UInt8(lane)
        if isInfinity[lane] || r.isBelow192Bits[lane] && !isEqual[lane] {
            undecided |= bit
        } else if isEqual[lane] {
            valid |= bit
        }
    }
    return (valid, undecided)
}
