/// An integer mod n, the order of P-384 (SP 800-186 §3.2.1.4). *Domain*: plain. *Bounds*: always below n. *Time*:
/// variable; scalars of a verification are public.
struct P384Scalar: CurveScalar {
    let plain: InlineArray<6, UInt64>

    init(unchecked plain: InlineArray<6, UInt64>) {
        self.plain = plain
    }

    /// n. `openssl ecparam -name secp384r1 -text -param_enc explicit -noout`
    static var order: InlineArray<6, UInt64> {
        [
            0xecec_196a_ccc5_2973, 0x581a_0db2_48b0_a77a, 0xc763_4d81_f437_2ddf,
            0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
        ]
    }
    /// −n⁻¹ mod 2⁶⁴. `python3 -c 'n=…; print(hex(-pow(n,-1,2**64)%2**64))'`
    static var negatedOrderInverse: UInt64 { 0x6ed4_6089_e88f_dc45 }
    /// 2^768 mod n. `python3 -c 'n=…; print(hex(2**768%n))'`
    static var rSquared: InlineArray<6, UInt64> {
        [
            0x2d31_9b24_19b4_09a9, 0xff3d_81e5_df1a_a419, 0xbc3e_483a_fcb8_2947,
            0xd40d_4917_4aab_1cc5, 0x3fb0_5b7a_2826_6895, 0x0c84_ee01_2b39_bf21,
        ]
    }

    static let byteCount = 48

    func invertedVarTime() -> Self {
        Self(unchecked: ModularInversion<7>(modulus: Self.order).invertVarTime(plain))
    }
}
