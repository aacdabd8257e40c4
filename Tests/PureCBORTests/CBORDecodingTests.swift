import Testing

@testable import PureCBOR

/// Hand-made cases for every error and every kind of value.
@Suite struct CBORDecodingTests {
    static let rejected: [([UInt8], CBORError)] = [
        ([], .unexpectedEnd),
        ([0x00, 0x00], .trailingBytes),
        ([0x1c], .reservedAdditionalInformation(28)),
        ([0x1f], .reservedAdditionalInformation(31)),
        ([0xdf, 0x00], .reservedAdditionalInformation(31)),
        ([0x18, 0x17], .nonMinimalHead),
        ([0x19, 0x00, 0xff], .nonMinimalHead),
        ([0x1a, 0x00, 0x00, 0xff, 0xff], .nonMinimalHead),
        ([0x1b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], .nonMinimalHead),
        ([0x58, 0x01, 0x01], .nonMinimalHead),
        ([0xd8, 0x01, 0x00], .nonMinimalHead),
        ([0x5f, 0xff], .indefiniteLength),
        ([0x7f, 0xff], .indefiniteLength),
        ([0x9f, 0xff], .indefiniteLength),
        ([0xbf, 0xff], .indefiniteLength),
        ([0xff], .unexpectedBreak),
        ([0x81, 0xff], .unexpectedBreak),
        ([0xf8, 0x00], .invalidSimpleValue(0)),
        ([0xf8, 0x18], .invalidSimpleValue(24)),
        ([0xf8, 0x1f], .invalidSimpleValue(31)),
        ([0x61, 0x80], .invalidUTF8),
        ([0x62, 0xc0, 0x80], .invalidUTF8),
        ([0x63, 0xed, 0xa0, 0x80], .invalidUTF8),
        ([0x64, 0xf4, 0x90, 0x80, 0x80], .invalidUTF8),
        ([0x61, 0xc3], .invalidUTF8),
        ([0xa2, 0x01, 0x00, 0x01, 0x00], .duplicateMapKey),
        ([0xa3, 0x61, 0x61, 0x00, 0x02, 0x00, 0x61, 0x61, 0x00], .duplicateMapKey),
    ]

    /// §3, §3.3, §4.2.1, §5.3.1.
    @Test(arguments: rejected)
    func rejectsByRule(_ bytes: [UInt8], _ error: CBORError) {
        #expect(throws: error) { try CBORValue(decoding: bytes) }
    }

    static let rejectedWhenLenient: [([UInt8], CBORError)] = [
        ([0x5f, 0x61, 0x61, 0xff], .invalidChunk),
        ([0x7f, 0x41, 0x61, 0xff], .invalidChunk),
        ([0x5f, 0x5f, 0x41, 0x00, 0xff, 0xff], .invalidChunk),
        ([0x5f, 0x00, 0xff], .invalidChunk),
        ([0x7f, 0x61, 0xc3, 0x61, 0xbc, 0xff], .invalidUTF8),
        ([0xbf, 0x00, 0xff], .unexpectedBreak),
        ([0xa2, 0x01, 0x00, 0x18, 0x01, 0x00], .duplicateMapKey),
        ([0x9f], .unexpectedEnd),
    ]

