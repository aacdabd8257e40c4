import PureJSON

/// Writes a JSON object (RFC 8259), one member at a time.
struct PromptText {
    private var text: [UInt8] = []
    private var isFinite = true

    /// The whole object; `nil` if a number exceeds the range of a `Double`, because parsers disagree on its value
    /// (RFC 8259 §6).
    var body: [UInt8]? { isFinite ? Array("{".utf8) + text + Array("}".utf8) : nil }

    mutating func append(_ name: String, _ value: JSONValue) {
        appendName(name.utf8)
        append(value)
    }

    /// Appends a member whose value is already JSON.
    mutating func append(_ name: String, written value: String) {
        appendName(name.utf8)
        text += value.utf8
    }

    private mutating func append(_ value: JSONValue) {
        switch value {
        case .null: text += "null".utf8
        case .bool(let value): text += "\(value)".utf8
        case .number(let number):
            isFinite = isFinite && Double(String(decoding: number.literal, as: UTF8.self))?.isFinite ?? false
            text += number.literal
        case .string(let content): append(string: content)
        case .array(let values):
            text.append(UInt8(ascii: "["))
            for value in values {
                separate()
                append(value)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let object):
            text.append(UInt8(ascii: "{"))
            for member in object.members {
                appendName(member.name)
                append(member.value)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private mutating func appendName(_ name: some Sequence<UInt8>) {
        separate()
        append(string: name)
        text.append(UInt8(ascii: ":"))
    }

    /// Appends a comma, except before a first element or member.
    private mutating func separate() {
        if let last = text.last, last != UInt8(ascii: "["), last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
    }

    /// Appends a string. Escapes the characters that RFC 8259 §7 requires to be escaped, in the shortest form, because
    /// each byte costs a token of the reserve.
    private mutating func append(string content: some Sequence<UInt8>) {
        text.append(UInt8(ascii: "\""))
        for byte in content {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0x08: text += "\\b".utf8
            case 0x09: text += "\\t".utf8
            case 0x0A: text += "\\n".utf8
            case 0x0C: text += "\\f".utf8
            case 0x0D: text += "\\r".utf8
            case 0x00..<0x20: text += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
