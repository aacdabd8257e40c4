import PureBytes
import Testing

@Suite("Constant-time comparison")
struct ConstantTimeTests {
    @Test func everyBitMatters() {
        for count in [1, 2, 16, 31, 32, 33] {
            let bytes = (0..<count).map { UInt8($0) }
            #expect(constantTimeEquals(bytes, bytes))
            for bit in 0..<count * 8 {
                var changed = bytes
                changed[bit / 8] ^= 1 << (bit % 8)
                #expect(!constantTimeEquals(bytes, changed))
                #expect(!constantTimeEquals(changed, bytes))
            }
        }
    }

    /// Two differences must not cancel, as they would in a sum or an XOR.
    @Test func differencesDoNotCancel() {
        for difference in UInt8(1)...255 {
            #expect(!constantTimeEquals([difference, difference], [0, 0]))
            #expect(!constantTimeEquals([difference, 0 &- difference], [0, 0]))
            #expect(!constantTimeEquals([0, difference], [difference, 0]))
        }
        #expect(!constantTimeEquals([UInt8](repeating: 1, count: 256), [UInt8](repeating: 0, count: 256)))
    }

    @Test func lengthsMustAgree() {
        #expect(constantTimeEquals([], []))
        for count in 1...33 {
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(!constantTimeEquals(bytes, bytes.dropLast()))
            #expect(!constantTimeEquals(bytes.dropLast(), bytes))
            #expect(!constantTimeEquals(bytes, []))
        }
    }

    @Test func collectionsOfDifferentKindsAndIndices() {
        let bytes: [UInt8] = [1, 2, 3, 4, 5]
        #expect(constantTimeEquals(bytes[1..<4], [2, 3, 4]))
        #expect(constantTimeEquals(bytes[2...], bytes.reversed()[..<3].reversed()))
        #expect(constantTimeEquals(bytes.reversed(), [5, 4, 3, 2, 1]))
        #expect(!constantTimeEquals(bytes.reversed(), bytes))
    }
}
