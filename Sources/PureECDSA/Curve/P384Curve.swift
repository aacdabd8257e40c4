/// P-384 (SP 800-186 §3.2.1.4), also known as secp384r1 (SEC 2 §2.5.1).
enum P384Curve: PrimeCurve {
    typealias Field = P384Field
    typealias Scalar = P384Scalar

    /// b·2³⁸⁴ mod p. `python3 -c 'b=0xb3312fa7…; print(hex((b<<384)%p))'`
    static var b: P384Field {
        P384Field(
            0x0811_8871_9d41_2dcc, 0xf729_add8_7a4c_32ec, 0x77f2_209b_1920_022e,
            0xe337_4bee_9493_8ae2, 0xb62b_21f4_1f02_2094, 0xcd08_114b_604f_bff9)
    }

    static var generator: AffinePoint<Self> { generatorMultiple(part: 0, index: 0) }

    /// n < p, so every r is an x-coordinate.
    static func xCoordinate(_ r: P384Scalar) -> P384Field? { P384Field(plain: r.plain) }

    static func xCoordinatePlusOrder(_ r: P384Scalar) -> P384Field? {
        var x = r.plain
        return x.add(P384Scalar.order) == 0 ? P384Field(plain: x) : nil
    }

    static let generatorWindow = P384GeneratorTable.window
    static let partCount = 6, partBits = 64

    @inline(__always)
    static func generatorMultiple(part: Int, index: Int) -> AffinePoint<Self> {
        let i = 12 * index
        return part == 0
            ? point(P384GeneratorTable.part0.span, i)
            : point(P384GeneratorTable.upperParts.span, i + 12 * P384GeneratorTable.entries * (part - 1))
    }

    @inline(__always)
    private static func point(_ limbs: Span<UInt64>, _ i: Int) -> AffinePoint<Self> {
        AffinePoint(
            x: P384Field(limbs[i], limbs[i + 1], limbs[i + 2], limbs[i + 3], limbs[i + 4], limbs[i + 5]),
            y: P384Field(limbs[i + 6], limbs[i + 7], limbs[i + 8], limbs[i + 9], limbs[i + 10], limbs[i + 11]))
    }
}
