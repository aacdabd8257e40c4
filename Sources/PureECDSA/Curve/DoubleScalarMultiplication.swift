extension PrimeCurve {
    /// The total number of bits in all parts of a scalar: 8·⌈log₂₅₆ n⌉.
    private static var scalarBits: Int { 8 * Scalar.byteCount }

    static func partCount(_ shape: WindowShape) -> Int { (scalarBits + shape.partBits - 1) / shape.partBits }

    /// The shape of the table that is computed at run time for a public key.
    static var keyShape: WindowShape { WindowShape(window: 5, partBits: generatorShape.partBits) }
    /// The window width and part length for a point without a stored table. The whole scalar is one part.
    private static var wholeShape: WindowShape { WindowShape(window: 5, partBits: scalarBits) }

    /// u₁·G + u₂·Q, for a point Q without a stored table. Time: variable. Signature, message and key are public.
    static func doubleMultiplyVarTime(_ u1: Scalar, _ u2: Scalar, _ Q: AffinePoint<Self>) -> JacobianPoint<Self> {
        let shape = wholeShape
        let multiples: InlineArray<8, _> = Q.oddMultiples()
        assert(multiples.count == shape.multipleCount)
        #if hasFeature(Embedded)
            return doubleMultiplyVarTime(u1, u2, multiples.span, shape)  // a call, not inlined
        #else
            return interleaveVarTime(u1, u2, multiples.span, shape, parts: 1) { _, index in
                generatorMultiple(part: 0, index: index)
            }
        #endif
    }

    /// u₁·G + u₂·Q, for a point Q with the table `multiples`. Bounds: `shape.partBits` is a multiple of
    /// `generatorShape.partBits`.
    static func doubleMultiplyVarTime(
        _ u1: Scalar, _ u2: Scalar, _ multiples: Span<AffinePoint<Self>>, _ shape: WindowShape
    ) -> JacobianPoint<Self> {
        let step = shape.partBits / generatorShape.partBits
        return interleaveVarTime(u1, u2, multiples, shape, parts: partCount(shape)) { part, index in
            generatorMultiple(part: part &* step, index: index)
        }
    }

    #if !hasFeature(Embedded)
        /// u₁·G + u₂·Q, given the points 2^(k·j)·Q, for scalars in parts of k bits. Computes the odd multiples of all
        /// these points with one inversion. The window width is 4. For parts of 64 bits, width 5 would save two
        /// additions (11M each), but would need four more table points (13M each). Bounds: at most four parts; k is a
        /// multiple of `generatorShape.partBits`; n > 8.
        static func doubleMultiplyVarTime<let parts: Int>(
            _ u1: Scalar, _ u2: Scalar, _ bases: InlineArray<parts, AffinePoint<Self>>
        ) -> JacobianPoint<Self> {
            let shape = WindowShape(window: 4, partBits: scalarBits / parts), m = shape.multipleCount
            var points = InlineArray<16, AffinePoint<Self>>(repeating: bases[0])
            var ratios = InlineArray<16, Field>(repeating: bases[0].y)
            var pointSpan = points.mutableSpan, ratioSpan = ratios.mutableSpan
            for j in 0..<parts {
                ratioSpan[m * j] = climb(bases[j], Z: nil, m, from: m * j, &pointSpan, &ratioSpan).Z  // j's last Z
            }
            descend(m, count: parts, affineCount: parts, &pointSpan, ratioSpan)
            let step = shape.partBits / generatorShape.partBits
            return interleaveVarTime(u1, u2, points.span, shape, parts: parts) { part, index in
                generatorMultiple(part: part &* step, index: index)
            }
        }
    #endif

    /// u₁·G + u₂·Q. The parts of both scalars share all doublings (Strauss; Guide to ECC Algorithm 3.51). Time:
    /// variable. `multiples` is the table of Q. `generatorMultiple(part, i)` returns (2i + 1)·2^(partBits·part)·G.
    @inline(__always)
    private static func interleaveVarTime(
        _ u1: Scalar, _ u2: Scalar, _ multiples: Span<AffinePoint<Self>>, _ shape: WindowShape, parts: Int,
        generatorMultiple: (Int, Int) -> AffinePoint<Self>
    ) -> JacobianPoint<Self> {
        var windows = SignedWindows()
        let u1 = u1.plain, u2 = u2.plain
        windows.recode(
            u1, bitCount: scalarBits, partBits: shape.partBits, firstWidth: generatorWindow,
            width: generatorShape.window, row: 0)
        windows.recode(
            u2, bitCount: scalarBits, partBits: shape.partBits, firstWidth: shape.window, width: shape.window,
            row: parts)
        // The loop reads through spans, because reading an element through `windows` would copy the array.
        let first = windows.first.span, digits = windows.digits.span
        let multipleCount = shape.multipleCount
        var sum = JacobianPoint<Self>.infinity  // R ← ∞
        var i = windows.highest
        while i >= 0 {  // `stride` would cost 25 instructions per iteration
            var isDoubled = false
            var next = first[i]
            while next != 0 {
                let digit = digits[Int(next) &- 1]
                let row = Int(digit.row), index = Int(abs(digit.value)) >> 1
                var multiple =
                    row < parts ? generatorMultiple(row, index) : multiples[multipleCount &* (row &- parts) &+ index]
                if digit.value < 0 { multiple = multiple.negated() }  // dᵢ·Q = −|dᵢ|·Q
                next = digit.next
                if isDoubled {
                    sum.addVarTime(multiple)  // R ← R + dᵢ·Q
                } else {
                    sum.doubleAndAddVarTime(multiple)  // R ← 2R + dᵢ·Q
                    isDoubled = true
                }
            }
            if !isDoubled { sum.double() }  // R ← 2R
            i &-= 1
        }
        return sum
    }
}
