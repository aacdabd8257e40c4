import PureDER
import PureX509

/// An extension that is a SEQUENCE of `[number] { value }`, of which OCTET STRINGs are read.
///
/// Apple documents none of its fields, and older leaves have fewer: none is missed. But a field that is there in another form, or twice, is
/// not one that is absent.
struct LeafFields {
    /// What is there of a field.
    enum Field {
        case absent
        case octets(ArraySlice<UInt8>)
        /// There, and not once as an OCTET STRING.
        case unreadable

        /// The octets, if they can be read.
        var octets: ArraySlice<UInt8>? {
            if case .octets(let octets) = self { octets } else { nil }
        }
    }

    private var fields: [DERElement] = []

    /// The fields; none if the certificate does not have the extension.
    init(of leaf: Certificate, in identifier: ASN1ObjectIdentifier) throws(DERError) {
        guard let value = leaf.extension(identifier)?.value else { return }
        var reader = DERReader(value)
        var sequence = try reader.enter(.sequence)
        try reader.finish()
        while !sequence.isAtEnd { fields.append(try sequence.readElement()) }
    }

    /// A field by its number.
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

/// The system that a leaf names.
struct LeafSystem {
    let information: SystemInformation
    /// The version as it is written.
    let version: [UInt8]?
}

extension LeafExtensions {
    /// What 1.2.840.113635.100.8.7 says, and the version as it is written.
    ///
    /// Policies ask for the version and the build, and refuse what they don't find. Of the platform and the kind of release, absence means
    /// something, so that what is there and can't be read is not taken for absence.
    static func system(of leaf: Certificate) throws(PureAttestError) -> LeafSystem {
        let fields: LeafFields
        do { fields = try LeafFields(of: leaf, in: systemIdentifier) } catch { throw .malformedSystemInformation }
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

    /// "?" for a kind of release that can't be read: it is none of a public release's, which have no such field.
    private static func releaseType(_ field: LeafFields.Field) -> [UInt8]? {
        if case .absent = field { return nil }
        return field.octets.flatMap { SystemInformation.text($0) } ?? [0x3f]
    }
}
