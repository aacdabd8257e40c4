import PureBytes
import PureECDSA
import PureSHA2
import Testing

@testable import PureAttestTesting

/// Compares signatures that use RFC 6979 nonces with the examples in appendix A.2.
@Suite struct SigningTests {
    struct Example: Sendable {
        let hash: Hash, message: String, r: String, s: String
    }
    enum Hash { case sha256, sha384, sha512 }

    /// A.2.5, curve NIST P-256, for the hash functions that this package implements.
    static let p256 = [
        Example(
            hash: .sha256, message: "sample", r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
        Example(
            hash: .sha384, message: "sample", r: "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719",
            s: "4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954"),
        Example(
            hash: .sha512, message: "sample", r: "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00",
            s: "2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE"),
        Example(
            hash: .sha256, message: "test", r: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            s: "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"),
        Example(
            hash: .sha384, message: "test", r: "83910E8B48BB0C74244EBDF7F07A1C5413D61472BD941EF3920E623FBCCEBEB6",
            s: "8DDBEC54CF8CD5874883841D712142A56A8D0F218F5003CB0296B6B509619F2C"),
        Example(
            hash: .sha512, message: "test", r: "461D93F31B6540894788FD206C07CFA0CC35F46FA3C91816FFF1040AD1581A04",
            s: "39AF9F15DE0DB8D97E72719C74820D304CE5226E32DEDAE67519E840D1194E55"),
    ]

    /// A.2.6, curve NIST P-384.
    static let p384 = [
        Example(
            hash: .sha256, message: "sample",
            r: "21B13D1E013C7FA1392D03C5F99AF8B30C570C6F98D4EA8E354B63A21D3DAA33BDE1E888E63355D92FA2B3C36D8FB2CD",
            s: "F3AA443FB107745BF4BD77CB3891674632068A10CA67E3D45DB2266FA7D1FEEBEFDC63ECCD1AC42EC0CB8668A4FA0AB0"),
        Example(
            hash: .sha384, message: "sample",
            r: "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46",
            s: "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8"),
        Example(
            hash: .sha512, message: "sample",
            r: "ED0959D5880AB2D869AE7F6C2915C6D60F96507F9CB3E047C0046861DA4A799CFE30F35CC900056D7C99CD7882433709",
            s: "512C8CCEEE3890A84058CE1E22DBC2198F42323CE8ACA9135329F03C068E5112DC7CC3EF3446DEFCEB01A45C2667FDD5"),
        Example(
            hash: .sha256, message: "test",
            r: "6D6DEFAC9AB64DABAFE36C6BF510352A4CC27001263638E5B16D9BB51D451559F918EEDAF2293BE5B475CC8F0188636B",
            s: "2D46F3BECBCC523D5F1A1256BF0C9B024D879BA9E838144C8BA6BAEB4B53B47D51AB373F9845C0514EEFB14024787265"),
        Example(
            hash: .sha384, message: "test",
            r: "8203B63D3C853E8D77227FB377BCF7B7B772E97892A80F36AB775D509D7A5FEB0542A7F0812998DA8F1DD3CA3CF023DB",
            s: "DDD0760448D42D8A43AF45AF836FCE4DE8BE06B485E9B61B827C2F13173923E06A739F040649A667BF3B828246BAA5A5"),
        Example(
            hash: .sha512, message: "test",
            r: "A0D5D090C9980FAF3C2CE57B7AE951D31977DD11C775D314AF55F76C676447D06FB6495CD21B4B6E340FC236584FB277",
            s: "976984E59B4C77B0E8E4460DCA3D9F20E07B9BB1F63BEEFAF576F6B2E8B224634A2092CD3792E0159AD9CEE37659C736"),
    ]

    @Test func rfc6979OnP256() throws {
        let key = SigningKey<P256>(
            secret: try [UInt8](hexEncoded: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"))
        #expect(
            hexEncodedString(key.x963)
                == "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        )
        for example in Self.p256 {
            #expect(sign(example, key) == (try numbers(example)), "\(example)")
        }
    }

    @Test func rfc6979OnP384() throws {
        let key = SigningKey<P384>(
            secret: try [UInt8](
                hexEncoded:
                    "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5"))
        for example in Self.p384 {
            #expect(sign(example, key) == (try numbers(example)), "\(example)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func signaturesVerify(_ seed: UInt64) throws {
        var random = TestRandom(seed: seed, purpose: "test")
        let message = random.next(Int(seed))
        let p256 = SigningKey<P256>(from: &random)
        let publicKey = try P256.Signing.PublicKey(x963Representation: p256.x963)
        #expect(
            publicKey.isValidSignature(
                try .init(derRepresentation: p256.sign(message, hash: SHA256.self).derRepresentation), for: message))
        let p384 = SigningKey<P384>(from: &random)
        let publicKey384 = try P384.Signing.PublicKey(x963Representation: p384.x963)
        #expect(
            publicKey384.isValidSignature(
                try .init(derRepresentation: p384.sign(message, hash: SHA384.self).derRepresentation), for: message))
    }

    /// Tests scalars at which the arithmetic wraps: n − 1, n + 1 and the ends of the range.
    @Test func scalarEdges() throws {
        func check<Curve: ScalarOperations>(_ curve: Curve.Type) {
            let one = [UInt8](repeating: 0, count: Curve.scalarByteCount - 1) + [1]
            let zero = [UInt8](repeating: 0, count: Curve.scalarByteCount)
            var last = Curve.scalarOrder
            last[last.count - 1] -= 1
            #expect(Curve.sum(last, one) == zero)
            #expect(Curve.sum(Curve.sum(last, last), [UInt8](one.dropLast()) + [2]) == zero)
            #expect(Curve.product(last, last) == one)
            #expect(Curve.inverse(last) == last && Curve.inverse(one) == one && Curve.inverse(zero) == zero)
            #expect(Curve.isPrivateScalar(last) && Curve.isPrivateScalar(one))
            #expect(!Curve.isPrivateScalar(zero) && !Curve.isPrivateScalar(Curve.scalarOrder))
            #expect(!Curve.isPrivateScalar([1]) && !Curve.isPrivateScalar([0] + one))
            #expect(Curve.scalar(reducingBits: Curve.scalarOrder) == zero)
            // (n − 1)·G = −G.
            let G = Curve.generatorMultiple(one), minusG = Curve.generatorMultiple(last)
            #expect(G[1...Curve.scalarByteCount] == minusG[1...Curve.scalarByteCount] && G != minusG)
        }
        check(P256.self)
        check(P384.self)
    }

    private func sign<Curve>(_ example: Example, _ key: SigningKey<Curve>) -> SignatureNumbers {
        let message = Array(example.message.utf8)
        return switch example.hash {
        case .sha256: key.sign(message, hash: SHA256.self)
        case .sha384: key.sign(message, hash: SHA384.self)
        case .sha512: key.sign(message, hash: SHA512.self)
        }
    }

    private func numbers(_ example: Example) throws -> SignatureNumbers {
        SignatureNumbers(r: try [UInt8](hexEncoded: example.r), s: try [UInt8](hexEncoded: example.s))
    }
}
