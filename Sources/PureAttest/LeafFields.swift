import PureDER
import PureX509

/// An extension that is a SEQUENCE of `[number] { OCTET STRING }` and of fields of other types, which are passed over.
///
/// Apple documents none of its fields, and older leaves have fewer: none is missed. But nothing is taken from an extension that
/// is not well-formed to its end, nor a field that it has twice.
struct LeafFields {
    private var fields: [(number: UInt32, octets: ArraySlice<UInt8>)] = []

    init(of leaf: Certificate, in identifier: ASN1ObjectIdentifier) {
        guard let value = leaf.extension(identifier)?.value else { return }
        do {
            var reader = DERReader(value)
            var sequence = try reader.enter(.sequence)
            try reader.finish()
            while !sequence.isAtEnd {
                let element = try sequence.readElement()
                guard element.tag == .context(element.tag.number) else { continue }
                var tagged = DERReader(element.content)
                guard let octets = try? tagged.readOctetString() else { continue }
                try tagged.finish()
                fields.append((element.tag.number, octets))
            }
        } catch { fields = [] }
    }

    /// The octets of a field, if it is there once.
    subscript(number: UInt32) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        for field in fields where field.number == number {
            guard found == nil else { return nil }
            found = field.octets
        }
        return found
    }
}

extension SystemInformation {
    /// What 1.2.840.113635.100.8.7 says.
    init(_ fields: LeafFields) {
        platform = fields[1026].flatMap { SystemPlatform(ascii: $0) }
        version = fields[1400].flatMap { SystemVersion(ascii: $0) }
        build = fields[1403].flatMap { SystemBuild(ascii: $0) }
        releaseTypeASCII = fields[1029].flatMap { SystemInformation.text($0) }
    }
}
