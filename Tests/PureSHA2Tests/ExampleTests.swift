import PureBytes
import PureSHA2
import Testing

/// The examples that NIST publishes with FIPS 180-4
/// (csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values).
@Suite("FIPS 180-4 examples")
struct ExampleTests {
    static let twoBlocks256 = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    static let twoBlocks512 =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (twoBlocks256, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    ])
    func sha256(message: String, digest: String) {
        #expect(hexEncodedString(SHA256.hash(data: message.utf8)) == digest)
    }

    @Test(arguments: [
        ("abc", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
        (
            twoBlocks512,
            "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"
        ),
    ])
    func sha384(message: String, digest: String) {
        #expect(hexEncodedString(SHA384.hash(data: message.utf8)) == digest)
    }

    @Test(arguments: [
        (
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            twoBlocks512,
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
        ),
    ])
    func sha512(message: String, digest: String) {
        #expect(hexEncodedString(SHA512.hash(data: message.utf8)) == digest)
    }
}
