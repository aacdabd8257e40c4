import DebugSampling
import Foundation
import Testing

@testable import pure_attest

/// Tests deflate streams (RFC 1951) that zlib produced or that a test writes bit by bit.
@Suite("Inflate")
struct InflateTests {
    /// Writes a stream, beginning with the lowest bit of each byte.
    private struct BitWriter {
        var bytes: [UInt8] = []
        private var bitCount = 0

        /// Writes a number, beginning with its lowest bit.
        mutating func number(_ value: Int, _ count: Int) {
            for bit in 0..<count {
                if bitCount % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(bitCount % 8)
                bitCount += 1
            }
        }

        /// Writes a code word, beginning with its highest bit.
        mutating func word(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { number(value >> bit & 1, 1) }
        }

        mutating func header(isLast: Bool, type: Int) {
            number(isLast ? 1 : 0, 1)
            number(type, 2)
        }

        mutating func stored(_ content: [UInt8], isLast: Bool) {
            header(isLast: isLast, type: 0)
            bitCount += (8 - bitCount % 8) % 8
            bytes += littleEndian(UInt16(content.count)) + littleEndian(~UInt16(content.count)) + content
            bitCount += 8 * (content.count + 4)
        }

        /// Writes stored blocks. None of them is the last.
        mutating func storedBlocks(_ content: [UInt8]) {
            for start in stride(from: 0, to: content.count, by: 65_535) {
                stored(Array(content[start..<min(start + 65_535, content.count)]), isLast: false)
            }
        }

        /// Writes the header of a dynamic block, with the code length codes in the order of RFC 1951 §3.2.7.
        mutating func dynamic(literals: Int, distances: Int, lengths: [Int]) {
            header(isLast: true, type: 2)
            number(literals - 257, 5)
            number(distances - 1, 5)
            number(lengths.count - 4, 4)
            for length in lengths { number(length, 3) }
        }
    }

    private func inflate(_ stream: [UInt8], pieceSize: Int = 1 << 16) throws(CodeFileError) -> [UInt8] {
        var rest = stream[...]
        var inflater = Inflater { () throws(CodeFileError) -> [UInt8] in
            defer { rest = rest.dropFirst(pieceSize) }
            return Array(rest.prefix(pieceSize))
        }
        var output: [UInt8] = []
        while true {
            let piece = try inflater.next()
            guard !piece.isEmpty else { return output }
            #expect(piece.count <= 3 << 15 + 258)
            output += piece
        }
    }

