import PureDER
import PureX509

/// An extension that is a SEQUENCE of `[number] { value }`. This type reads only OCTET STRING values. Every field is
/// optional, because Apple does not document the fields of these extensions, and older leaves have fewer fields.
struct LeafFields {
    enum Field {
        case absent
        case octets(ArraySlice<UInt8>)
        /// The field occurs more than once, or its value is not an OCTET STRING.
        case unreadable

        var octets: ArraySlice<UInt8>? {
            if case .octets(let octets) = self { octets } else { nil }
        }
    }

    private var fields: [DERElement] = []

    /// Reads the fields of the extension. Without the extension, the list of fields is empty.
    init(of leaf: Certificate, in identifier: ASN1ObjectIdentifier) throws(DERError) {
        guard let value = leaf.extension(identifier)?.value else { return }
        var reader = DERReader(value)
        var sequence = try reader.enter(.sequence)
        try reader.finish()
        while !sequence.isAtEnd { fields.append(try sequence.readElement()) }
    }

    subscript(number: UInt32) -> Field {
        var found = Field.absent
        for element in fields where element.tag == .context(number) {
            guard case .absent = found else { return .unreadable }
            var value = DERReader(element.content)
            guard let octets = try? value.readOctetString(), value.isAtEnd else { return .unreadable }
            found = .octets(octets)
        }
        return found
    }
}

struct LeafSystem {
    let information: SystemInformation
    /// The version as encoded.
    let version: [UInt8]?
}

extension LeafExtensions {
    /// Reads the system information from extension 1.2.840.113635.100.8.7. An unreadable version or build is treated as
    /// missing, because policies on versions and builds reject missing values by default. A missing platform or release
    /// kind has a meaning of its own, so an unreadable field must not be treated as missing. An unreadable platform
    /// therefore throws an error, and an unreadable release kind becomes "?".
    static func system(of leaf: Certificate) throws(PureAttestError) -> LeafSystem {
        let fields: LeafFields
        do { fields = try LeafFields(of: leaf, in: .systemInformation) } catch { throw .malformedSystemInformation }
        var platform: SystemPlatform?
        switch fields[1026] {
        case .absent: break
        case .octets(let octets):
            platform = SystemPlatform(ascii: octets)
            if platform == nil { throw .malformedSystemInformation }
        case .unreadable: throw .malformedSystemInformation
        }
        let version = fields[1400].octets
        return LeafSystem(
            information: SystemInformation(
                platform: platform, version: version.flatMap { SystemVersion(ascii: $0) },
                build: fields[1403].octets.flatMap { SystemBuild(ascii: $0) },
                releaseTypeASCII: releaseType(fields[1029])),
            version: version.map { [UInt8]($0) })
    }

    private static func releaseType(_ field: LeafFields.Field) -> [UInt8]? {
        if case .absent = field { return nil }
        return field.octets.flatMap { SystemInformation.text($0) } ?? [0x3f]
    }
}
