import PureBytes
import PureDER

// Text for people; nothing in a verification uses it, and two names are compared by their bytes.

#if !hasFeature(Embedded)
    extension DistinguishedName: CustomStringConvertible {
        /// The longest text, 1,024 bytes of UTF-8 and what says how long the encoding is. Genuine names have a tenth.
        public static var maximumTextSize: Int { 1_024 }

        /// The name as RFC 4514 writes it, "CN=Example CA 1,O=Example\, Inc.,C=GB": the last relative name first (§2.1), attributes of
        /// one joined by "+" (§2.2), types by their short names or numbers (§2.3), and values as text where they are strings of a type
        /// that has a short name, or else as "#" and their encoding in hexadecimal (§2.4). The empty name is the empty text.
        ///
        /// Whoever wrote the certificate chose it. So besides what §2.4 escapes, all that is not visible is written as its bytes in
        /// hexadecimal, "\E2\80\AE": controls, what turns the direction of text, spaces that are not U+0020, and what Unicode has
        /// not assigned. And a text longer than ``maximumTextSize`` ends with "... (6000 bytes)", the length of the encoding.
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
        /// RFC 4514 §3, and names in general use for what certificates have besides (RFC 4519 §2.31, RFC 2985 §5.2.1, X.520 §6.4.4).
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

        /// The characters of a string whose octets are UTF-8, or a part of it.
        private var characters: String? {
            switch value.tag {
            case .utf8String, .printableString, .ia5String, DERTag(.universal, 18, constructed: false),
                DERTag(.universal, 26, constructed: false):
                String(validating: value.content, as: UTF8.self)
            default: nil
            }
        }

        /// Appends "CN=value", of which little more than `limit` bytes are made.
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

        /// RFC 4514 §2.4, with more in hexadecimal than it asks for.
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
        /// The longest beginning of whole scalars that has up to `count` bytes: an index within one is that of its start (SE-0180).
        fileprivate func start(utf8 count: Int) -> String {
            let end = utf8.index(utf8.startIndex, offsetBy: count, limitedBy: utf8.endIndex) ?? utf8.endIndex
            return String(unicodeScalars[..<end])
        }
    }
#endif
