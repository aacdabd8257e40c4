import PureDER
import PureX509

/// Whether two names, or two parts of names, are the same.
enum NameMatch {
    case same
    case different
    /// They may be the same by rules of Unicode that are not applied here.
    case undecided
}

/// A `Name` in the form in which RFC 5280 §7.1 compares names.
///
/// The profile of RFC 4518: strings of all types but T61String become UTF-8 (§2.1); of the characters of ASCII, controls are spaces
/// or nothing (§2.2), letters lose their case (appendix A), and spaces at the ends go, as all but one of several do (§2.6.1). Other
/// characters are neither folded nor normalised: names are ``NameMatch/same`` only with the very same ones, and
/// ``NameMatch/different`` only if ASCII before the first of them, or after the last, differs, which no such rule would change.
struct ComparableName: Sendable {
    struct Attribute: Sendable {
        let type: ASN1ObjectIdentifier
        /// Of text, what is compared; of anything else, the encoding.
        let value: [UInt8]
        let isText: Bool
    }

    /// The relative names, the attributes of each in the order of their types.
    private(set) var relativeNames: [[Attribute]] = []

    /// Reads an encoded name.
    init(_ derEncoded: ArraySlice<UInt8>, _ field: CertificateField) throws(X509Error) {
        var names = try FieldReader.entering(.sequence, of: derEncoded, field)
        while !names.isAtEnd { try append(relativeName: try names.read(.set), field) }
    }

    /// Adds a relative name: the contents of its SET.
    mutating func append(relativeName contents: ArraySlice<UInt8>, _ field: CertificateField) throws(X509Error) {
        var reader = FieldReader(contents, field)
        var attributes: [Attribute] = []
        while !reader.isAtEnd {
            var attribute = try reader.enter(.sequence)
            let type = try attribute.readObjectIdentifier()
            let value = try attribute.readElement()
            try attribute.finish()
            if let text = Self.text(of: value) {
                attributes.append(Attribute(type: type, value: Self.prepared(text), isText: true))
            } else {
                attributes.append(Attribute(type: type, value: Array(value.encoded), isText: false))
            }
        }
        attributes.sort { ASN1ObjectIdentifier.areInOrder($0.type, $1.type) }
        relativeNames.append(attributes)
    }

    /// Bytes that are equal if the names are ``NameMatch/same``, and only then.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        // In groups of seven bits, the last of which has no bit 8: no number begins as another one is.
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
                bytes.append(attribute.isText ? 1 : 0)
                append(attribute.value.count)
                bytes += attribute.value
            }
        }
        return bytes
    }

    /// RFC 5280 §4.2.1.10: whether this name is in the subtree of `base`, which is its beginning.
    func isWithin(_ base: ComparableName) -> NameMatch {
        guard base.relativeNames.count <= relativeNames.count else { return .different }
        var match = NameMatch.same
        for index in base.relativeNames.indices {
            switch Self.compare(relativeNames[index], base.relativeNames[index]) {
            case .same: break
            case .different: return .different
            case .undecided: match = .undecided
            }
        }
        return match
    }

    private static func compare(_ a: [Attribute], _ b: [Attribute]) -> NameMatch {
        guard a.count == b.count else { return .different }
        var match = NameMatch.same
        for index in a.indices {
            guard a[index].type == b[index].type else { return .different }
            switch compare(a[index], b[index]) {
            case .same: break
            case .different: return .different
            case .undecided: match = .undecided
            }
        }
        return match
    }

    private static func compare(_ a: Attribute, _ b: Attribute) -> NameMatch {
        guard a.isText, b.isText else {
            if a.isText == b.isText, a.value == b.value { return .same }
            // A string that has no characters here: nothing can be said of case and spaces.
            return a.isText || b.isText || mayBeString(a) && mayBeString(b) ? .undecided : .different
        }
        if a.value == b.value { return .same }
        let isASCII = a.value.allSatisfy { $0 < 0x80 } && b.value.allSatisfy { $0 < 0x80 }
        return isASCII || differ(a.value, b.value) || differ(a.value.reversed(), b.value.reversed())
            ? .different : .undecided
    }

    /// Whether an attribute that is no text is of a type of strings: UniversalString or BMPString with what is no character of
    /// theirs, VideotexString, GraphicString or GeneralString.
    private static func mayBeString(_ attribute: Attribute) -> Bool {
        switch attribute.value.first {
        case 21, 25, 27, 28, 30: true
        default: false
        }
    }

    /// Whether the first difference is between two characters of ASCII.
    private static func differ(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Bool {
        for (a, b) in zip(a, b) {
            guard a < 0x80, b < 0x80 else { return false }
            if a != b { return true }
        }
        return false
    }

    // MARK: Strings

    /// The characters of a string in UTF-8; `nil` if it is none, or has none. A T61String is taken as it is: its characters
    /// beyond ASCII equal nothing but themselves.
    private static func text(of element: DERElement) -> [UInt8]? {
        switch element.tag {
        case .utf8String, .printableString, .ia5String: Array(element.content)
        // NumericString, T61String, VisibleString.
        case DERTag(.universal, 18, constructed: false), DERTag(.universal, 20, constructed: false),
            DERTag(.universal, 26, constructed: false):
            Array(element.content)
        // UniversalString, BMPString.
        case DERTag(.universal, 28, constructed: false): text(of: element.content, size: 4)
        case DERTag(.universal, 30, constructed: false): text(of: element.content, size: 2)
        default: nil
        }
    }

    /// Characters of `size` octets each. A surrogate, which BMPString has none of, makes it no text.
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

    /// RFC 4518 §2.2, appendix A and §2.6.1, of ASCII.
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
