import CertificateDrafts
import PureDER
import Testing

@testable import PureAttest

@Suite struct ReceiptFieldTests {
    private static func field(_ type: UInt8, _ value: String, _ tail: [UInt8] = []) -> [UInt8] {
        DER.sequence([0x02, 0x01, type, 0x02, 0x01, 0x01], DER.octets([UInt8](value.utf8)), tail)
    }

    private static let required = [
        field(2, "app"), field(3, "certificate"), field(4, "hash"), field(6, "RECEIPT"),
        field(12, "2030-01-02T03:04:05Z"), field(21, "2030-04-02T03:04:05Z"),
    ]

    private func payload(_ fields: [[UInt8]]) throws(PureAttestError) -> ReceiptPayload {
        try ReceiptPayload(decoding: DER.element(0x31, fields.flatMap(\.self))[...])
    }

    /// Accepts up to 64 fields, and parses nothing after the 65th field.
    @Test func count() throws {
        let unknown = (UInt8(30)...).prefix(ReceiptPayload.maximumFieldCount - Self.required.count)
            .map { Self.field($0, "") }
        #expect(ReceiptPayload.maximumFieldCount == 64)
        #expect(try payload(Self.required + unknown).kind == .answer)
        #expect(throws: PureAttestError.tooManyReceiptFields) {
            try payload(Self.required + unknown + [Self.field(127, "")])
        }
        #expect(throws: PureAttestError.tooManyReceiptFields) {
            try payload(Self.required + unknown + [Self.field(127, ""), [0x05, 0x00]])
        }
        #expect(throws: PureAttestError.malformedReceipt(.unexpectedTag(expected: .sequence, found: .null))) {
            try payload(Self.required + unknown.dropLast() + [[0x05, 0x00]])
        }
    }

    @Test func nothingFollowsTheValue() {
        #expect(throws: PureAttestError.malformedReceipt(.trailingBytes)) {
            try payload(Self.required + [Self.field(30, "", [0x05, 0x00])])
        }
    }

    /// A numeric field consists of one to nine digits.
    @Test func numbers() {
        for octet in UInt8(0)...255 {
            let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= octet
            #expect(decimalNumber([octet]) == (isDigit ? UInt32(octet) - 48 : nil))
            #expect((decimalNumber([0x31, octet, 0x31]) == nil) == !isDigit)
        }
        #expect(decimalNumber([]) == nil)
        #expect(decimalNumber(ArraySlice("000000001".utf8)) == 1)
        #expect(decimalNumber(ArraySlice("987654321".utf8)) == 987_654_321)
        #expect(decimalNumber(ArraySlice("0000000001".utf8)) == nil)
    }

    /// Each punctuation character of a time has a fixed position. The numbers in the sample all differ, so that the
    /// test detects swapped fields.
    @Test func punctuationOfTimes() {
        let good = [UInt8]("2031-02-03T04:05:06.7Z".utf8)
        #expect(UnixTime(iso8601: good[...])?.secondsSince1970 == 1_927_857_906)
        for index in good.indices where !(0x30...0x39).contains(good[index]) {
            for octet in UInt8(0)...255 where octet != good[index] {
                // The octets include digits, which are wrong at every tested position. A digit in place of the decimal
                // point makes the seconds too long.
                var text = good
                text[index] = octet
                #expect(UnixTime(iso8601: text[...]) == nil, "\(octet) at \(index)")
            }
        }
    }

    @Test func lengthsOfTimes() {
        let start = "2031-02-03T04:05:06"
        for digits in 0...12 {
            let fraction = digits == 0 ? "" : "." + String(repeating: "9", count: digits)
            let time = UnixTime(iso8601: ArraySlice((start + fraction + "Z").utf8))
            #expect((time != nil) == (digits <= 9))
        }
        for count in 0..<start.count {
            #expect(UnixTime(iso8601: ArraySlice((start.prefix(count) + "Z").utf8)) == nil)
        }
    }

    /// The sum of a time and an age saturates at both ends of the range.
    @Test func timesBeyondTheEnds() {
        func sum(_ time: Int64, _ seconds: Int64) -> Int64 {
            UnixTime(secondsSince1970: time).adding(seconds).secondsSince1970
        }
        #expect(sum(100, 5) == 105 && sum(100, -5) == 95 && sum(100, 0) == 100)
        #expect(sum(.max, 0) == .max && sum(.max - 1, 1) == .max && sum(.max, 1) == .max && sum(.max, .max) == .max)
        #expect(sum(.min, 0) == .min && sum(.min + 1, -1) == .min && sum(.min, -1) == .min && sum(.min, .min) == .min)
    }
}
