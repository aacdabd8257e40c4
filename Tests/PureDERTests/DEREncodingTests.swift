import Testing

@testable import PureDER

@Suite struct DEREncodingTests {
    /// X.690 §10.1.
    @Test func lengthsAreShortest() {
        let expected: [(Int, [UInt8])] = [
            (0, [0]), (1, [1]), (0x7F, [0x7F]), (0x80, [0x81, 0x80]), (0x81, [0x81, 0x81]), (0xFF, [0x81, 0xFF]),
            (0x100, [0x82, 1, 0]), (0xFFFF, [0x82, 0xFF, 0xFF]), (0x1_0000, [0x83, 1, 0, 0]),
        ]
        for (count, octets) in expected { #expect(derLength(count) == octets) }
    }

    @Test func elementsAreTagLengthContents() {
        #expect(derElement(0x04, []) == [0x04, 0])
        #expect(derElement(0x30, [1, 2, 3]) == [0x30, 3, 1, 2, 3])
        let long = [UInt8](repeating: 7, count: 200)
        #expect(derElement(0x04, long) == [0x04, 0x81, 200] + long)
    }

    /// X.690 §8.3.2.
    @Test func integersAreShortest() {
        let expected: [([UInt8], [UInt8])] = [
            ([], [2, 1, 0]), ([0], [2, 1, 0]), ([0, 0], [2, 1, 0]), ([1], [2, 1, 1]), ([0, 0, 1], [2, 1, 1]),
            ([0x7F], [2, 1, 0x7F]), ([0x80], [2, 2, 0, 0x80]), ([0x81], [2, 2, 0, 0x81]),
            ([0, 0xFF], [2, 2, 0, 0xFF]), ([1, 0], [2, 2, 1, 0]), ([0x80, 1], [2, 3, 0, 0x80, 1]),
        ]
        for (magnitude, element) in expected {
            #expect(derInteger(magnitude) == element)
            var reader = DERReader(element[...])
            #expect(throws: Never.self) { try reader.readUnsignedInteger() }
        }
    }
}
