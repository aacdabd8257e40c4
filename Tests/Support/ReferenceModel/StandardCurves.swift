extension ModelCurve {
    /// P-256. SP 800-186 §3.2.1.3 specifies b, n and G, p = 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ − 1, and a = −3.
    public static let p256: ModelCurve = {
        let p = BigUInt(hex: "ffffffff 00000001 00000000 00000000 00000000 ffffffff ffffffff ffffffff")
        return ModelCurve(
            name: "P-256", p: p, a: p - 3,
            b: BigUInt(hex: "5ac635d8 aa3a93e7 b3ebbd55 769886bc 651d06b0 cc53b0f6 3bce3c3e 27d2604b"),
            n: BigUInt(hex: "ffffffff 00000000 ffffffff ffffffff bce6faad a7179e84 f3b9cac2 fc632551"),
            generator: .point(
                x: BigUInt(hex: "6b17d1f2 e12c4247 f8bce6e5 63a440f2 77037d81 2deb33a0 f4a13945 d898c296"),
                y: BigUInt(hex: "4fe342e2 fe1a7f9b 8ee7eb4a 7c0f9e16 2bce3357 6b315ece cbb64068 37bf51f5")))
    }()

    /// P-384. SP 800-186 §3.2.1.4 specifies b, n and G, p = 2³⁸⁴ − 2¹²⁸ − 2⁹⁶ + 2³² − 1, and a = −3.
    public static let p384: ModelCurve = {
        let p = BigUInt(
            hex: """
                ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff
                ffffffff fffffffe ffffffff 00000000 00000000 ffffffff
                """)
        return ModelCurve(
            name: "P-384", p: p, a: p - 3,
            b: BigUInt(
                hex: """
                    b3312fa7 e23ee7e4 988e056b e3f82d19 181d9c6e fe814112
                    0314088f 5013875a c656398d 8a2ed19d 2a85c8ed d3ec2aef
                    """),
            n: BigUInt(
                hex: """
                    ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff
                    c7634d81 f4372ddf 581a0db2 48b0a77a ecec196a ccc52973
                    """),
            generator: .point(
                x: BigUInt(
                    hex: """
                        aa87ca22 be8b0537 8eb1c71e f320ad74 6e1d3b62 8ba79b98
                        59f741e0 82542a38 5502f25d bf55296c 3a545e38 72760ab7
                        """),
                y: BigUInt(
                    hex: """
                        3617de4a 96262c6f 5d9e98bf 9292dc29 f8f41dbd 289a147c
                        e9da3113 b5f0b8c0 0a60b1ce 1d7e819d 7a431d7c 90ea0e5f
                        """)))
    }()
}
