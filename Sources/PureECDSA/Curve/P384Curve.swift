/// P-384 (SP 800-186 §3.2.1.4), also known as secp384r1 (SEC 2 §2.5.1).
enum P384Curve: PrimeCurve {
    #if arch(wasm32)
        typealias Field = P384UnsaturatedField
    #else
        typealias Field = P384Field
    #endif
    typealias Scalar = P384Scalar

    /// b·2³⁸⁴ mod p. `python3 -c 'b=0xb3312fa7…; print(hex((b<<384)%p))'`
    static var b: Field {
        Field(
            0x0811_8871_9d41_2dcc, 0xf729_add8_7a4c_32ec, 0x77f2_209b_1920_022e,
            0xe337_4bee_9493_8ae2, 0xb62b_21f4_1f02_2094, 0xcd08_114b_604f_bff9)
    }

    static var generator: AffinePoint<Self> { generatorMultiple(part: 0, index: 0) }

    /// Never returns `nil`: r < n < p.
    static func xCoordinate(_ r: P384Scalar) -> Field? { Field(plain: r.plain) }

    static func xCoordinatePlusOrder(_ r: P384Scalar) -> Field? {
        var x = r.plain
        return x.add(P384Scalar.order) == 0 ? Field(plain: x) : nil
    }

    static var generatorShape: WindowShape { P384GeneratorTable.shape }
    static var generatorWindow: Int { P384GeneratorTable.window }

    /// Reads by subscript, because a span of a global would copy the whole table (seen in the machine code).
    @inline(__always)
    static func generatorMultiple(part: Int, index: Int) -> AffinePoint<Self> {
        #if !hasFeature(Embedded)
            if part > 0 {
                return upperGeneratorMultiple(generatorShape.multipleCount * (part - 1) + index)
            }
        #endif
        return lowerGeneratorMultiple(index)
    }

    private static func lowerGeneratorMultiple(_ index: Int) -> AffinePoint<Self> {
        let i = 12 * index
        return AffinePoint(
            x: Field(
                P384GeneratorTable.part0[i], P384GeneratorTable.part0[i + 1], P384GeneratorTable.part0[i + 2],
                P384GeneratorTable.part0[i + 3], P384GeneratorTable.part0[i + 4], P384GeneratorTable.part0[i + 5]),
            y: Field(
                P384GeneratorTable.part0[i + 6], P384GeneratorTable.part0[i + 7], P384GeneratorTable.part0[i + 8],
                P384GeneratorTable.part0[i + 9], P384GeneratorTable.part0[i + 10], P384GeneratorTable.part0[i + 11]))
    }

    #if !hasFeature(Embedded)
        private static func upperGeneratorMultiple(_ index: Int) -> AffinePoint<Self> {
            let i = 12 * index
            return AffinePoint(
                x: Field(
                    P384GeneratorTable.upperParts[i], P384GeneratorTable.upperParts[i + 1],
                    P384GeneratorTable.upperParts[i + 2], P384GeneratorTable.upperParts[i + 3],
                    P384GeneratorTable.upperParts[i + 4], P384GeneratorTable.upperParts[i + 5]),
                y: Field(
                    P384GeneratorTable.upperParts[i + 6], P384GeneratorTable.upperParts[i + 7],
                    P384GeneratorTable.upperParts[i + 8], P384GeneratorTable.upperParts[i + 9],
                    P384GeneratorTable.upperParts[i + 10], P384GeneratorTable.upperParts[i + 11]))
        }
    #endif
}
