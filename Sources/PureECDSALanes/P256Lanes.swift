/// Steps 6 to 8 of ECDSA verification (FIPS 186-5 §6.4.2) on P-256, for eight signatures at once.
///
/// All lanes take the same steps: windows of odd digits, so that none is 0, and no branch for exceptional points. A
/// lane that met one is undecided, and the caller verifies it by itself. So is a lane whose r + n may be below p.
///
/// *Time*: variable by memory addresses, which depend on digits; scalars and points are public.
package struct P256Lanes {
    /// By bit, lane 0 lowest. An undecided lane has no verdict.
    package typealias Verdicts = (valid: UInt8, undecided: UInt8)

    /// (2i + 1)·2^(64·part)·G for a part and an i: x, then y, in the Montgomery domain of 2²⁵⁶. i < 256 in part 0, and
    /// i < 64 in others.
    package typealias GeneratorMultiple = (_ part: Int, _ index: Int) -> InlineArray<8, UInt64>
    /// 1/x for x < 2²⁵⁶, both in the Montgomery domain of 2²⁵⁶.
    package typealias Inversion = (InlineArray<4, UInt64>) -> InlineArray<4, UInt64>

    /// Overwritten by each verification.
    private var multiples = OddMultipleLanes(count: 32)
    private let generator: GeneratorMultiple
    private let invert: Inversion

    package init(generator: @escaping GeneratorMultiple, invert: @escaping Inversion) {
        self.generator = generator
        self.invert = invert
    }

    /// Returns whether x(u₁·G + u₂·Q) ≡ r mod n, in each lane.
    ///
    /// Numbers are of four words, least significant first; lane k's begin at 4·k. Bounds: u₁, u₂, r < n, r ≠ 0; Q is
    /// on the curve and not the point at infinity, in every lane. Neither is checked.
    ///
    /// - Parameter points: x and y of each lane's Q in the Montgomery domain of 2²⁵⁶, lane k's at 8·k.
    package mutating func verify(
        u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]
    ) -> Verdicts {
        let digits1 = SignedDigitLanes(u1.span, width: 9, count: 29),
            digits2 = SignedDigitLanes(u2.span, width: 5, count: 52)
        let last = multiples.climb(
            WordLanes(points.span, stride: 8).element, WordLanes(points.span, offset: 4, stride: 8).element, 16, from: 0
        )
        multiples.descend(last.inverted(by: invert), 16, to: 0)
        var sum: JacobianLanes?
        for position in stride(from: 255, through: 0, by: -1) {
            sum?.double()
            if position % 5 == 0 {
                let (index, sign) = digits2.digit(at: position, width: 5)
                add(multiples.lookUp(index), sign, to: &sum)
            }
            if position % 9 == 0 {
                let (index, sign) = digits1.digit(at: position, width: 9)
                add(generatorMultiples(0, index), sign, to: &sum)
            }
        }
        return Self.verdicts(sum, r)
    }

    /// As ``verify(u1:u2:r:points:)`` for keys with their multiples, which share 64 doublings.
    ///
    /// - Parameter points: x and y of each lane's Q, 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q, lane k's at 32·k. Bounds: all on the
    ///   curve and none at infinity.
    package mutating func verifyByMultiples(
        u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]
    ) -> Verdicts {
        let digits1 = SignedDigitLanes(u1.span, width: 7, count: 37),
            digits2 = SignedDigitLanes(u2.span, width: 4, count: 64)
        computeMultiples(of: points)
        var sum: JacobianLanes?
        for place in stride(from: 63, through: 0, by: -1) {
            sum?.double()
            for part in 0..<4 {
                let position = 64 * part + place
                if place % 4 == 0 {
                    let (index, sign) = digits2.digit(at: position, width: 4)
                    add(multiples.lookUp(index &+ lanes(Int64(8 * part))), sign, to: &sum)
                }
                if position % 7 == 0 {
                    let (index, sign) = digits1.digit(at: position, width: 7)
                    add(generatorMultiples(part, index), sign, to: &sum)
                }
            }
        }
        return Self.verdicts(sum, r)
    }

    /// Eight odd multiples of each of the four points, with one inversion.
    private mutating func computeMultiples(of points: [UInt64]) {
        var last = InlineArray<4, FieldLanes>(repeating: .one)
        for j in 0..<4 {
            last[j] = multiples.climb(
                WordLanes(points.span, offset: 8 * j, stride: 32).element,
                WordLanes(points.span, offset: 8 * j + 4, stride: 32).element, 8, from: 8 * j)
        }
        let low = last[0] * last[1], high = last[2] * last[3]  // < 1.28
        let inverse = (low * high).inverted(by: invert)
        let lowInverse = inverse * high, highInverse = inverse * low  // < 1.09
        multiples.descend(lowInverse * last[1], 8, to: 0)
        multiples.descend(lowInverse * last[0], 8, to: 8)
        multiples.descend(highInverse * last[3], 8, to: 16)
        multiples.descend(highInverse * last[2], 8, to: 24)
    }

    @inline(__always)
    private func generatorMultiples(_ part: Int, _ index: Lanes) -> (x: FieldLanes, y: FieldLanes) {
        var words = InlineArray<64, UInt64>(repeating: 0)
        for lane in 0..<8 {
            let multiple = generator(part, Int(index[lane]))
            for k in 0..<8 { words[8 * lane + k] = multiple[k] }
        }
        return (WordLanes(words.span, stride: 8).element, WordLanes(words.span, offset: 4, stride: 8).element)
    }

    /// R ← R ± (x, y); the first multiple is R. Bounds: x, y < 16 U.
    @inline(__always)
    private func add(_ multiple: (x: FieldLanes, y: FieldLanes), _ sign: Lanes, to sum: inout JacobianLanes?) {
        guard sum == nil else {
            sum?.add(multiple.x, multiple.y, sign: sign)
            return
        }
        // ±y + 17p: 0.9 … 33
        let y = multiple.y.loose.negated(where: sign).addingModulus(times: 17).folded
        sum = JacobianLanes(X: multiple.x.loose.folded, Y: y, Z: .one)
    }

    /// Steps 7 and 8: x_R ≡ r mod n, x_R = X/Z², so x_R = r ⇔ r·Z² = X. x_R may also be r + n if that is below p, which
    /// needs r < p − n < 2¹²⁸.
    private static func verdicts(_ sum: JacobianLanes?, _ r: [UInt64]) -> Verdicts {
        guard let R = sum else { return (valid: 0, undecided: .max) }
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
}
