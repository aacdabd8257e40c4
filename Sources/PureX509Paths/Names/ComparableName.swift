import PureDER
import PureX509

/// The result of comparing two names, or corresponding parts of two names.
enum NameMatch {
    case same
    case different
    /// The names differ, but could be equal under Unicode rules that this module does not implement.
    case undecided
}

/// A `Name` in the canonical form that RFC 5280 §7.1 compares.
///
/// Names are prepared as in RFC 4518, with these rules:
/// - Strings of all types except T61String become UTF-8 (§2.1).
/// - ASCII controls become spaces or are removed (§2.2).
/// - ASCII letters are folded to lower case (appendix A).
/// - Leading and trailing spaces are removed, and repeated spaces become one (§2.6.1).
///
/// Non-ASCII characters are neither folded nor normalised. So texts are ``NameMatch/same`` only if their non-ASCII
/// characters are identical. Texts with such characters are ``NameMatch/different`` only if the ASCII text before the
/// first non-ASCII character, or after the last, differs. Folding and normalisation would not change this text.
/// Otherwise, the result is ``NameMatch/undecided``.
struct ComparableName: Sendable {
    struct Attribute: Sendable {
        let type: ASN1ObjectIdentifier
        /// The prepared text, or the encoding if the value is not text.
        let value: [UInt8]
        let form: Form
    }

    enum Form: UInt8 {
        case encoding
        case text
        /// A T61String with non-ASCII bytes. This module does not decode these bytes, so they equal only themselves.
        case undecodedText
    }

    /// In each relative name, the attributes are sorted by type.
    private(set) var relativeNames: [[Attribute]] = []

    init(_ derEncoded: ArraySlice<UInt8>, _ field: CertificateField) throws(X509Error) {
        var names = try FieldReader.entering(.sequence, of: derEncoded, field)
        while !names.isAtEnd { try append(relativeName: try names.read(.set), field) }
    }

    mutating func append(relativeName contents: ArraySlice<UInt8>, _ field: CertificateField) throws(X509Error) {
        var reader = FieldReader(contents, field)
        var attributes: [Attribute] = []
        while !reader.isAtEnd {
            var attribute = try reader.enter(.sequence)
            let type = try attribute.readObjectIdentifier()
            let value = try attribute.readElement()
            try attribute.finish()
            if let text = Self.text(of: value) {
                let isUndecoded = value.tag == Self.t61String && text.contains { $0 >= 0x80 }
                attributes.append(
                    Attribute(type: type, value: Self.prepared(text), form: isUndecoded ? .undecodedText : .text))
            } else {
                attributes.append(Attribute(type: type, value: Array(value.encoded), form: .encoding))
            }
        }
        attributes.sort { ASN1ObjectIdentifier.areInOrder($0.type, $1.type) }
        relativeNames.append(attributes)
    }

    /// An unambiguous encoding. Two names have equal encodings if and only if the names are ``NameMatch/same``.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        // Numbers are encoded in base-128 groups. Only the last group has bit 8 clear, so the encoding is prefix-free.
        func append(_ count: Int) {
            var rest = count
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
        }
        for attributes in relativeNames {
            append(attributes.count)
            for attribute in attributes {
                let type = attribute.type.contents
                append(type.count)
                bytes += type
                bytes.append(attribute.form.rawValue)
                append(attribute.value.count)
                bytes += attribute.value
            }
        }
        return bytes
    }

    /// Compares the first relative names of this name with all relative names of `base`. If they match, this name is in
    /// the subtree of `base` (RFC 5280 §4.2.1.10).
    func isWithin(_ base: ComparableName) -> NameMatch {
        guard base.relativeNames.count <= relativeNames.count else { return .different }
        return Self.combined(zip(relativeNames, base.relativeNames).lazy.map { Self.compare($0, $1) })
    }

    private static func compare(_ a: [Attribute], _ b: [Attribute]) -> NameMatch {
        guard a.count == b.count else { return .different }
        return combined(zip(a, b).lazy.map { Self.compare($0, $1) })
    }

    private static func compare(_ a: Attribute, _ b: Attribute) -> NameMatch {
        guard a.type == b.type else { return .different }
        if a.value == b.value, a.form == b.form { return .same }
        guard a.form != .encoding, b.form != .encoding else {
            // If a string could not be decoded, its case and spaces cannot be compared.
            return a.form != b.form || mayBeString(a) && mayBeString(b) ? .undecided : .different
        }
        let isASCII = a.value.allSatisfy { $0 < 0x80 } && b.value.allSatisfy { $0 < 0x80 }
        return isASCII || differ(a.value, b.value) || differ(a.value.reversed(), b.value.reversed())
            ? .different : .undecided
    }

    /// Returns the result for two lists from the results for their elements.
    private static func combined(_ matches: some Sequence<NameMatch>) -> NameMatch {
        var combined = NameMatch.same
        for match in matches where match != .same {
            if match == .different { return .different }
            combined = .undecided
        }
        return combined
    }

    /// Whether an attribute that was not decoded to text may still be a string: a VideotexString, GraphicString or
    /// GeneralString, or a UniversalString or BMPString with invalid characters.
    private static func mayBeString(_ attribute: Attribute) -> Bool {
        switch attribute.value.first {
        case 21, 25, 27, 28, 30: true
        default: false
        }
    }

    /// Whether the first difference is between two ASCII characters, and precedes every non-ASCII character.
    private static func differ(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Bool {
        for (a, b) in zip(a, b) {
            guard a < 0x80, b < 0x80 else { return false }
            if a != b { return true }
        }
        return false
    }

    // MARK: Strings

    private static let t61String = DERTag(.universal, 20, constructed: false)

    /// Returns a string as UTF-8, or `nil` if the element is not a string or cannot be decoded. The bytes of a
    /// T61String are returned unchanged.
    private static func text(of element: DERElement) -> [UInt8]? {
        switch element.tag {
        case .utf8String, .printableString, .ia5String: Array(element.content)
        // NumericString, T61String, VisibleString.
        case DERTag(.universal, 18, constructed: false), t61String, DERTag(.universal, 26, constructed: false):
            Array(element.content)
        // UniversalString, BMPString.
        case DERTag(.universal, 28, constructed: false): text(of: element.content, size: 4)
        case DERTag(.universal, 30, constructed: false): text(of: element.content, size: 2)
        default: nil
        }
    }

    /// Decodes characters of `size` octets each. Returns `nil` for invalid ones, such as a surrogate in a BMPString.
    private static func text(of contents: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        var text: [UInt8] = []
        var rest = contents
        while !rest.isEmpty {
            let value = rest.prefix(size).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            rest = rest.dropFirst(size)
            guard let scalar = Unicode.Scalar(value) else { return nil }
            text += UTF8.encode(scalar).map { Array($0) } ?? []
        }
        return text
    }

    /// Prepares the ASCII characters as in RFC 4518 §2.2, appendix A and §2.6.1.
    private static func prepared(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var isSpacePending = false
        for octet in text {
            switch octet {
            case 0x09...0x0D, 0x20: isSpacePending = true
            case 0x00..<0x20, 0x7F: break
            default:
                if isSpacePending, !result.isEmpty { result.append(0x20) }
                isSpacePending = false
                result.append(HostName.lowercased(octet))
            }
        }
        return result
    }
}
