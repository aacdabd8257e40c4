#if !hasFeature(Embedded)
    import PureBytes

    extension CBORValue {
        /// The value in human-readable diagnostic notation (RFC 8949 §8): `{"a": 1, "b": h'0102'}`.
        ///
        /// The notation shows neither chunks nor head lengths, because a value does not store them.
        public var diagnosticNotation: String {
            switch self {
            case .unsignedInteger(let value): "\(value)"
            // −1 − n for n = 2⁶⁴ − 1, which does not fit into `Int64`.
            case .negativeInteger(.max): "-18446744073709551616"
            case .negativeInteger(let value): "-\(value + 1)"
            case .byteString(let bytes): "h'" + hexEncodedString(bytes) + "'"
            case .textString(let bytes): CBORValue.quoted(bytes)
            case .array(let elements): "[" + elements.map(\.diagnosticNotation).joined(separator: ", ") + "]"
            case .map(let map):
                "{"
                    + map.entries.map { $0.key.diagnosticNotation + ": " + $0.value.diagnosticNotation }
                    .joined(separator: ", ") + "}"
            case .tagged(let number, let content): "\(number)(\(content.diagnosticNotation))"
            case .simple(20): "false"
            case .simple(21): "true"
            case .simple(22): "null"
            case .simple(23): "undefined"
            case .simple(let value): "simple(\(value))"
            case .floatingPoint(let bitPattern): CBORValue.number(Double(bitPattern: bitPattern))
            }
        }

        private static func number(_ value: Double) -> String {
            value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : "\(value)"
        }

        /// Returns the text in quotation marks. Escapes quotation marks and backslashes as JSON does (RFC 8259 §7).
        /// Writes control and format characters as `\u{…}`, because a terminal may print the text.
        private static func quoted(_ bytes: ArraySlice<UInt8>) -> String {
            var result = "\""
            for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                switch scalar {
                case "\"", "\\": result += "\\\(scalar)"
                case _ where [.control, .format].contains(scalar.properties.generalCategory):
                    result += "\\u{" + String(scalar.value, radix: 16) + "}"
                default: result.unicodeScalars.append(scalar)
                }
            }
            return result + "\""
        }
    }
#endif
