import DebugSampling
import Testing

/// Slices keep the indices of their array. Parsers must return the same result for a slice as for an array.
struct SliceIndexTests {
    @Test func everyPublicParserIsListed() throws {
        let declared = Set(try PublicParser.modules.flatMap { try PublicParser.declarations(in: $0) })
        let listed = Set(try PublicParser.all().map { "\($0.file) \($0.name)" })
        #expect(declared.subtracting(listed).sorted() == [])
        #expect(listed.subtracting(declared).sorted() == [])
        #expect(declared.count == 111)
    }

    @Test func slicesGiveWhatArraysGive() throws {
        for parser in debugSample(try PublicParser.all(), every: 11, of: "public functions that take bytes") {
            let whole = parser.run(parser.sample[...])
            #expect(whole.hasPrefix("success"), "\(parser.file) \(parser.name): \(whole.prefix(200))")
            for input in Self.variants(of: parser.sample) {
                let expected = parser.run(input[...])
                for offset in [1, 300] {
                    let padded = [UInt8](repeating: 0x30, count: offset) + input + [0x00, 0xff]
                    let found = parser.run(padded[offset..<offset + input.count])
                    #expect(found == expected, "\(parser.file) \(parser.name), \(input.count) bytes at \(offset)")
                }
            }
        }
    }

    private static func variants(of sample: [UInt8]) -> [[UInt8]] {
        var variants = [sample, [], Array(sample.dropLast()), Array(sample.prefix(1)), sample + [0]]
        for position in [0, 1, sample.count / 2, sample.count - 1] where position < sample.count {
            variants.append(sample)
            variants[variants.count - 1][position] ^= 0x81
        }
        return variants
    }
}
