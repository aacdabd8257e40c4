import PureBytes
import PureCBOR

/// Runs the three published CBOR suites.
package enum CBORSuites {
    /// Runs RFC 8949 Appendix A as JSON (github.com/cbor/test-vectors, `appendix_a.json`).
    ///
    /// A case passes if it decodes to the listed value with indefinite lengths allowed. The strict decoder must reject
    /// exactly the cases that use indefinite lengths. The list contains `f818` as simple(24), but RFC 8949 §3.3 made
    /// that encoding ill-formed (erratum 5917).
    package static func appendixA(_ file: Data) throws -> SuiteOutcome {
        struct Case: Decodable {
            let hex: String
            let decoded: JSONValue?
            let diagnostic: String?
        }
        var outcome = SuiteOutcome()
        for test in try JSONDecoder().decode([Case].self, from: file) {
            let bytes = try decodeHex(test.hex)
            let strict = Result { () throws(CBORError) in try CBORValue(decoding: bytes) }
            let lenient = try? CBORValue(decoding: bytes, options: .allowIndefiniteLengths)
            let passed: Bool
            switch (lenient, strict) {
            case (nil, .failure(let error)): passed = test.hex == "f818" && error == .invalidSimpleValue(24)
            case (let value?, .failure(let error)): passed = error == .indefiniteLength && matches(value, test.hex)
            case (let value?, .success(let same)): passed = value == same && matches(value, test.hex)
            case (nil, .success): passed = false
            }
            func matches(_ value: CBORValue, _ hex: String) -> Bool {
                switch test.diagnostic {
                // This is the only indefinite-length byte string. The decoder joins its chunks.
                case "(_ h'0102', h'030405')": value.diagnosticNotation == "h'0102030405'"
                case let diagnostic?: value.diagnosticNotation == diagnostic
                case nil: (test.decoded ?? .null).matches(value)
                }
            }
            outcome.record(test.hex, passed: passed)
        }
        return outcome
    }

    /// Runs RFC 8949 Appendix F.1. The decoder must reject every case, with any options.
    package static func appendixF(_ file: Data) throws -> SuiteOutcome {
        struct Suite: Decodable {
            struct Case: Decodable { let hex: String }
            let cases: [Case]
        }
        var outcome = SuiteOutcome()
        for test in try JSONDecoder().decode(Suite.self, from: file).cases {
            let bytes = try decodeHex(test.hex)
            let lenient: CBORDecodingOptions = [.allowIndefiniteLengths, .allowNonMinimalHeads]
            let isRefused = (try? CBORValue(decoding: bytes)) == nil
            let isRefusedLeniently = (try? CBORValue(decoding: bytes, options: lenient)) == nil
            outcome.record(test.hex, accepted: !(isRefused && isRefusedLeniently), expected: false)
        }
        return outcome
    }

    /// Runs the suite for CTAP 2.1 §8 canonical CBOR. A case is canonical if the strict decoder accepts it and the keys
    /// of its maps are in order.
    package static func canonical(_ file: Data) throws -> SuiteOutcome {
        struct Suite: Decodable {
            struct Case: Decodable {
                let hex: String
                let canonical: Bool
            }
            let cases: [Case]
        }
        var outcome = SuiteOutcome()
        for test in try JSONDecoder().decode(Suite.self, from: file).cases {
            let bytes = try decodeHex(test.hex)
            let value = try? CBORValue(decoding: bytes)
            outcome.record(test.hex, accepted: value.map(isOrdered) ?? false, expected: test.canonical)
        }
        return outcome
    }

    private static func isOrdered(_ value: CBORValue) -> Bool {
        switch value {
        case .array(let elements): elements.allSatisfy(isOrdered)
        case .map(let map):
            map.isInDeterministicOrder && map.entries.allSatisfy { isOrdered($0.key) && isOrdered($0.value) }
        case .tagged(_, let content): isOrdered(content)
        default: true
        }
    }

    private static func decodeHex(_ text: String) throws(VectorFileError) -> [UInt8] {
        do { return try [UInt8](hexEncoded: text) } catch { throw .notHexadecimal }
    }
}

extension JSONValue {
    /// Returns whether this `decoded` member of Appendix A represents the given value.
    fileprivate func matches(_ value: CBORValue) -> Bool {
        switch (self, value) {
        case (.null, .simple(22)), (.bool(true), .simple(21)), (.bool(false), .simple(20)): return true
        case (.unsigned(let expected), .unsignedInteger(let value)): return expected == value
        case (.number(_, let expected), .negativeInteger(let value)): return expected == -1 - Decimal(value)
        // Foundation reads 1.0 as 1, and -0.0 as 0, so the sign of zero is not checked.
        case (.unsigned(let expected), .floatingPoint(let bits)): return Double(expected) == Double(bitPattern: bits)
        case (.number(let expected, _), .floatingPoint(let bits)): return expected.bitPattern == bits
        // Bignums, RFC 8949 §3.4.3.
        case (.number(_, let expected), .tagged(let tag, .byteString(let bytes))):
            let magnitude = bytes.reduce(Decimal(0)) { $0 * 256 + Decimal($1) }
            return tag == 2 ? expected == magnitude : tag == 3 && expected == -1 - magnitude
        case (.string(let expected), .textString(let bytes)): return expected.utf8.elementsEqual(bytes)
        case (.array(let expected), .array(let elements)):
            return expected.count == elements.count && zip(expected, elements).allSatisfy { $0.matches($1) }
        case (.object(let expected), .map(let map)):
            return expected.count == map.count
                && map.entries.allSatisfy { entry in
                    // JSON allows only string keys, so cases with integer keys use diagnostic notation.
                    entry.key.string.flatMap { expected[$0] }?.matches(entry.value) ?? false
                }
        default: return false
        }
    }
}
