import PureBytes
import PureDER

/// The output of a command. It is an ordered list of labelled values, printed as an indented tree or as JSON.
struct Report {
    struct Field {
        /// The name in JSON.
        var key: String
        /// The label in text.
        var label: String
        var content: Content
        /// A remark after the value, which only the text output contains.
        var note: String?
        /// The text to print instead of the content, such as the name of a number. JSON contains the content itself.
        var shown: String?
        var colour: Colour?
    }

    enum Content {
        case text(String)
        case number(Int64)
        case bool(Bool)
        /// Bytes that text output prints in hexadecimal, shortened if they are long, and JSON output in Base64.
        case bytes([UInt8])
        /// Bytes that both text and JSON output print as complete Base64, for values that other programs read.
        case base64([UInt8])
        case time(UnixTime)
        case words([String])
        case group(Report)
        case list([Report])
        case absent
    }

    var fields: [Field] = []

    mutating func add(
        _ key: String, _ label: String, _ content: Content, note: String? = nil, shown: String? = nil,
        colour: Colour? = nil
    ) {
        fields.append(Field(key: key, label: label, content: content, note: note, shown: shown, colour: colour))
    }

    var json: JSON { .object(jsonMembers) }

    var jsonMembers: [(String, JSON)] { fields.map { ($0.key, $0.content.json) } }

    /// The report as an indented tree, with a newline after each line.
    var text: String { lines(indent: "").map { $0 + "\n" }.joined() }

    private func lines(indent: String) -> [String] {
        let width = fields.filter { $0.content.isOneLine }.map { $0.label.count }.max() ?? 0
        return fields.flatMap { field in
            let note = field.note.map { "  (\($0))" } ?? ""
            switch field.content {
            case .group(let report):
                return ["\(indent)\(field.label)\(note)"] + report.lines(indent: indent + "  ")
            case .list(let reports):
                return reports.enumerated().flatMap { index, report in
                    ["\(indent)\(field.label) \(index + 1) of \(reports.count)\(note)"]
                        + report.lines(indent: indent + "  ")
                }
            default:
                let value = field.shown ?? field.content.line
                let coloured = field.colour.map { $0.text(value) } ?? value
                return ["\(indent)\(field.label.padded(to: width))  \(coloured)\(note)"]
            }
        }
    }
}

extension Report.Content {
    fileprivate var isOneLine: Bool {
        switch self {
        case .group, .list: false
        default: true
        }
    }

    fileprivate var line: String {
        switch self {
        case .text(let text): text.printable
        case .number(let number): "\(number)"
        case .bool(let value): value ? "yes" : "no"
        case .base64(let bytes): base64EncodedString(bytes)
        case .bytes(let bytes): Self.hexadecimal(bytes)
        case .time(let time): "\(time)"
        case .words(let words): words.isEmpty ? "none" : words.joined(separator: ", ").printable
        case .absent: "none"
        case .group, .list: ""
        }
    }

    fileprivate var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        case .bool(let value): .bool(value)
        case .bytes(let bytes), .base64(let bytes): .base64(bytes)
        case .time(let time): .string("\(time)")
        case .words(let words): .array(words.map { .string($0) })
        case .group(let report): report.json
        case .list(let reports): .array(reports.map(\.json))
        case .absent: .null
        }
    }

    /// Returns the bytes in hexadecimal. Values of up to 65 bytes, the length of an uncompressed P-256 point, are
    /// printed completely. For longer values, returns only the start. If the bytes are text, appends the text.
    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "empty" }
        guard bytes.count <= 65 else { return "\(hexEncodedString(bytes.prefix(32)))… (\(bytes.count) bytes)" }
        let isText = bytes.count > 3 && bytes.allSatisfy { (0x20..<0x7f).contains($0) }
        return hexEncodedString(bytes) + (isText ? " \"\(String(decoding: bytes, as: UTF8.self))\"" : "")
    }
}
