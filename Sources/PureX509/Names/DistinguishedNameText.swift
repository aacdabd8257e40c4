import PureBytes
import PureDER

// Text for reports and logs. Verification does not use it, because names are compared as bytes.

#if !hasFeature(Embedded)
    extension DistinguishedName: CustomStringConvertible {
        /// The maximum length of the text: 1,024 bytes of UTF-8, not counting the suffix of truncated texts. Genuine
        /// names are about a tenth as long.
        public static var maximumTextSize: Int { 1_024 }

        /// The name in the form of RFC 4514: "CN=Example CA 1,O=Example\, Inc.,C=GB".
        ///
        /// - The last relative distinguished name comes first (§2.1). "+" separates the attributes of a relative name
        ///   (§2.2).
        /// - An attribute type is written as a short name or in dotted decimal form (§2.3).
        /// - A string whose attribute type has a short name is written as text. Every other value is written as "#" and
        ///   its hexadecimal encoding (§2.4).
        /// - The text of an empty name is empty.
        ///
        /// An attacker may have chosen the name. So in addition to the escapes of §2.4, every invisible character is
        /// written as its UTF-8 bytes in hexadecimal, "\E2\80\AE". Invisible characters are controls, direction
        /// changes, spaces other than U+0020, and unassigned code points. A text longer than ``maximumTextSize`` is
        /// truncated, and ends with the length of the encoded name, "... (6000 bytes)".
        public var description: String {
            var text = ""
            var isFirst = true
            for relativeName in relativeNames.reversed() {
                for (index, attribute) in relativeName.enumerated() {
                    if index > 0 { text += "+" } else if !isFirst { text += "," }
                    isFirst = false
                    attribute.write(to: &text, limit: Self.maximumTextSize)
                    guard text.utf8.count <= Self.maximumTextSize else {
                        return "\(text.start(utf8: Self.maximumTextSize))... (\(derEncoded.count) bytes)"
                    }
                }
            }
            return text
        }
    }

    extension DistinguishedName.Attribute {
        /// The short name from RFC 4514 §3, or a common short name if the RFC defines none (RFC 4519 §2.31, RFC 2985
        /// §5.2.1, X.520 §6.4.4).
        private var shortName: String? {
            switch type.description {
            case "2.5.4.3": "CN"
            case "2.5.4.5": "serialNumber"
            case "2.5.4.6": "C"
            case "2.5.4.7": "L"
            case "2.5.4.8": "ST"
            case "2.5.4.9": "STREET"
            case "2.5.4.10": "O"
            case "2.5.4.11": "OU"
            case "2.5.4.97": "organizationIdentifier"
            case "0.9.2342.19200300.100.1.1": "UID"
            case "0.9.2342.19200300.100.1.25": "DC"
            case "1.2.840.113549.1.9.1": "emailAddress"
            default: nil
            }
        }

        /// The characters of a value, or `nil` if the string type is neither UTF8String nor a subset of it.
        private var characters: String? {
            switch value.tag {
            case .utf8String, .printableString, .ia5String, DERTag(.universal, 18, constructed: false),
                DERTag(.universal, 26, constructed: false):
                String(validating: value.content, as: UTF8.self)
            default: nil
            }
        }

        /// Appends "CN=value". Stops soon after the text exceeds `limit` bytes. A value in hexadecimal stops after
        /// `limit` of its octets.
        fileprivate func write(to text: inout String, limit: Int) {
            guard let shortName, let characters else {
                text += "\(shortName ?? type.description)=#\(hexEncodedString(value.encoded.prefix(limit)))"
                return
            }
            text += shortName + "="
            let scalars = characters.unicodeScalars
            var index = scalars.startIndex
            while index != scalars.endIndex, text.utf8.count <= limit {
                let next = scalars.index(after: index)
                text += Self.escaped(
                    scalars[index], isFirst: index == scalars.startIndex, isLast: next == scalars.endIndex)
                index = next
            }
        }

        /// Escapes a character as in RFC 4514 §2.4. Also escapes invisible characters, which the RFC does not require.
        private static func escaped(_ scalar: Unicode.Scalar, isFirst: Bool, isLast: Bool) -> String {
            switch scalar {
            case "\"", "+", ",", ";", "<", ">", "\\": return "\\\(scalar)"
            case " ": return isFirst || isLast ? "\\ " : " "
            case "#": return isFirst ? "\\#" : "#"
            default:
                let category = scalar.properties.generalCategory
                let isVisible = isVisible(category) && !(isFirst && isMark(category))
                if isVisible { return String(scalar) }
                let octets = UTF8.encode(scalar).map { Array($0) } ?? []
                return octets.map { "\\\(hexEncodedString([$0]).uppercased())" }.joined()
            }
        }

        private static func isMark(_ category: Unicode.GeneralCategory) -> Bool {
            switch category {
            case .nonspacingMark, .spacingMark, .enclosingMark: true
            default: false
            }
        }

        private static func isVisible(_ category: Unicode.GeneralCategory) -> Bool {
            switch category {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .surrogate, .privateUse,
                .unassigned:
                false
            default: true
            }
        }
    }

    extension String {
        /// Returns the longest prefix of at most `count` bytes that ends between scalars (indices round down: SE-0180).
        fileprivate func start(utf8 count: Int) -> String {
            let end = utf8.index(utf8.startIndex, offsetBy: count, limitedBy: utf8.endIndex) ?? utf8.endIndex
            return String(unicodeScalars[..<end])
        }
    }
#endif
