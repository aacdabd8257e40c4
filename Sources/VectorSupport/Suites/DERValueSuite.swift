import PureBytes
import PureDER

/// Runs the test cases for DER values from Go's `encoding/asn1` and BoringSSL's `parse_values_unittest`. One JSON file
/// contains all cases.
package enum DERValueSuite {
    private struct File: Decodable {
        let go: [Case]
        let boringssl: [Case]
    }

    private struct Case: Decodable {
        let kind: String
        let hex: String
        /// The verdict in the project from which the case comes.
        let valid: Bool
        /// The verdict according to X.690 and RFC 5280 §4.1.2.5, if it was determined.
        let der_valid: Bool?
        let value: String?
    }

    private enum UnknownKind: Error { case unknown }

    /// Runs every case. Expects `der_valid` if the case has it, otherwise `valid`. The two verdicts differ for time
    /// offsets and leap seconds. Kinds with "-as-", such as `integer-contents-as-int64`, limit the range, so these
    /// cases always expect `valid`. Also compares the decoded value if the case states a value.
    package static func run(_ data: Data) throws -> SuiteOutcome {
        let file = try JSONDecoder().decode(File.self, from: data)
        var outcome = SuiteOutcome()
        for test in file.go + file.boringssl {
            let isRanged = test.kind.utf8.contains("-as-".utf8)
            let expected = isRanged ? test.valid : test.der_valid ?? test.valid
            let result: String?
            do { result = try read(test) } catch is DERError { result = nil }
            let name = "\(test.kind) \(test.hex)"
            if result == nil || !expected || test.value == nil {
                outcome.record(name, accepted: result != nil, expected: expected, detail: result)
            } else {
                outcome.record(name, passed: result == test.value, detail: result)
            }
        }
        return outcome
    }

    /// Returns the value in the notation of the file.
    private static func read(_ test: Case) throws -> String {
        let contents = try [UInt8](hexEncoded: test.hex)
        switch String(decoding: test.kind.utf8.prefix { $0 != UInt8(ascii: "(") }, as: UTF8.self) {
        case "boolean-contents":
            return String(try reader(0x01, contents) { (r) throws(DERError) in try r.readBoolean() })
        case "integer-contents":
            // Without a stated value, the number may exceed 64 bits.
            _ = try reader(0x02, contents) { (r) throws(DERError) in try r.readInteger() }
            guard test.value != nil else { return "" }
            return String(try reader(0x02, contents) { (r) throws(DERError) in try r.readInt64() })
        case "integer-contents-as-int64":
            return String(try reader(0x02, contents) { (r) throws(DERError) in try r.readInt64() })
        case "integer-contents-as-int32":
            let number = try reader(0x02, contents) { (r) throws(DERError) in try r.readInt64() }
            guard let number = Int32(exactly: number) else { throw DERError.integerOutOfRange }
            return String(number)
        case "integer-contents-as-uint64":
            let magnitude = try reader(0x02, contents) { (r) throws(DERError) in try r.readUnsignedInteger() }
            guard magnitude.count <= 8 else { throw DERError.integerOutOfRange }
            let number = magnitude.reduce(0) { $0 << 8 | UInt64($1) }
            return test.value == "INT64_MAX" && number == Int64.max ? "INT64_MAX" : String(number)
        case "bitstring-contents":
            let bits = try reader(0x03, contents) { (r) throws(DERError) in try r.readBitString() }
            return "\(8 * bits.bytes.count - Int(bits.unusedBitCount)):\(hexEncodedString(bits.bytes))"
        case "oid-contents":
            return try reader(0x06, contents) { (r) throws(DERError) in try r.readObjectIdentifier() }.description
        case "utctime-contents":
            return text(try reader(0x17, contents) { (r) throws(DERError) in try r.readTime() })
        case "generalizedtime-contents":
            return text(try reader(0x18, contents) { (r) throws(DERError) in try r.readTime() })
        case "tag-and-length":
            let header = try DERHeader(decoding: contents[...])
            let tagClass = header.tag.tagClass.rawValue >> 6
            return "class=\(tagClass) tag=\(header.tag.number) len=\(header.contentLength) "
                + "constructed=\(header.tag.isConstructed)"
        default: throw UnknownKind.unknown
        }
    }

    /// Reads a single element that consists of this identifier octet and these contents.
    private static func reader<T>(
        _ identifier: UInt8, _ contents: [UInt8], _ read: (inout DERReader) throws(DERError) -> T
    ) throws(DERError) -> T {
        var reader = DERReader(derElement(identifier, contents)[...])
        let value = try read(&reader)
        try reader.finish()
        return value
    }

    private static func text(_ time: UnixTime) -> String {
        Date(timeIntervalSince1970: TimeInterval(time.secondsSince1970)).ISO8601Format()
    }
}
