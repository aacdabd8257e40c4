import PureDER
import Testing

@Suite struct DERStringTests {
    /// §8.7, §10.2: a string's contents are returned unchanged. A constructed string is rejected by its tag.
    @Test func octetStrings() throws {
        var reader = DERReader([0x04, 0x03, 0x00, 0xFF, 0x30, 0x04, 0x00])
        #expect(try reader.readOctetString() == [0x00, 0xFF, 0x30])
        #expect(try reader.readOctetString() == [])
        try reader.finish()
        for parts in [[0x24, 0x03, 0x04, 0x01, 0xAA], [0x24, 0x00]] as [[UInt8]] {
            var reader = DERReader(parts[...])
            #expect(
                throws: DERError.unexpectedTag(expected: .octetString, found: DERTag(.universal, 4, constructed: true))
            ) { try reader.readOctetString() }
        }
        var bits = DERReader([0x23, 0x04, 0x03, 0x02, 0x00, 0xAA])
        #expect(throws: DERError.unexpectedTag(expected: .bitString, found: DERTag(.universal, 3, constructed: true))) {
            try bits.readBitString()
        }
        var implicit = DERReader([0x80, 0x01, 0xAA])
        #expect(try implicit.readOctetString(.contextPrimitive(0)) == [0xAA])
    }
}
