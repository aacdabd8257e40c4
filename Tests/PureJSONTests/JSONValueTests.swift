import Testing
import VectorSupport

@testable import PureJSON

@Suite struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue { try JSONValue(decoding: Array(text.utf8)) }

    private func text(_ json: String) throws -> String? {
        try value(json).stringUTF8.map { String(decoding: $0, as: UTF8.self) }
    }

    /// RFC 8259 §7, RFC 7493 §2.1.
    @Test func escapes() throws {
        #expect(try text(#""a\"\\\/\b\f\n\r\t\u00e9\u20AC\ud834\uDD1E""#) == "a\"\\/\u{8}\u{c}\n\r\té€𝄞")
        #expect(try text("\"\\u0000\"") == "\0")
        #expect(try text(#""plain é""#) == "plain é")
        for half in [#""\ud834""#, #""\udd1e""#, #""\ud834x""#, #""\ud834\n""#, #""\ud834\ud834""#, #""\udd1e\ud834""#]
        {
            #expect(throws: JSONError.unpairedSurrogate(offset: half.utf8.count)) { try value(half) }
        }
        // Tests the ends of both surrogate ranges (RFC 8259 §7).
        #expect(try text(#""\ud800\udc00""#) == "\u{10000}")
        #expect(try text(#""\udbff\udfff""#) == "\u{10FFFF}")
        #expect(try text(#""\ud7ff\ue000""#) == "\u{D7FF}\u{E000}")
        for half in [#""\ud800\udbff""#, #""\ud800\ue000""#, #""\udbff\ue000""#, #""\udc00\udc00""#] {
            #expect(throws: JSONError.unpairedSurrogate(offset: half.utf8.count)) { try value(half) }
        }
        #expect(throws: JSONError.unpairedSurrogate(offset: 15)) { try value(#""\ud834\\udd1e""#) }
        for broken in [#""\x""#, #""\u12""#, #""\u12g4""#, #""\"#, "\"\u{1f}\"", "\"", #""\u"#] {
            #expect(throws: JSONError.self) { try value(broken) }
        }
    }

    /// RFC 7493 §2.3.
    @Test func namesAreComparedAfterEscapes() throws {
        let object = try #require(try value(#"{"b":1,"\u0061":2}"#).object)
        #expect(object.members.map { String(decoding: $0.name, as: UTF8.self) } == ["b", "a"])
        #expect(object["a"]?.number?.int64 == 2 && object["c"] == nil && object[""] == nil)
        for twice in [#"{"a":1,"\u0061":1}"#, #"{"":1,"":1}"#, #"{"a":1,"b":2,"a":3}"#] {
            #expect(throws: JSONError.duplicateName(offset: twice.utf8.count)) { try value(twice) }
        }
        // These names are equal only under Unicode's canonical equivalence.
        #expect(try value("{\"\u{e9}\":1,\"e\u{301}\":2}").object?.members.count == 2)
        #expect(throws: JSONError.duplicateName(offset: 18)) { try value(#"{"x":{"a":1,"a":2}}"#) }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("12", 12), ("-12", -12), ("1.0", 1), ("1.20e1", 12), ("120e-1", 12), ("1E+3", 1_000),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("9223372036854775807.000", .max),
            ("0e99999999999999999999", 0), ("0.0000", 0), ("9.223372036854775807e18", .max), ("1000e-3", 1),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e19", nil), ("1e99999999999999999999", nil),
            ("1e-99999999999999999999", nil), ("1.5", nil), ("0.1e0", nil), ("18446744073709551616", nil),
            ("99e18", nil),
        ] as [(String, Int64?)]) func integersAreExact(_ literal: String, _ expected: Int64?) throws
    {
        let number = try #require(try value(literal).number)
        #expect(number.int64 == expected)
        #expect(Array(number.literal) == Array(literal.utf8))
    }

    @Test(
        arguments: [
            ("1697679936056.485", 1_697_679_936_056), ("-62135769600000", -62_135_769_600_000), ("-1.9", -1),
            ("0.9", 0),
            ("12e2", 1_200), ("1234e-2", 12), ("1e-5", 0), ("1e400", nil), ("9223372036854775807.9", Int64.max),
            ("9223372036854775808.1", nil), ("-0.0", 0), ("99999e-4", 9),
        ] as [(String, Int64?)]) func fractionsAreDropped(_ literal: String, _ expected: Int64?) throws
    {
        #expect(try value(literal).number?.truncated == expected)
    }

    /// Exponents of any length must not overflow, even with a 32-bit `Int`.
    @Test func exponentsFitInts() throws {
        #expect(JSONNumber.largestExponent * 10 + 9 <= Int(Int32.max))
        #expect(JSONNumber.largestExponent > JSONLimits.default.maximumSize)
        // `largestExponent` is the largest power of two for which the first expectation holds.
        #expect(JSONNumber.largestExponent > Int(Int32.max) / 20)
        for exponent in ["2147483648", "268435456", "2684354560", "9999999999"] {
            #expect(try value("1e\(exponent)").number?.int64 == nil)
            #expect(try value("1e-\(exponent)").number?.truncated == 0)
        }
    }

    @Test func limits() throws {
        let limits = JSONLimits(maximumDepth: 2, maximumValues: 4, maximumSize: 20)
        func decode(_ text: String) throws { _ = try JSONValue(decoding: Array(text.utf8), limits: limits) }
        try decode("[[1,2]]")
        #expect(throws: JSONError.depthLimitExceeded) { try decode("[[[]]]") }
        #expect(throws: JSONError.depthLimitExceeded) { try decode(#"[{"a":{}}]"#) }
        #expect(throws: JSONError.valueLimitExceeded) { try decode("[1,2,3,4]") }
        try decode(#"{"a":1,"b":[2]}     "#)
        #expect(throws: JSONError.sizeLimitExceeded) { try decode(#"{"a":1,"b":[2]}      "#) }
        #expect(JSONLimits(maximumDepth: 1_000, maximumValues: 1, maximumSize: 1).maximumDepth == 64)
        #expect(throws: JSONError.valueLimitExceeded) {
            try JSONValue(decoding: [0x31], limits: JSONLimits(maximumDepth: 0, maximumValues: 0, maximumSize: 1))
        }
    }

    @Test func theDefaultLimits() throws {
        #expect(JSONLimits.default == JSONLimits(maximumDepth: 16, maximumValues: 16_384, maximumSize: 1_048_576))
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        func list(_ count: Int) -> String { "[" + String(repeating: "0,", count: count - 2) + "0]" }
        _ = try value(nested(16))
        #expect(throws: JSONError.depthLimitExceeded) { try value(nested(17)) }
        #expect(try value(list(16_384)).array?.count == 16_383)
        #expect(throws: JSONError.valueLimitExceeded) { try value(list(16_385)) }
    }

    @Test func theDeepestValueFitsOnASmallStack() throws {
        let depth = JSONLimits.deepestSupported
        let limits = JSONLimits(maximumDepth: depth, maximumValues: 1_000, maximumSize: 1_000)
        for (open, close) in [("[", "]"), (#"{"":"#, "}")] {
            let text = Array(
                (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
            let isRead = SmallStack.run { (try? JSONValue(decoding: text, limits: limits)) != nil }
            #expect(isRead == true)
            let deeper = Array(open.utf8) + text + Array(close.utf8)
            #expect(throws: JSONError.depthLimitExceeded) { try JSONValue(decoding: deeper, limits: limits) }
        }
    }

    @Test func truncationsAndChangesNeverTrap() throws {
        let sample = Array(#"{"a":[1,-2.5e3,true,false,null,"x\u00e9\n"],"b":{"c":"é"},"d":[]}"#.utf8)
        _ = try JSONValue(decoding: sample)
        for count in 0..<sample.count {
            #expect(throws: JSONError.self) { try JSONValue(decoding: sample.prefix(count)) }
            #expect(throws: JSONError.self) { try JSONValue(decoding: sample.prefix(count) + [0x00]) }
        }
        var accepted = 0
        for index in sample.indices {
            for byte in UInt8.min...UInt8.max where byte != sample[index] {
                var changed = sample
                changed[index] = byte
                if (try? JSONValue(decoding: changed)) != nil { accepted += 1 }
            }
        }
        #expect(accepted > 900)
    }

    @Test(arguments: ["tru", "trux", "fals", "fals3", "nul", "nulL", "True", "truetrue", "[nulx]"])
    func otherWordsAreRejected(_ text: String) {
        #expect(throws: JSONError.self) { try value(text) }
    }

    @Test func slicesWithAnyStartIndex() throws {
        let text = [UInt8](repeating: 0x7B, count: 7) + Array(#" {"a":1}"#.utf8)
        #expect(try JSONValue(decoding: text[7...]).object?["a"]?.number?.int64 == 1)
        #expect(throws: JSONError.malformed(offset: 6)) { try JSONValue(decoding: text[7...].dropLast(2) + [0x2C]) }
    }

    @Test func accessorsReturnNilForOtherTypes() throws {
        let values = try #require(try value(#"[null,true,1,"s",[],{}]"#).array)
        #expect(values.map { $0.bool != nil } == [false, true, false, false, false, false])
        #expect(values.map { $0.number != nil } == [false, false, true, false, false, false])
        #expect(values.map { $0.stringUTF8 != nil } == [false, false, false, true, false, false])
        #expect(values.map { $0.array != nil } == [false, false, false, false, true, false])
        #expect(values.map { $0.object != nil } == [false, false, false, false, false, true])
    }
}
