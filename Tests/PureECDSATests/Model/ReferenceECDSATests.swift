import ReferenceModel
import Testing

struct ReferenceECDSATests {
    /// RFC 6979 §A.2.5: uses the example's key, and the message "sample" with SHA-256.
    @Test func signsAsRFC6979OnP256() throws {
        try check(
            on: .p256,
            privateKey: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            publicKey: (
                "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6",
                "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
            ),
            hash: "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
            nonce: "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
            r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
    }

    /// RFC 6979 §A.2.6: uses the example's key, and the message "sample" with SHA-384.
    @Test func signsAsRFC6979OnP384() throws {
        try check(
            on: .p384,
            privateKey: """
                6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5
                """,
            publicKey: (
                """
                EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13
                """,
                """
                8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720
                """
            ),
            hash: """
                9a9083505bc92276aec4be312696ef7bf3bf603f4bbd381196a029f340585312313bca4a9b5b890efee42c77b1ee25fe
                """,
            nonce: """
                94ED910D1A099DAD3254E9242AE85ABDE4BA15168EAF0CA87A555FD56D10FBCA2907E3E83BA95368623B8C4686915CF9
                """,
            r: """
                94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46
                """,
            s: """
                99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8
                """)
    }

    private func check(
        on curve: ModelCurve, privateKey: String, publicKey: (String, String), hash: String, nonce: String, r: String,
        s: String
    ) throws {
        let d = BigUInt(hex: privateKey)
        let q = ModelPoint.point(x: BigUInt(hex: publicKey.0), y: BigUInt(hex: publicKey.1))
        #expect(curve.multiply(d, curve.generator) == q)
        let bytes = BigUInt(hex: hash).bigEndianBytes(count: hash.count / 2)
        let e = ReferenceECDSA.integer(ofHash: bytes, on: curve)
        let signature = try #require(ReferenceECDSA.sign(e: e, privateKey: d, nonce: BigUInt(hex: nonce), on: curve))
        #expect(signature.r == BigUInt(hex: r))
        #expect(signature.s == BigUInt(hex: s))
        #expect(ReferenceECDSA.verify(hash: bytes, r: signature.r, s: signature.s, publicKey: q, on: curve))
        let recovered = curve.points(x: signature.r).map {
            ReferenceECDSA.recoverPublicKey(e: e, r: signature.r, s: signature.s, noncePoint: $0, on: curve)
        }
        #expect(recovered.contains(q))
        #expect(!ReferenceECDSA.verify(e: e + 1, r: signature.r, s: signature.s, publicKey: q, on: curve))
        #expect(!ReferenceECDSA.verify(e: e, r: signature.r + 1, s: signature.s, publicKey: q, on: curve))
        #expect(!ReferenceECDSA.verify(e: e, r: signature.r, s: signature.s + 1, publicKey: q, on: curve))
        #expect(!ReferenceECDSA.verify(e: e, r: signature.r, s: signature.s, publicKey: curve.negate(q), on: curve))
        #expect(!ReferenceECDSA.verify(e: e, r: 0, s: signature.s, publicKey: q, on: curve))
        #expect(!ReferenceECDSA.verify(e: e, r: signature.r, s: 0, publicKey: q, on: curve))
        #expect(!ReferenceECDSA.verify(e: e, r: signature.r + curve.n, s: signature.s, publicKey: q, on: curve))
        #expect(!ReferenceECDSA.verify(e: e, r: signature.r, s: signature.s, publicKey: .infinity, on: curve))
        // n − s also verifies, because FIPS 186-5 allows the malleability of ECDSA.
        #expect(ReferenceECDSA.verify(e: e, r: signature.r, s: curve.n - signature.s, publicKey: q, on: curve))
    }

    /// FIPS 186-5 §6.4.2 step 3 keeps the leftmost bits of a longer hash, and all bits of a shorter hash.
    @Test func truncatesHashesToTheOrder() {
        let long = [UInt8](repeating: 0x11, count: 32) + [UInt8](repeating: 0xff, count: 32)
        #expect(ReferenceECDSA.integer(ofHash: long, on: .p256) == BigUInt(bigEndian: long[..<32]))
        #expect(ReferenceECDSA.integer(ofHash: long[..<32], on: .p384) == BigUInt(bigEndian: long[..<32]))
        // If the order is 5 bits long, the top 5 of the 8 bits are kept.
        let toy = ModelCurve.toys(primes: 17..<32).first { $0.n.bitWidth == 5 }
        #expect(toy.map { ReferenceECDSA.integer(ofHash: [0b1010_1111], on: $0) } == 0b10101)
    }
}
