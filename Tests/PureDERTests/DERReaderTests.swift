import PureDER
import Testing

@Suite struct DERReaderTests {
    /// §8.1.2, §8.1.2.4, §8.1.3, §8.1.3.5, §10.1.
    @Test func headers() throws {
        func header(_ bytes: UInt8...) throws(DERError) -> DERHeader { try DERHeader(decoding: bytes[...]) }
        let sequence = try header(0x30, 0x82, 0x01, 0x00)
        #expect(sequence.tag == .sequence && sequence.headerLength == 4 && sequence.contentLength == 256)
        // Tests context tags from the range 1200 to 1403, which Apple's leaf extensions use.
        let high = try header(0xBF, 0x8A, 0x7B, 0x03)
        #expect(high.tag == .context(1403) && high.headerLength == 4 && high.contentLength == 3)
        #expect(try header(0x1F, 0x1F, 0x00).tag == DERTag(.universal, 31, constructed: false))
        #expect(try header(0xFE, 0x00).tag == DERTag(.private, 30, constructed: true))
        #expect(try header(0x41, 0x00).tag.tagClass == .application)

        #expect(throws: DERError.unexpectedEnd) { try DERHeader(decoding: []) }
        #expect(throws: DERError.unexpectedEnd) { try header(0x30) }
        #expect(throws: DERError.unexpectedEnd) { try header(0x30, 0x82, 0x01) }
        #expect(throws: DERError.unexpectedEnd) { try header(0x1F, 0x81) }
        #expect(throws: DERError.nonMinimalTag) { try header(0x1F, 0x1E, 0x00) }
        #expect(throws: DERError.nonMinimalTag) { try header(0x1F, 0x80, 0x1F, 0x00) }
        #expect(throws: DERError.nonMinimalTag) { try header(0x1F, 0x00, 0x00) }
        #expect(try header(0x1F, 0x87, 0xFF, 0xFF, 0xFF, 0x7F, 0x00).tag.number == DERTag.maximumNumber)
        #expect(throws: DERError.tagTooLarge) { try header(0x1F, 0x88, 0x80, 0x80, 0x80, 0x00, 0x00) }
        #expect(throws: DERError.tagTooLarge) { try header(0x1F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x00) }
        #expect(throws: DERError.indefiniteLength) { try header(0x30, 0x80, 0x00, 0x00) }
        #expect(throws: DERError.nonMinimalLength) { try header(0x30, 0x81, 0x7F) }
        #expect(throws: DERError.nonMinimalLength) { try header(0x30, 0x82, 0x00, 0xFF) }
        #expect(throws: DERError.nonMinimalLength) { try header(0x30, 0x84, 0x00, 0xFF, 0xFF, 0xFF) }
        #expect(try header(0x30, 0x81, 0x80).contentLength == 128)
        #expect(try header(0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF).contentLength == 0x7FFF_FFFF)
        #expect(throws: DERError.lengthTooLarge) { try header(0x30, 0x84, 0x80, 0x00, 0x00, 0x00) }
        #expect(throws: DERError.lengthTooLarge) { try header(0x30, 0x85, 0x01, 0x00, 0x00, 0x00, 0x00) }
        #expect(throws: DERError.lengthTooLarge) { try header(0x30, 0xFF) }
    }

