/// An integer mod n, the order of P-256 (SP 800-186 §3.2.1.3). *Domain*: plain. *Bounds*: always below n. *Time*:
/// variable; scalars of a verification are public.
struct P256Scalar: CurveScalar {
    let plain: InlineArray<4, UInt64>

    init(unchecked plain: InlineArray<4, UInt64>) {
        self.plain = plain
    }

    /// n. `openssl ecparam -name prime256v1 -text -param_enc explicit -noout`
    static var order: InlineArray<4, UInt64> {
        [0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000]
    }
    /// −n⁻¹ mod 2⁶⁴. `python3 -c 'n=…; print(hex(-pow(n,-1,2**64)%2**64))'`
    static var negatedOrderInverse: UInt64 { 0xccd1_c8aa_ee00_bc4f }
    /// 2^512 mod n. `python3 -c 'n=…; print(hex(2**512%n))'`
    static var rSquared: InlineArray<4, UInt64> {
        [0x8324_4c95_be79_eea2, 0x4699_799c_49bd_6fa6, 0x2845_b239_2b6b_ec59, 0x66e1_2d94_f3d9_5620]
    }

    static let byteCount = 32

    func invertedVarTime() -> Self {
        Self(unchecked: P256Inversion(modulus: Self.order).invertVarTime(plain))
    }
}
