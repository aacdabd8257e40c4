import Testing

@testable import PureJSON

/// Tests the cursor by itself, because the parser of Android's revocation list uses it without building values.
@Suite struct JSONReaderTests {
    private func end(_ text: String, depth: Int = 7) throws -> Int {
        var reader = JSONReader(Array(text.utf8)[...])
        try reader.skipValue(depth: depth)
        return reader.offset
    }

    @Test(arguments: [
        #""""#, #""a\"]},""#, "{}", "{ }", #"{"a":1}"#, #"{"a":1,"b":2,"c":3}"#,
        #"{ "a" : { "b" : [ ] } , "c" : "d" }"#,
        "[]", "[ ]", "[1]", "[1,2,3]", "[[],{},[[]]]", #"[ "a" , [ 1 , 2 ] , { "b" : [3] } ]"#, "true", "false", "null",
        "0", "-1.5e+3", "  [1]", "\t\n\r 1",
    ]) func aSkippedValueEndsBehindIt(_ text: String) throws {
        #expect(try end(text) == text.utf8.count)
        // The reader stops before the character that follows the value.
        for next in [",1", " ,1", "]", "}", " "] {
            #expect(try end(text + next) == text.utf8.count)
        }
    }

    @Test(
        arguments: [
            ("", 0), (" ", 1), (",", 0), ("]", 0), ("nul", 0), ("nulL", 0), ("trux", 0), ("fals3", 0), ("True", 0),
            (#""a"#, 2), ("01", 2), ("1.", 2), ("-", 1), ("[", 1), ("[1", 2), ("[1 2]", 3), ("[1,]", 3), ("[,1]", 1),
            ("[1}", 2), ("{", 1), (#"{"a"}"#, 4), (#"{"a" 1}"#, 5), (#"{"a":}"#, 5), (#"{"a":1"#, 6),
            (#"{"a":1,}"#, 7), ("{,}", 1), ("{1:2}", 1), (#"{"a":1]"#, 6), (#"{"a":1 "b":2}"#, 7),
            (#"{"a":[1,{"b":tru}]}"#, 13),
        ] as [(String, Int)]) func aMalformedValueIsNotSkipped(_ text: String, _ offset: Int) throws
    {
        #expect(throws: JSONError.malformed(offset: offset)) { try end(text) }
    }

    @Test(
        arguments: [
            ("1", 0), (#""[[""#, 0), ("[]", 1), ("{}", 1), ("[1,[],2]", 2), (#"{"a":{},"b":{}}"#, 2),
            ("[[1],[[2]]]", 3),
            (#"[{"a":[]}]"#, 3), (#"{"a":{"b":{"c":1}}}"#, 3),
        ] as [(String, Int)]) func aSkippedValueNestsOnlyAsDeepAsAllowed(_ text: String, _ depth: Int) throws
    {
        #expect(try end(text, depth: depth) == text.utf8.count)
        guard depth > 0 else { return }
        #expect(throws: JSONError.depthLimitExceeded) { try end(text, depth: depth - 1) }
        #expect(throws: JSONError.depthLimitExceeded) { try end(text, depth: 0) }
    }

    /// RFC 8259 §2.
    @Test func onlyFourCharactersAreWhiteSpace() throws {
        for byte in UInt8.min...UInt8.max {
            var reader = JSONReader([byte, byte, 0x5D])
            reader.skipSpace()
            #expect(reader.offset == ([0x09, 0x0A, 0x0D, 0x20].contains(byte) ? 2 : 0), "\(byte)")
        }
    }

    @Test func plainStringsArePrintableASCIIWithoutEscapes() throws {
        func plain(_ content: [UInt8]) throws -> [UInt8] {
            var reader = JSONReader([0x22] + content + [0x22])
            return Array(try reader.readPlainString())
        }
        for byte in UInt8.min...UInt8.max {
            let content = [0x61, byte, 0x62]
            if 0x20...0x7E ~= byte, byte != 0x22, byte != 0x5C {
                #expect(try plain(content) == content)
            } else if byte != 0x22 {
                #expect(throws: JSONError.self, "\(byte)") { try plain(content) }
            }
        }
        #expect(try plain([]) == [])
        for escape in [#"\n"#, #"\\"#, #"\u0061"#] {
            #expect(throws: JSONError.malformed(offset: 2 + escape.utf8.count)) { try plain(Array(escape.utf8)) }
        }
    }

    @Test func offsetsCountFromTheStartOfASlice() throws {
        let text = Array("1234567[1,2]".utf8)
        var reader = JSONReader(text[7...])
        #expect(reader.offset == 0)
        try reader.expect("[")
        #expect(reader.offset == 1)
        #expect(throws: JSONError.malformed(offset: 1)) { try reader.expect(",") }
        reader = JSONReader(text[7...])
        try reader.skipValue(depth: 1)
        try reader.finish()
        #expect(reader.offset == 5)
    }
}
