import PureBytes
import Testing

@Suite("Hexadecimal")
struct HexTests {
    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "66"), ("fo", "666F"), ("foo", "666F6F"), ("foob", "666F6F62"), ("fooba", "666F6F6261"),
        ("foobar", "666F6F626172"),
    ])
    func rfc4648(text: String, hex: String) throws {
        #expect(try [UInt8](hexEncoded: hex) == Array(text.utf8))
        #expect(try [UInt8](hexEncoded: hex.lowercased()) == Array(text.utf8))
        #expect(hexEncodedString(Array(text.utf8)) == hex.lowercased())
    }

    @Test func everyByte() throws {
        for byte in UInt8.min...UInt8.max {
            let text = Hex.encode([byte])
            #expect(String(decoding: text, as: UTF8.self) == (byte < 16 ? "0" : "") + String(byte, radix: 16))
            #expect(try Hex.decode(text) == [byte])
        }
    }

    @Test func rejectsEveryOtherCharacterAtItsOffset() throws {
        let digits = Set("0123456789abcdefABCDEF".utf8)
        #expect(digits.count == 22)
        for character in UInt8.min...UInt8.max where !digits.contains(character) {
            for offset in 0..<4 {
                var text = Array("0000".utf8)
                text[offset] = character
                #expect(throws: HexError.invalidCharacter(offset: offset)) { try Hex.decode(text) }
            }
        }
    }

    @Test func oddLengths() {
        #expect(throws: HexError.oddLength) { try [UInt8](hexEncoded: "0") }
        #expect(throws: HexError.oddLength) { try [UInt8](hexEncoded: "000") }
        #expect(throws: HexError.oddLength) { try [UInt8](hexEncoded: "é0") }
        #expect(throws: HexError.invalidCharacter(offset: 0)) { try [UInt8](hexEncoded: "é") }
        #expect(throws: HexError.invalidCharacter(offset: 1)) { try [UInt8](hexEncoded: "0x12") }
    }

    @Test func offsetsCountFromTheStartOfASlice() {
        #expect(throws: HexError.invalidCharacter(offset: 1)) { try Hex.decode(Array("ff0g".utf8)[2...]) }
        #expect(Hex.encode([1, 2, 3, 0xAB][3...]) == Array("ab".utf8))
    }
}
