import Testing

@testable import PureSHA2

/// Tests lengths for which the bit count exceeds the low word or wraps. Such messages would be too long to hash.
@Suite("SHA-2 length field")
struct LengthFieldTests {
    @Test(
        arguments: [
            (0, 0, 0),
            (1, 0, 8),
            (1 << 29 - 1, 0, 0xFFFF_FFF8),
            (1 << 29, 1, 0),
            (1 << 61 - 1, 0xFFFF_FFFF, 0xFFFF_FFF8),
            // 2⁶⁴ bits, one more than FIPS 180-4 §1 allows, are 0 modulo 2⁶⁴.
            (1 << 61, 0, 0),
            (UInt64.max, 0xFFFF_FFFF, 0xFFFF_FFF8),
        ] as [(UInt64, UInt32, UInt32)])
    func sha256(byteCount: UInt64, high: UInt32, low: UInt32) {
        #expect(SHA2Message<SHA256State>.lengthField(byteCount) == (high.bigEndian, low.bigEndian))
    }

    @Test(
        arguments: [
            (0, 0, 0),
            (1 << 61 - 1, 0, UInt64.max - 7),
            (1 << 61, 1, 0),
            (UInt64.max, 7, UInt64.max - 7),
        ] as [(UInt64, UInt64, UInt64)])
    func sha512(byteCount: UInt64, high: UInt64, low: UInt64) {
        #expect(SHA2Message<SHA512State>.lengthField(byteCount) == (high.bigEndian, low.bigEndian))
    }
}
