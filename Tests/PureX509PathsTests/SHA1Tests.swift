import Testing

@testable import PureX509Paths

/// Tests SHA-1 (FIPS 180-4 §6.1), which identifies issuers and keys in OCSP.
@Suite struct SHA1Tests {
    private func hex(_ message: some Sequence<UInt8>) -> String {
        SHA1.hash(ArraySlice(message)).map { octet in
            let digits = String(octet, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// NIST, "Examples with Intermediate Values", SHA-1: one and two blocks. NIST CAVP SHA1ShortMsg.rsp: the empty
    /// message. FIPS 180-2 appendix A.3: a million letters. The fourth answer is for NIST's example of 896 bits.
    @Test func knownAnswers() {
        let letters =
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
            + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
        let answers: [(String, String)] = [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (letters, "a49b2446a02c645bf419f995b67091253a04a259"),
        ]
        #expect(answers.count == 4)
        for (message, hash) in answers { #expect(hex(message.utf8) == hash) }
        #expect(
            hex([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    }

    /// Tests every length up to four blocks, which includes every form of the padding. To reproduce:
    ///
    ///     python3 -c 'from hashlib import sha1
    ///     print(sha1(b"".join(sha1(bytes(range(n))).digest() for n in range(257))).hexdigest())'
    @Test func everyLength() {
        let hashes = (0...256).flatMap { count in SHA1.hash(ArraySlice((0..<count).map { UInt8($0) })) }
        #expect(hashes.count == 257 * SHA1.byteCount)
        #expect(hex(hashes) == "17c6e3a851bf76148d18b52e0aae5ee7046586ca")
    }

    @Test func slices() {
        let bytes = [UInt8](0..<200)
        #expect(SHA1.hash(bytes[77...]) == SHA1.hash(ArraySlice([UInt8](bytes[77...]))))
    }
}