    @Test func elements() throws {
        let bytes: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x05, 0x04, 0x01, 0xAA, 0x05, 0x00]
        var reader = DERReader(bytes[...])
        #expect(try reader.peekTag() == .sequence)
        var inner = try reader.enter(.sequence)
        #expect(try inner.readInt64() == 5)
        #expect(throws: DERError.trailingBytes) { try inner.finish() }
        let element = try inner.readElement()
        #expect(element.tag == .octetString && element.content == [0xAA] && element.encoded == [0x04, 0x01, 0xAA])
        try inner.finish()
        #expect(try inner.peekTag() == nil && inner.isAtEnd)
        #expect(throws: DERError.unexpectedEnd) { try inner.readElement() }
        #expect(reader.remaining == [0x05, 0x00])
        #expect(try reader.readIfPresent(.integer) == nil)
        #expect(throws: DERError.unexpectedTag(expected: .integer, found: .null)) { try reader.readInteger() }
        try reader.readNull()
        #expect(try reader.readIfPresent(.integer) == nil)
        try reader.finish()
    }

    @Test func elementsThatEndOutside() {
        for bytes: [UInt8] in [[0x30, 0x01], [0x30, 0x7F, 0x00], [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF, 0x00]] {
            var reader = DERReader(bytes[...])
            #expect(throws: DERError.unexpectedEnd) { try reader.readElement() }
        }
        // An inner element must end within the outer element, not only within the input.
        var reader = DERReader([0x30, 0x02, 0x04, 0x01, 0xAA][...])
        var inner = try? reader.enter(.sequence)
        #expect(throws: DERError.unexpectedEnd) { try inner?.readElement() }
        var reserved = DERReader([0x00, 0x00][...])
        #expect(throws: DERError.reservedTag) { try reserved.readElement() }
    }

    @Test func startIndex() throws {
        let encoded: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05]
        for padding in [0, 1, 300] {
            let padded = [UInt8](repeating: 0xFF, count: padding) + encoded + [0xFF]
            var reader = DERReader(padded[padding..<padding + encoded.count])
            var inner = try reader.enter(.sequence)
            #expect(try inner.readUnsignedInteger() == [5])
            try inner.finish()
            try reader.finish()
        }
    }

    @Test func depth() throws {
        var nested: [UInt8] = []
        for _ in 0...DERReader.maximumDepth { nested = [0x30, UInt8(nested.count)] + nested }
        var reader = DERReader(nested[...])
        for _ in 0..<DERReader.maximumDepth { reader = try reader.enter(.sequence) }
        #expect(throws: DERError.tooDeep) { try reader.enter(.sequence) }
    }

    @Test func optionalElements() throws {
        var reader = DERReader([0x30, 0x02, 0x05, 0x00, 0x05, 0x00])
        #expect(try reader.readIfPresent(.set) == nil)
        #expect(try reader.readIfPresent(.sequence) == [0x05, 0x00])
        #expect(try reader.readIfPresent(.sequence) == nil)
        #expect(try reader.readIfPresent(.null) == [] && reader.isAtEnd)
        #expect(try reader.readIfPresent(.sequence) == nil)
    }

    @Test func truncations() {
        let encoded: [UInt8] = [0x30, 0x81, 0x80] + [UInt8](repeating: 0, count: 128)
        for count in 0..<encoded.count {
            var reader = DERReader(encoded.prefix(count))
            #expect(throws: DERError.unexpectedEnd) { try reader.readElement() }
        }
    }

    /// Reads every pair of bytes, followed by zeros. Nothing traps, and an accepted element contains exactly the bytes
    /// that were read.
    @Test func allShortHeaders() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let bytes = [first, second] + [UInt8](repeating: 0, count: 130)
                var reader = DERReader(bytes[...])
                guard let element = try? reader.readElement() else { continue }
                #expect(element.encoded == bytes[..<element.encoded.endIndex])
                #expect(element.content.endIndex == element.encoded.endIndex)
            }
        }
    }

    /// X.680 §31.2: a tag outside the universal class is written in brackets.
    @Test(
        arguments: [
            (.sequence, .integer, "expected DER tag 16, found 2"),
            (.context(709), .set, "expected DER tag [709], found 17"),
            (.utf8String, DERTag(.private, 12, constructed: false), "expected DER tag 12, found [PRIVATE 12]"),
            (.set, DERTag(.application, 17, constructed: true), "expected DER tag 17, found [APPLICATION 17]"),
            (.context(709), .contextPrimitive(709), "DER tag [709] is primitive, which its type does not allow"),
            (
                .octetString, DERTag(.universal, 4, constructed: true),
                "DER tag 4 is constructed, which its type does not allow"
            ),
        ] as [(DERTag, DERTag, String)])
    func namesTags(_ expected: DERTag, _ found: DERTag, _ sentence: String) {
        #expect("\(DERError.unexpectedTag(expected: expected, found: found))" == sentence)
    }
}
