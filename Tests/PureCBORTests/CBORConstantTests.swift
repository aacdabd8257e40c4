import PureCBOR
import Testing

/// Tests the limits that the documentation states, and the notation of simple values.
@Suite struct CBORConstantTests {
    @Test func limits() {
        #expect(CBORLimits.deepestSupported == 64)
        #expect(CBORLimits.default.maximumDepth == 16)
        #expect(CBORLimits.default.maximumItems == 16_384)
        #expect(CBORLimits.default.maximumSize == 1_048_576)
        #expect(CBORLimits(maximumDepth: 65, maximumItems: 1, maximumSize: 1).maximumDepth == 64)
        #expect(CBORLimits(maximumDepth: 63, maximumItems: 1, maximumSize: 1).maximumDepth == 63)
        #expect(CBORDecodingOptions.allowIndefiniteLengths.rawValue == 1)
        #expect(CBORDecodingOptions.allowNonMinimalHeads.rawValue == 2)
    }

    @Test func simpleValues() throws {
        let expected: [(UInt8, CBORValue, String)] = [
            (0xF4, .false, "false"), (0xF5, .true, "true"), (0xF6, .null, "null"), (0xF7, .undefined, "undefined"),
            (0xE0, .simple(0), "simple(0)"), (0xF3, .simple(19), "simple(19)"),
        ]
        for (byte, value, notation) in expected {
            let decoded = try CBORValue(decoding: [byte])
            #expect(decoded == value)
            #expect(decoded.diagnosticNotation == notation)
        }
    }

    /// For each argument length, the smallest valid value is accepted, and the next smaller value is rejected.
    @Test func leastArguments() throws {
        let cases: [(head: UInt8, size: Int, least: UInt64)] = [
            (0x18, 1, 24), (0x19, 2, 1 << 8), (0x1A, 4, 1 << 16), (0x1B, 8, 1 << 32),
        ]
        for (head, size, least) in cases {
            func encoded(_ value: UInt64) -> [UInt8] {
                [head] + (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
            }
            let most: UInt64 = size == 8 ? .max : 1 << (8 * UInt64(size)) - 1
            for value in [least, least + 1, most] {
                #expect(try CBORValue(decoding: encoded(value)) == .unsignedInteger(value))
            }
            #expect(throws: CBORError.nonMinimalHead) { try CBORValue(decoding: encoded(least - 1)) }
            #expect(throws: CBORError.nonMinimalHead) { try CBORValue(decoding: encoded(0)) }
            #expect(
                try CBORValue(decoding: encoded(least - 1), options: .allowNonMinimalHeads)
                    == .unsignedInteger(least - 1))
        }
    }

    /// Nests arrays, tags, map keys and map values to the depth limit, and one level deeper.
    @Test func depths() throws {
        let levels: [[UInt8]] = [[0x81], [0xC1], [0xA1, 0x00], [0xA1]]
        for level in levels {
            let tail: [UInt8] = level == [0xA1] ? [0x00] : []
            func encoded(_ depth: Int) -> [UInt8] {
                (0..<depth).reduce([0x00]) { inner, _ in level + inner + tail }
            }
            let limits = CBORLimits(maximumDepth: 5, maximumItems: 1_000, maximumSize: 1_000)
            for depth in 0...5 {
                #expect(throws: Never.self) { try CBORValue(decoding: encoded(depth), limits: limits) }
            }
            #expect(throws: CBORError.depthLimitExceeded) { try CBORValue(decoding: encoded(6), limits: limits) }
        }
    }

    @Test func stringsDifferAnywhere() throws {
        let text = Array("abcdef".utf8)
        for index in text.indices {
            var other = text
            other[index] += 1
            for head: UInt8 in [0x46, 0x66] {
                let (a, b) = (try CBORValue(decoding: [head] + text), try CBORValue(decoding: [head] + other))
                #expect(a != b && a < b && !(b < a))
                let map = try CBORValue(decoding: [0xA2, head] + text + [0x01, head] + other + [0x02]).map
                #expect(map?[a] == .unsignedInteger(1) && map?[b] == .unsignedInteger(2))
            }
        }
        #expect(try CBORValue(decoding: [0x42, 0x0F, 0x10]).diagnosticNotation == "h'0f10'")
    }

    @Test func textComparison() throws {
        #expect(try CBORValue(decoding: [0x61, 0x61]).isText("a"))
        #expect(
            try !CBORValue(decoding: [0x61, 0x62]).isText("a") && !CBORValue(decoding: [0x62, 0x61, 0x61]).isText("a"))
        #expect(try !CBORValue(decoding: [0x41, 0x61]).isText("a") && !CBORValue(decoding: [0x01]).isText("a"))
    }
}
