public import PureDER

/// A well-formed `Name` (RFC 5280 §4.1.2.4).
///
/// - Note: This module deviates from RFC 5280 §7.1. It compares names as bytes, as rustls-webpki and Go do. Byte
///   comparison finds issuers, because a CA copies its encoded name into the certificates that it issues. Two names
///   that are equal as bytes are also equal by RFC 5280. To ignore case and repeated spaces, as RFC 5280 §7.1 requires,
///   select `NameComparison.rfc5280` of PureX509Paths. Names in name constraints are always compared by §7.1.
public struct DistinguishedName: Hashable, Sendable {
    /// An attribute of the name, such as the common name.
    public struct Attribute: Hashable, Sendable {
        /// The attribute's type.
        public let type: ASN1ObjectIdentifier
        /// The attribute's value. If it is a character string, it contains only characters that its type allows.
        public let value: DERElement
    }

    /// The encoding.
    public let derEncoded: ArraySlice<UInt8>

    /// Reads exactly one encoded name.
    public init(derEncoded: ArraySlice<UInt8>) throws(X509Error) {
        try Self.read(derEncoded, .subject)
        self.derEncoded = derEncoded
    }

    /// Creates a name from ``Certificate/issuer`` or ``Certificate/subject``, which are known to be well-formed.
    package init(validated derEncoded: ArraySlice<UInt8>) {
        self.derEncoded = derEncoded
    }

    /// The attributes in encoding order.
    public var attributes: [Attribute] {
        var attributes: [Attribute] = []
        do {
            try Self.read(derEncoded, .subject) { attributes.append(Attribute(type: $0, value: $1)) }
        } catch {
            preconditionFailure("a name that was read before does not throw")
        }
        return attributes
    }

    /// The relative distinguished names in encoding order. Each has at least one attribute.
    public var relativeNames: [[Attribute]] {
        var relativeNames: [[Attribute]] = []
        do {
            var names = try FieldReader.entering(.sequence, of: derEncoded, .subject)
            while !names.isAtEnd {
                var relativeName = try names.enter(.set)
                var attributes: [Attribute] = []
                while !relativeName.isAtEnd {
                    var attribute = try relativeName.enter(.sequence)
                    let type = try attribute.readObjectIdentifier()
                    attributes.append(Attribute(type: type, value: try attribute.readElement()))
                }
                relativeNames.append(attributes)
            }
        } catch {
            preconditionFailure("a name that was read before does not throw")
        }
        return relativeNames
    }

    /// Reads an encoded name, which may be empty: `SEQUENCE OF SET SIZE (1..MAX) OF SEQUENCE { type, value }`.
    package static func read(
        _ derEncoded: ArraySlice<UInt8>, _ field: CertificateField,
        visit: (ASN1ObjectIdentifier, DERElement) -> Void = { _, _ in }
    ) throws(X509Error) {
        var names = try FieldReader.entering(.sequence, of: derEncoded, field)
        while !names.isAtEnd {
            var relativeName = try names.enter(.set)
            try relativeName.requireElement()
            var previous: ArraySlice<UInt8> = []
            var types = DistinctIdentifiers()
            while !relativeName.isAtEnd {
                let encoded = try relativeName.readElement(.sequence)
                // X.690 §11.6 pads the shorter encoding with zeros. This comparison needs no padding, because no
                // element's encoding is a prefix of a different element's encoding.
                guard !encoded.encoded.lexicographicallyPrecedes(previous) else { throw .unsortedSet(field) }
                previous = encoded.encoded
                var attribute = FieldReader(encoded.content, field)
                let type = try attribute.readObjectIdentifier()
                let value = try attribute.readElement()
                try attribute.finish()
                guard isValidCharacterString(value) else { throw .invalidCharacters(field) }
                types.append(type)
                visit(type, value)
            }
            // X.501 §9.3: "a given attribute type cannot appear twice in the same RDN".
            guard types.areDistinct else { throw .duplicateAttributeType(field) }
        }
    }
}
