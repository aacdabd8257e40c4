import PureBytes

/// A JSON value for output. Object members are in the order of the output.
enum JSON {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    static func base64(_ bytes: [UInt8]) -> JSON { .string(base64EncodedString(bytes)) }

    /// Returns the text, or null for `nil`.
    static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    /// The value as JSON text (RFC 8259), indented by two spaces for each level.
    var text: String {
        var text = ""
        write(to: &text, indent: "\n")
        return text
    }

    private func write(to text: inout String, indent: String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += "\(value)"
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            Self.write(elements, between: "[", "]", to: &text, indent: indent) { element, text, indent in
                element.write(to: &text, indent: indent)
            }
        case .object(let members):
            Self.write(members, between: "{", "}", to: &text, indent: indent) { member, text, indent in
                Self.write(member.0, to: &text)
                text += ": "
                member.1.write(to: &text, indent: indent)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between open: String, _ close: String, to text: inout String, indent: String,
        writeElement: (Element, inout String, String) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            text += index == 0 ? "\(indent)  " : ",\(indent)  "
            writeElement(element, &text, indent + "  ")
        }
        text += elements.isEmpty ? close : indent + close
    }

    /// Escapes the quotation mark, the backslash and U+0000…U+001F (RFC 8259 §7). Also escapes all scalars that
    /// plain-text output escapes, because JSON output may also go to a terminal. Writes the escape of a scalar above
    /// U+FFFF as a surrogate pair.
    private static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case _ where scalar.isUnprintable:
                for unit in scalar.utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
