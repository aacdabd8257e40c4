/// P-256 (SP 800-186 §3.2.1.3), also known as prime256v1 (X9.62) and secp256r1 (SEC 2 §2.4.2).
enum P256Curve: PrimeCurve {
    typealias Field = P256Field
    typealias Scalar = P256Scalar

    /// b·2²⁵⁶ mod p. `python3 -c 'b=0x5ac635d8…; print(hex((b<<256)%p))'`
    static var b: P256Field {
        P256Field(
            0xd89c_df62_29c4_bddf, 0xacf0_05cd_7884_3090, 0xe5a2_20ab_f721_2ed6, 0xdc30_061d_0487_4834)
    }

    static var generator: AffinePoint<Self> { generatorMultiple(part: 0, index: 0) }

    /// n < p, so every r is an x-coordinate.
    static func xCoordinate(_ r: P256Scalar) -> P256Field? { P256Field(plain: r.plain) }

    static func xCoordinatePlusOrder(_ r: P256Scalar) -> P256Field? {
        var x = r.plain
        return x.add(P256Scalar.order) == 0 ? P256Field(plain: x) : nil
    }

    static let generatorWindow = P256GeneratorTable.window
    static let partCount = 4, partBits = 64

    @inline(__always)
    static func generatorMultiple(part: Int, index: Int) -> AffinePoint<Self> {
        let i = 8 * index
        return part == 0
            ? point(P256GeneratorTable.part0.span, i)
            : point(P256GeneratorTable.upperParts.span, i + 8 * P256GeneratorTable.entries * (part - 1))
    }

    @inline(__always)
    private static func point(_ limbs: Span<UInt64>, _ i: Int) -> AffinePoint<Self> {
        AffinePoint(
            x: P256Field(limbs[i], limbs[i + 1], limbs[i + 2], limbs[i + 3]),
            y: P256Field(limbs[i + 4], limbs[i + 5], limbs[i + 6], limbs[i + 7]))
    }
}
