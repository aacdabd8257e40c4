extension PrimeCurve {
    /// u₁·G + u₂·Q for a point seen for the first time. Time: variable: the scalars come from a signature and a message, the
    /// point from a public key; none is secret.
    static func doubleMultiplyVarTime(_ u1: Scalar, _ u2: Scalar, _ Q: AffinePoint<Self>) -> JacobianPoint<Self> {
        let multiples = Q.oddMultiples()
        #if hasFeature(Embedded)
            return doubleMultiplyVarTime(u1, u2, multiples: multiples.span)
        #else
            return interleaveVarTime(u1, u2, multiples: multiples.span, parts: 1, partBits: 8 * Scalar.byteCount) {
                _, index in
                generatorMultiple(index)
            }
        #endif
    }

    /// The same for a precomputed point: ``partCount`` parts of ``partBits`` bits, `multiples` as in ``PrecomputedPoint``.
    static func doubleMultiplyVarTime(
        _ u1: Scalar, _ u2: Scalar, multiples: Span<AffinePoint<Self>>
    ) -> JacobianPoint<Self> {
        interleaveVarTime(u1, u2, multiples: multiples, parts: partCount, partBits: partBits) { part, index in
            #if hasFeature(Embedded)
                generatorMultiple(index)  // partCount is 1
            #else
                part == 0 ? generatorMultiple(index) : upperGeneratorMultiple(part: part, index: index)
            #endif
        }
    }

    /// u₁·G + u₂·Q, the scalars cut into `parts` of `partBits` bits, the doublings shared by all of them (Strauss;
    /// interleaving, Guide to ECC Algorithm 3.51). `multiples` holds (2i + 1)·2^(partBits·part)·Q at 8·part + i, and
    /// `generatorMultiple` gives (2i + 1)·2^(partBits·part)·G for a part and an i. Time: variable.
    @inline(__always)
    private static func interleaveVarTime(
        _ u1: Scalar, _ u2: Scalar, multiples: Span<AffinePoint<Self>>, parts: Int, partBits: Int,
        generatorMultiple: (Int, Int) -> AffinePoint<Self>
    ) -> JacobianPoint<Self> {
        var windows = SignedWindows()
        let u1 = u1.plain, u2 = u2.plain
        for part in 0..<parts {
            let width = part == 0 ? generatorWindow : upperGeneratorWindow, start = part &* partBits
            windows.recode(u1, from: start, bitCount: partBits, width: width, row: part)
            windows.recode(u2, from: start, bitCount: partBits, width: oddMultiplesWindow, row: parts &+ part)
        }
        // Spans, as reading through the value would copy it.
        let first = windows.first.span, digits = windows.digits.span
        var sum = JacobianPoint<Self>.infinity
        var i = windows.highest
        while i >= 0 {  // a stride costs 25 instructions a step
            var isDoubled = false
            var next = first[i]
            while next != 0 {
                let digit = digits[Int(next) &- 1]
                let row = Int(digit.row), index = Int(abs(digit.value)) >> 1
                var multiple = row < parts ? generatorMultiple(row, index) : multiples[8 * (row - parts) + index]
                if digit.value < 0 { multiple = multiple.negated() }
                next = digit.next
                if isDoubled {
                    sum.addVarTime(multiple)
                } else {
                    sum.doubleAndAddVarTime(multiple)
                    isDoubled = true
                }
            }
            if !isDoubled { sum.double() }
            i &-= 1
        }
        return sum
    }
}
