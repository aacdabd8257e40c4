extension String {
    /// The lines that are not empty, which LF ends.
    var lines: [String] {
        utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What follows a beginning; `nil` if the text begins otherwise.
    func removing(prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// With spaces at the end up to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Safe to print on one line of a terminal: bytes of an untrusted object that are control characters (a line break,
    /// an escape sequence) or change the reading direction are shown as `\u{…}`.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isControl || scalar.isInvisibleFormat {
                text += "\\u{\(scalar.hexDigits)}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// C0 controls, DEL and C1 controls (Unicode general category Cc).
    var isControl: Bool { value < 0x20 || (0x7f...0x9f).contains(value) }

    /// Line and paragraph separators, and characters that show nothing or reorder what is shown (categories Zl, Zp,
    /// Cf).
    var isInvisibleFormat: Bool {
        switch properties.generalCategory {
        case .lineSeparator, .paragraphSeparator, .format: true
        default: false
        }
    }

    var hexDigits: String { String(value, radix: 16) }
}
