extension String {
    /// With spaces at the end up to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Returns the text with `\u{…}` for every scalar that must not reach a terminal (``Unicode/Scalar/isUnprintable``).
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

extension Unicode.Scalar {
    /// Whether text output, plain and JSON, escapes the scalar: it controls the terminal, ends a line, reorders the text around it, or
    /// shows nothing. These are the categories Cc, Zl, Zp and Cf, default-ignorable scalars (Unicode §5.21) and noncharacters.
    var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: true
        default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        }
    }

    var hexDigits: String { String(value, radix: 16) }
}
