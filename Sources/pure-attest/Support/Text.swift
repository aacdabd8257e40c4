extension String {
    var lines: [String] {
        utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text with `\u{…}` in place of every scalar that must not reach a terminal
    /// (``Unicode/Scalar/isUnprintable``).
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isUnprintable {
                text += "\\u{\(scalar.hexDigits)}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

/// Quotes a word for bash, zsh or sh.
func shellQuoted(_ text: String) -> String {
    var quoted = "'"
    // Not by Character, because an apostrophe and a combining mark are one Character.
    for scalar in text.unicodeScalars {
        if scalar == "'" { quoted += #"'\''"# } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
}

/// Lists labels and texts in two columns, without a newline at the end. A text may have several lines.
func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map { $0.0.count }.max() ?? 0
    let indent = "\n" + String(repeating: " ", count: width + 4)
    return rows.map { "  \($0.0.padded(to: width))  \($0.1.lines.joined(separator: indent))" }.joined(separator: "\n")
}

extension Unicode.Scalar {
    /// True if the tool escapes the scalar in its output, both in plain text and in JSON. Such a scalar controls the
    /// terminal, ends a line, reorders the surrounding text, or is invisible. The property covers the categories Cc,
    /// Zl, Zp and Cf, default-ignorable scalars (Unicode §5.21), and noncharacters.
    var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: true
        default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        }
    }

    var hexDigits: String { String(value, radix: 16) }
}
