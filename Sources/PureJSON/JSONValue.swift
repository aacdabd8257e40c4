import PureBytes

/// A JSON value (RFC 8259 §3), decoded strictly and within limits.
///
/// Strings are UTF-8 with their escapes replaced. Object names are distinct. Numbers keep their characters.
public indirect enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(JSONNumber)
    /// A string, UTF-8. It may contain U+0000.
    case string(ArraySlice<UInt8>)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// Decodes exactly one value, which white space may surround.
    public init(decoding text: some Collection<UInt8>, limits: JSONLimits = .default) throws(JSONError) {
        guard text.count <= limits.maximumSize else { throw .sizeLimitExceeded }
        try self.init(decoding: ArraySlice(text), within: limits)
    }

    private init(decoding text: ArraySlice<UInt8>, within limits: JSONLimits) throws(JSONError) {
        // RFC 8259 §8.1: text between systems "MUST be encoded using UTF-8".
        guard isValidUTF8(text) else { throw .invalidUTF8 }
        var reader = JSONReader(text)
        var valuesLeft = limits.maximumValues
        self = try Self.read(&reader, depth: limits.maximumDepth, valuesLeft: &valuesLeft)
        try reader.finish()
    }

    private static func read(
        _ reader: inout JSONReader, depth: Int, valuesLeft: inout Int
    ) throws(JSONError) -> JSONValue {
        guard valuesLeft > 0 else { throw .valueLimitExceeded }
        valuesLeft -= 1
        reader.skipSpace()
        guard let first = reader.next else { throw reader.malformed }
        switch first {
        case UInt8(ascii: "\""): return .string(try reader.readString())
        case UInt8(ascii: "{"):
            guard depth > 0 else { throw .depthLimitExceeded }
            return .object(try readObject(&reader, depth: depth - 1, valuesLeft: &valuesLeft))
        case UInt8(ascii: "["):
            guard depth > 0 else { throw .depthLimitExceeded }
            return .array(try readArray(&reader, depth: depth - 1, valuesLeft: &valuesLeft))
        case UInt8(ascii: "t"):
            try reader.skipWord("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try reader.skipWord("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try reader.skipWord("null")
            return .null
        default: return .number(try reader.readNumber())
        }
    }

    private static func readObject(
        _ reader: inout JSONReader, depth: Int, valuesLeft: inout Int
    ) throws(JSONError) -> JSONObject {
        try reader.expect("{")
        var members: [JSONObject.Member] = []
        if !reader.skip("}") {
            repeat {
                let name = try reader.readString()
                try reader.expect(":")
                members.append(.init(name: name, value: try read(&reader, depth: depth, valuesLeft: &valuesLeft)))
            } while reader.skip(",")
            try reader.expect("}")
        }
        guard let object = JSONObject(members) else { throw .duplicateName(offset: reader.offset) }
        return object
    }

    private static func readArray(
        _ reader: inout JSONReader, depth: Int, valuesLeft: inout Int
    ) throws(JSONError) -> [JSONValue] {
        try reader.expect("[")
        var values: [JSONValue] = []
        if reader.skip("]") { return values }
        repeat { values.append(try read(&reader, depth: depth, valuesLeft: &valuesLeft)) } while reader.skip(",")
        try reader.expect("]")
        return values
    }
}

extension JSONValue {
    /// The object, or `nil` if the value is not an object.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    /// The array, or `nil` if the value is not an array.
    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    /// The string's UTF-8, or `nil` if the value is not a string.
    public var stringUTF8: ArraySlice<UInt8>? { if case .string(let text) = self { text } else { nil } }
    /// The number, or `nil` if the value is not a number.
    public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
    /// The Boolean value, or `nil` if the value is neither `true` nor `false`.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
}