    /// §3.2.1, §3.2.3, §5.3.1.
    @Test(arguments: rejectedWhenLenient)
    func rejectsByRuleWhenLenient(_ bytes: [UInt8], _ error: CBORError) {
        #expect(throws: error) {
            try CBORValue(decoding: bytes, options: [.allowIndefiniteLengths, .allowNonMinimalHeads])
        }
    }

    @Test func optionsAreIndependent() {
        #expect(throws: CBORError.indefiniteLength) {
            try CBORValue(decoding: [0x9f, 0xff], options: .allowNonMinimalHeads)
        }
        #expect(throws: CBORError.nonMinimalHead) {
            try CBORValue(decoding: [0x18, 0x00], options: .allowIndefiniteLengths)
        }
    }

    @Test func typedAccess() throws {
        let bytes: [UInt8] = [0x86, 0x05, 0x24, 0x41, 0x07, 0x62, 0xc3, 0xbc, 0xf9, 0x3e, 0x00, 0xa0]
        let elements = try #require(try CBORValue(decoding: bytes).array)
        #expect(elements[0].unsignedInteger == 5 && elements[0].integer == 5)
        #expect(elements[1].unsignedInteger == nil && elements[1].integer == -5)
        #expect(elements[2].byteString == [0x07] && elements[2].textString == nil)
        #expect(elements[3].textString == [0xc3, 0xbc] && elements[3].byteString == nil)
        #expect(elements[3].string == "ü" && elements[3].isText("ü") && !elements[3].isText("u"))
        #expect(elements[4].floatingPoint == 1.5 && elements[4].integer == nil)
        #expect(elements[0].floatingPoint == nil && elements[2].integer == nil)
        #expect(elements[5].map?.count == 0)
        #expect(CBORValue.unsignedInteger(1 << 63).integer == nil)
        #expect(CBORValue.negativeInteger(1 << 63 - 1).integer == .min)
        #expect(CBORValue.negativeInteger(1 << 63).integer == nil)
        #expect(CBORValue.negativeInteger(.max).diagnosticNotation == "-18446744073709551616")
    }

    /// Canonically equivalent texts are different keys, although comparing them as `String` would find a duplicate.
    @Test func keysCompareAsBytes() throws {
        let bytes: [UInt8] = [0xa2, 0x62, 0xc3, 0xa9, 0x01, 0x63, 0x65, 0xcc, 0x81, 0x02]
        let map = try #require(try CBORValue(decoding: bytes).map)
        #expect(map[text: "é"] == .unsignedInteger(1))
        #expect(map[text: "e\u{301}"] == .unsignedInteger(2))
        #expect(map[text: "e"] == nil)
    }

    /// RFC 8949 §5.6 and §2: two keys of any kind are equal if they are the same value in the data model.
    @Test func equalKeysOfEveryKind() {
        let duplicates: [[UInt8]] = [
            [0xa2, 0xf9, 0x3c, 0x00, 0x00, 0xfa, 0x3f, 0x80, 0x00, 0x00, 0x00],  // 1.0 half, 1.0 single
            [0xa2, 0x81, 0x01, 0x00, 0x81, 0x01, 0x00],
            [0xa2, 0xa2, 0x01, 0x00, 0x02, 0x00, 0x00, 0xa2, 0x02, 0x00, 0x01, 0x00, 0x00],  // maps in different orders
            [0xa2, 0xc1, 0x01, 0x00, 0xc1, 0x01, 0x00],
            [0xa2, 0xf6, 0x00, 0xf6, 0x00],
            [0xa2, 0x41, 0x00, 0x00, 0x41, 0x00, 0x00],
        ]
        for bytes in duplicates {
            #expect(throws: CBORError.duplicateMapKey) { try CBORValue(decoding: bytes) }
        }
        let distinct: [[UInt8]] = [
            [0xa2, 0x01, 0x00, 0xf9, 0x3c, 0x00, 0x00],  // 1, 1.0
            [0xa2, 0xf9, 0x00, 0x00, 0x00, 0xf9, 0x80, 0x00, 0x00],  // 0.0, -0.0
            [0xa2, 0x41, 0x61, 0x00, 0x61, 0x61, 0x00],  // bytes, text
            [0xa2, 0x00, 0x00, 0x20, 0x00],
            [0xa2, 0xc1, 0x01, 0x00, 0xc2, 0x01, 0x00],
            [0xa2, 0xf5, 0x00, 0xf6, 0x00],
        ]
        for bytes in distinct { #expect(throws: Never.self) { try CBORValue(decoding: bytes) } }
    }

    /// Compares every half-precision number with the standard library's conversion, on platforms that have one.
    @Test func everyHalfPrecisionNumber() throws {
        #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
            for bits in UInt16.min...UInt16.max {
                let half = Float16(bitPattern: bits)
                let value = try CBORValue(decoding: [0xf9, UInt8(bits >> 8), UInt8(bits & 0xff)])
                let number = try #require(value.floatingPoint)
                #expect(half.isNaN ? number.isNaN : number.bitPattern == Double(half).bitPattern)
            }
        #endif
    }

    @Test func singlePrecisionNumbers() throws {
        let magnitudes: [UInt32] = [
            0, 1, 0x40_0000, 0x7f_ffff, 0x80_0000, 0x80_0001, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000,
        ]
        for bits in magnitudes + magnitudes.map({ $0 | 1 << 31 }) {
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: bits >> (24 - 8 * $0)) }
            let value = try CBORValue(decoding: [0xfa] + bytes)
            #expect(value == .floatingPoint(bitPattern: Double(Float(bitPattern: bits)).bitPattern))
        }
    }

    /// A signalling NaN keeps its payload, and the quiet bit stays clear, unlike in a hardware conversion.
    @Test func payloadOfNaNIsKept() throws {
        let value = try CBORValue(decoding: [0xfa, 0x7f, 0x80, 0x00, 0x01])
        #expect(value == .floatingPoint(bitPattern: 0x7ff0_0000_2000_0000))
    }

    @Test func bytesAreSlicesOfTheInput() throws {
        let input: [UInt8] = [0xff, 0xff, 0x82, 0x42, 0x01, 0x02, 0x61, 0x61, 0xff]
        var reader = try CBORReader(input[2..<8])
        let elements = try #require(try reader.readValue().array)
        try reader.finish()
        #expect(elements[0].byteString?.indices == 4..<6)
        #expect(elements[1].textString?.indices == 7..<8)
        let lazy = input.lazy.map { $0 }
        #expect(try CBORValue(decoding: lazy[2..<8]) == .array(elements))
    }

    @Test func readsItemsInOrderAndDoesNotMoveAfterAFailure() throws {
        var reader = try CBORReader([0x01, 0x61, 0x61, 0x82, 0x00])
        #expect(try reader.readValue() == .unsignedInteger(1))
        #expect(try reader.readValue().isText("a"))
        #expect(throws: CBORError.unexpectedEnd) { try reader.readValue() }
        #expect(reader.remaining == [0x82, 0x00] && !reader.isAtEnd)
        #expect(throws: CBORError.trailingBytes) { try reader.finish() }
    }

    @Test func lookupInEveryPosition() throws {
        var bytes: [UInt8] = [0xb8, 200]
        for key in 0..<200 as Range<UInt8> {
            let shuffled = UInt8((Int(key) * 77) % 200)
            bytes += (shuffled < 24 ? [shuffled] : [0x18, shuffled]) + [0x41, shuffled]
        }
        let map = try #require(try CBORValue(decoding: bytes).map)
        #expect(map.count == 200 && !map.isInDeterministicOrder)
        for key in 0..<200 as Range<UInt8> {
            #expect(map[.unsignedInteger(UInt64(key))] == .byteString([key]))
        }
        #expect(map[.unsignedInteger(200)] == nil && map[.null] == nil)
        #expect(try CBORValue(decoding: [0xa0]).map?[.null] == nil)
    }

    @Test func diagnosticNotation() throws {
        let bytes: [UInt8] = [0xa2, 0x61, 0x22, 0x82, 0x20, 0x41, 0x0f, 0x01, 0xc1, 0x62, 0x1b, 0x5c]
        #expect(try CBORValue(decoding: bytes).diagnosticNotation == #"{"\"": [-1, h'0f'], 1: 1("\u{1b}\\")}"#)
        // RFC 8949 appendix A.
        for (bytes, text) in [
            ([0xF9, 0x7E, 0x00], "NaN"), ([0xF9, 0x7C, 0x00], "Infinity"), ([0xF9, 0xFC, 0x00], "-Infinity"),
            ([0xF9, 0x3E, 0x00], "1.5"),
        ] as [([UInt8], String)] { #expect(try CBORValue(decoding: bytes).diagnosticNotation == text) }
    }
}