    private func expect(
        _ stream: [UInt8], _ error: InflateError, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for pieceSize in [1, 1 << 16] {
            #expect(throws: CodeFileError.inflate(error), sourceLocation: sourceLocation) {
                try inflate(stream, pieceSize: pieceSize)
            }
        }
    }

    /// Returns `count` pseudorandom numbers below `limit`. The contents of two streams below are such numbers.
    private static func numbers(_ count: Int, below limit: UInt32) -> [UInt8] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = (state &* 1_103_515_245 &+ 12_345) & 0x7fff_ffff
            return UInt8((state >> 16) % limit)
        }
    }

    /// Letters with Fibonacci frequencies, so that the rarest letters have long code words.
    private static let skewed: [UInt8] = {
        var counts = [1, 1]
        while counts.count < 13 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
        return counts.enumerated().flatMap { [UInt8](repeating: 65 + UInt8($0.offset), count: $0.element) }
    }()

    /// Streams that zlib 1.2.13 produced with level 9, windowBits −15 and memLevel 9. Exceptions: `stored` uses level
    /// 0, `fixed` uses Z_FIXED, and `skewed` uses Z_HUFFMAN_ONLY. `flushed` contains a Z_FULL_FLUSH after "one", "two"
    /// and "".
    static let streams: [(name: String, stream: String, content: [UInt8])] = [
        ("empty", "AwA=", []),
        ("fixed", "y0jNycnXUchAogA=", Array("hello, hello, hello".utf8)),
        ("stored", "ARQA6//GfoFrS/vi+1T2vd98HOGHAb8x3g==", numbers(20, below: 256)),
        (
            "dynamic",
            "HY/JEcAwDAJBHP2XHJwZfyQDWuSwZZE0NUncbazQs3l6f9fGm5kEwincSpdJyflcIIxOiM8wOhPgqUJOaQJLiRTB6r9cxHJ20RfKlPh01DC2KPzgHuLi"
                + "rR0diwY6qrrG014PWjBU54UsDq8PJBnic8L3+Ls+h+NK7O1kHyg89Y1+hH3Usziv0BzrcOVK8wM=",
            numbers(300, below: 7)
        ),
        (
            "repeated",
            "7cExAQAAAMKg9U9tDQ+gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgFcD",
            [UInt8](repeating: 0, count: 100_000)
        ),
        (
            "skewed",
            "BcGBAcMwDMOw27a1iS2R/78z4PP9/Z7ned/3fc8555xz7r333nvvvffOzMzMzMzMzMzMzO7u7u7u7u7u7u7u7u7u7u5ukiRJkiRJkiRJkiRJkiRJ"
                + "kiRJkiRp27Zt27Zt27Zt27Zt27Zt27Zt27Zt27Zt27Zt27Zt27YtAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAqqqqqqqqqqqq"
                + "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqn8=",
            skewed
        ),
        ("flushed", "ys9LBQAAAP//KinPBwAAAP//AAAA//8DAA==", Array("onetwo".utf8)),
    ]

    @Test(arguments: streams.map(\.name))
    func streamsOfZlibAreRead(name: String) throws {
        let (_, text, content) = try #require(Self.streams.first { $0.name == name })
        let stream = [UInt8](try #require(Data(base64Encoded: text)))
        for pieceSize in [1, 3, stream.count] { #expect(try inflate(stream, pieceSize: pieceSize) == content) }
        for count in stream.indices { expect(Array(stream[..<count]), .unexpectedEnd) }
        expect(stream + [0], .bytesAfterEnd)
        // Decoding a stream with a flipped bit may give any result, but must terminate.
        for offset in debugSample(Array(stream.indices), every: 17, of: "bytes of \(name)") {
            for bit in 0..<8 { _ = try? inflate(stream.replacing(at: offset, [stream[offset] ^ 1 << UInt8(bit)])) }
        }
    }

    @Test func storedBlocks() throws {
        let content = Self.numbers(150_000, below: 251)
        var writer = BitWriter()
        writer.storedBlocks(content)
        writer.stored([], isLast: true)
        for pieceSize in [1_000, 1 << 16] { #expect(try inflate(writer.bytes, pieceSize: pieceSize) == content) }
        expect([1, 1, 0, 0xfe, 0xfe, 7], .storedLength)
        expect([1, 2, 0, 0xfd, 0xff, 7], .unexpectedEnd)
        expect([7], .reservedBlockType)
    }

    /// A match reaches back at most 32,768 bytes, and not before the start.
    @Test func theWindowIsOf32768Bytes() throws {
        for count in [32_767, 32_768, 100_000] {
            let content = Self.numbers(count, below: 251)
            var writer = BitWriter()
            writer.storedBlocks(content)
            writer.header(isLast: true, type: 1)
            // Symbol 285 is the length 258. Symbol 29 with the extra bits 8,191 is the distance 32,768.
            writer.word(0b1100_0101, 8)
            writer.word(29, 5)
            writer.number(8_191, 13)
            writer.word(0, 7)
            if count < 32_768 {
                expect(writer.bytes, .distanceTooFar)
            } else {
                #expect(try inflate(writer.bytes) == content + content[(count - 32_768)...].prefix(258))
            }
        }
    }

    /// In a fixed block, some symbols have a code word but no meaning.
    @Test func symbolsWithoutMeaning() {
        for word in [0b1100_0110, 0b1100_0111] {
            var writer = BitWriter()
            writer.header(isLast: true, type: 1)
            writer.word(word, 8)
            writer.number(0, 32)
            expect(writer.bytes, .invalidSymbol)
        }
        for distance in [30, 31] {
            var writer = BitWriter()
            writer.header(isLast: true, type: 1)
            writer.word(0b0011_0000, 8)
            writer.word(1, 7)
            writer.word(distance, 5)
            writer.number(0, 32)
            expect(writer.bytes, .invalidSymbol)
        }
    }

    @Test func malformedCodes() {
        func stream(
            literals: Int = 257, distances: Int = 1, _ lengths: [Int], _ symbols: [(Int, Int)] = []
        ) -> [UInt8] {
            var writer = BitWriter()
            writer.dynamic(literals: literals, distances: distances, lengths: lengths)
            for (value, count) in symbols { writer.number(value, count) }
            writer.number(0, 64)
            return writer.bytes
        }
        expect(stream(literals: 287, [1, 1, 0, 0]), .tooManyCodes)
        expect(stream(literals: 288, [1, 1, 0, 0]), .tooManyCodes)
        expect(stream(distances: 31, [1, 1, 0, 0]), .tooManyCodes)
        expect(stream(distances: 32, [1, 1, 0, 0]), .tooManyCodes)
        // The Huffman code for code lengths has too many code words, too few, or none.
        expect(stream([1, 1, 1, 0]), .malformedCode)
        expect(stream([1, 0, 0, 0]), .malformedCode)
        expect(stream([2, 2, 2, 0]), .malformedCode)
        expect(stream([0, 0, 0, 0]), .malformedCode)
        // Symbols 16 and 17 have one-bit code words. The first symbol, 16, would repeat a length, but none precedes it.
        expect(stream([1, 1, 0, 0], [(0, 1)]), .malformedCode)
        // Only symbols 18 and 0 have code words. Two runs of 138 zeros exceed the 258 declared lengths.
        expect(stream([0, 0, 1, 1], [(1, 1), (127, 7), (1, 1), (127, 7)]), .tooManyCodes)
        // All 257 lengths are zero and there is no distance, so the end of the block has no code word.
        expect(stream([0, 0, 1, 1], [(1, 1), (127, 7), (1, 1), (109, 7)]), .noEndOfBlock)
        // Only symbols 18, 0 and 1 have code words. After 256 zeros, the end of the block and one distance get one-bit
        // code words. The block then uses the code word of this distance.
        let one = [0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
        var writer = BitWriter()
        writer.dynamic(literals: 257, distances: 1, lengths: one)
        for count in [138, 118] {
            writer.word(0, 1)
            writer.number(count - 11, 7)
        }
        writer.word(0b11, 2)
        writer.word(0b11, 2)
        let start = writer
        writer.number(0, 1)
        #expect((try? inflate(writer.bytes)) == [])
        writer = start
        writer.number(1, 1)
        writer.number(0, 32)
        expect(writer.bytes, .invalidSymbol)
    }

    /// Feeds random bytes after each kind of header; decoding must terminate without trapping.
    @Test func randomStreamsDoNotTrap() {
        var generator = SystemRandomNumberGenerator()
        for run in 0..<3_000 {
            var stream = (0..<60).map { _ in UInt8.random(in: 0...255, using: &generator) }
            stream[0] = stream[0] & 0xf8 | UInt8(run % 8)
            _ = try? inflate(stream)
        }
    }

    /// The maximum compression ratio is 258 bytes for two bits (RFC 1951 §3.2.5). zlib comes close to this ratio.
    @Test func noStreamExceedsTheRatio() throws {
        let (_, text, content) = Self.streams[4]
        let stream = try #require(Data(base64Encoded: text))
        #expect(UInt64(content.count) <= UInt64(stream.count) * Inflater.maximumRatio)
        #expect(UInt64(content.count) > UInt64(stream.count) * Inflater.maximumRatio * 3 / 4)
    }
}
