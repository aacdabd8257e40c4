import PureBytes
import PureSHA2
import Testing

@Suite("HMAC")
struct HMACTests {
    struct Case: CustomTestStringConvertible {
        var number: Int
        var key: [UInt8]
        var data: [UInt8]
        var sha256, sha384, sha512: String
        var testDescription: String { "RFC 4231 case \(number)" }
    }

    /// RFC 4231 §4.2 to §4.8. Case 5 contains only the first 128 bits of the authentication code.
    static let cases = [
        Case(
            number: 1, key: [UInt8](repeating: 0x0B, count: 20), data: Array("Hi There".utf8),
            sha256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            sha384: "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
            sha512:
                "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        ),
        Case(
            number: 2, key: Array("Jefe".utf8), data: Array("what do ya want for nothing?".utf8),
            sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            sha384: "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
            sha512:
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
        Case(
            number: 3, key: [UInt8](repeating: 0xAA, count: 20), data: [UInt8](repeating: 0xDD, count: 50),
            sha256: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
            sha384: "88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b2a5ab39dc13814b94e3ab6e101a34f27",
            sha512:
                "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb"
        ),
        Case(
            number: 4, key: Array(1...25), data: [UInt8](repeating: 0xCD, count: 50),
            sha256: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
            sha384: "3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e6801dd23c4a7d679ccf8a386c674cffb",
            sha512:
                "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd"
        ),
        Case(
            number: 5, key: [UInt8](repeating: 0x0C, count: 20), data: Array("Test With Truncation".utf8),
            sha256: "a3b6167473100ee06e0c796c2955552b",
            sha384: "3abf34c3503b2a23a46efc619baef897",
            sha512: "415fad6271580a531d4179bc891d87a6"
        ),
        Case(
            number: 6, key: [UInt8](repeating: 0xAA, count: 131),
            data: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            sha384: "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952",
            sha512:
                "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
        ),
        Case(
            number: 7, key: [UInt8](repeating: 0xAA, count: 131),
            data: Array(
                "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."
                    .utf8),
            sha256: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
            sha384: "6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5a678cc31e799176d3860e6110c46523e",
            sha512:
                "e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58"
        ),
    ]

    @Test(arguments: cases)
    func rfc4231(_ example: Case) throws {
        #expect(Self.cases.count == 7)
        try check(SHA256.self, example, example.sha256)
        try check(SHA384.self, example, example.sha384)
        try check(SHA512.self, example, example.sha512)
    }

    private func check<H: HashFunction>(_: H.Type, _ example: Case, _ code: String) throws {
        let expected = try [UInt8](hexEncoded: code)
        let computed = HMAC<H>.authenticationCode(for: example.data, using: example.key)
        #expect(Array(computed.prefix(expected.count)) == expected)

        var streamed = HMAC<H>(key: example.key)
        for byte in example.data { streamed.update(data: [byte]) }
        #expect(streamed.finalize() == computed)
        #expect(streamed.finalize() == computed, "Finalizing must not end the message.")

        let isWhole = expected.count == H.Digest.byteCount
        #expect(isWhole == (example.number != 5))
        #expect(
            HMAC<H>.isValidAuthenticationCode(expected, authenticating: example.data, using: example.key) == isWhole,
            "A truncated code must be rejected.")
    }

    @Test func everyChangeIsRejected() {
        let (key, data) = (Array(UInt8(0)..<32), Array("message".utf8))
        let code = Array(HMAC<SHA256>.authenticationCode(for: data, using: key))
        func isValid(_ code: [UInt8], _ data: [UInt8], _ key: [UInt8]) -> Bool {
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: data, using: key)
        }
        #expect(isValid(code, data, key))
        for bit in 0..<code.count * 8 {
            var changed = code
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!isValid(changed, data, key))
        }
        for count in 0..<code.count { #expect(!isValid(Array(code.prefix(count)), data, key)) }
        #expect(!isValid(code + [0], data, key))
        #expect(!isValid(code, data + [0], key))
        #expect(!isValid(code, data, key + [1]))
        // HMAC pads a short key with zeros (RFC 2104 §3), so appending zeros has no effect. Appending other bytes
        // changes the authentication code.
        #expect(isValid(code, data, key + [0]))
    }

    /// Compares with the formula of RFC 2104 §2 for every key length below, at and above the block length.
    @Test func everyKeyLength() {
        for length in 0...200 {
            let key = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 11 &+ 1) }
            var block = length > 64 ? Reference.sha256.hash(key) : key
            block += [UInt8](repeating: 0, count: 64 - block.count)
            let inner = Reference.sha256.hash(block.map { $0 ^ 0x36 } + [1, 2, 3])
            let outer = Reference.sha256.hash(block.map { $0 ^ 0x5C } + inner)
            #expect(Array(HMAC<SHA256>.authenticationCode(for: [1, 2, 3], using: key)) == outer)
        }
    }

    @Test func codesAreCollections() {
        let code = HMAC<SHA384>.authenticationCode(for: [], using: [])
        #expect(HMAC<SHA384>.MAC.byteCount == 48)
        #expect(code.indices == 0..<48)
        #expect(Array(code.reversed()) == Array(code).reversed())
        #expect(code != HMAC<SHA384>.authenticationCode(for: [0], using: []))
        #expect(Set([code, HMAC<SHA384>.authenticationCode(for: [], using: [0])]).count == 1)
    }
}
