/// P-256 (SP 800-186 §3.2.1.3), also known as prime256v1 (X9.62) and secp256r1 (SEC 2 §2.4.2).
enum P256Curve: PrimeCurve {
    #if arch(wasm32)
        typealias Field = P256UnsaturatedField
    #else
        typealias Field = P256Field
    #endif
    typealias Scalar = P256Scalar

    /// b·2²⁵⁶ mod p. `python3 -c 'b=0x5ac635d8…; print(hex((b<<256)%p))'`
    static var b: Field {
        Field(
            0xd89c_df62_29c4_bddf, 0xacf0_05cd_7884_3090, 0xe5a2_20ab_f721_2ed6, 0xdc30_061d_0487_4834)
    }

    static var generator: AffinePoint<Self> { generatorMultiple(part: 0, index: 0) }

    /// Never returns `nil`: r < n < p.
    static func xCoordinate(_ r: P256Scalar) -> Field? { Field(plain: r.plain) }

    static func xCoordinatePlusOrder(_ r: P256Scalar) -> Field? {
        var x = r.plain
        return x.add(P256Scalar.order) == 0 ? Field(plain: x) : nil
    }

    static var generatorShape: WindowShape { P256GeneratorTable.shape }
    static var generatorWindow: Int { P256GeneratorTable.window }

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
        let i = 8 * index
        return AffinePoint(
            x: Field(
                P256GeneratorTable.part0[i], P256GeneratorTable.part0[i + 1], P256GeneratorTable.part0[i + 2],
                P256GeneratorTable.part0[i + 3]),
            y: Field(
                P256GeneratorTable.part0[i + 4], P256GeneratorTable.part0[i + 5], P256GeneratorTable.part0[i + 6],
                P256GeneratorTable.part0[i + 7]))
    }

    #if !hasFeature(Embedded)
        private static func upperGeneratorMultiple(_ index: Int) -> AffinePoint<Self> {
            let i = 8 * index
            return AffinePoint(
                x: Field(
                    P256GeneratorTable.upperParts[i], P256GeneratorTable.upperParts[i + 1],
                    P256GeneratorTable.upperParts[i + 2], P256GeneratorTable.upperParts[i + 3]),
                y: Field(
                    P256GeneratorTable.upperParts[i + 4], P256GeneratorTable.upperParts[i + 5],
                    P256GeneratorTable.upperParts[i + 6], P256GeneratorTable.upperParts[i + 7]))
        }
    #endif
}
