extension PrimeCurve {
    /// u₁·G + u₂·Q for a point seen for the first time. Time: variable: the scalars come from a signature and a message, the
    /// point from a public key; none is secret.
    static func doubleMultiplyVarTime(_ u1: Scalar, _ u2: Scalar, _ Q: AffinePoint<Self>) -> JacobianPoint<Self> {
        let multiples = Q.oddMultiples()
        return interleaveVarTime(u1, u2, multiples: multiples.span, parts: 1, partBits: 8 * Scalar.byteCount) {
            _, index in
            generatorMultiple(index)
        }
    }

    /// The same for a precomputed point: ``partCount`` parts of ``partBits`` bits, `multiples` as in ``PrecomputedPoint``.
    static func doubleMultiplyVarTime(
        _ u1: Scalar, _ u2: Scalar, multiples: Span<AffinePoint<Self>>
    ) -> JacobianPoint<Self> {
        interleaveVarTime(u1, u2, multiples: multiples, parts: partCount, partBits: partBits) { part, index in
            part == 0 ? generatorMultiple(index) : upperGeneratorMultiple(part: part, index: index)
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
        let windows1 = SignedWindows(recoding: u1.plain, parts: parts, partBits: partBits, width: generatorWindow)
        let windows2 = SignedWindows(recoding: u2.plain, parts: parts, partBits: partBits, width: oddMultiplesWindow)
        // Spans, as reading through the values would copy them.
        let digits1 = windows1.digits.span, digits2 = windows2.digits.span
        var sum = JacobianPoint<Self>.infinity
        var i = partBits
        while i >= 0 {  // a stride costs 25 instructions a step
            sum.double()
            for part in 0..<parts {
                let digit1 = Int(digits1[part &* (partBits &+ 1) &+ i])
                if digit1 != 0 {
                    let multiple = generatorMultiple(part, abs(digit1) >> 1)
                    sum.addVarTime(digit1 < 0 ? multiple.negated() : multiple)
                }
                let digit2 = Int(digits2[part &* (partBits &+ 1) &+ i])
                if digit2 != 0 {
                    let multiple = multiples[8 * part + abs(digit2) >> 1]
                    sum.addVarTime(digit2 < 0 ? multiple.negated() : multiple)
                }
            }
            i &-= 1
        }
        return sum
    }
}
