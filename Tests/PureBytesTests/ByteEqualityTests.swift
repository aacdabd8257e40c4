import PureBytes
import Testing

@Suite("Byte equality")
struct ByteEqualityTests {
    /// Compares slices that start at different indices and are longer than vectors of 16, 32 and 64 bytes.
    @Test(arguments: 0..<130)
    func everyByteMatters(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0) }
        let elsewhere = ([1, 2, 3] + bytes)[3...]
        #expect(areEqual(bytes[...], elsewhere))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x80
            #expect(!areEqual(changed[...], elsewhere))
        }
    }

    @Test func lengthsMustAgree() {
        #expect(!areEqual([], [0]))
        #expect(!areEqual([0], []))
        #expect(!areEqual([1, 2, 3], [1, 2]))
        #expect(!areEqual([1, 2], [1, 2, 3]))
    }
}
