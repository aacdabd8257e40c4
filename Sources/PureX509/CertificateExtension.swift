public import PureDER

/// One extension of a certificate (RFC 5280 §4.2).
public struct CertificateExtension: Hashable, Sendable {
    /// What it is.
    public let identifier: ASN1ObjectIdentifier
    /// Whether a verifier that does not know it must refuse the certificate.
    public let isCritical: Bool
    /// The contents of the OCTET STRING: DER of a type that the identifier tells. The types that this module knows were
    /// read and are well-formed.
    public let value: ArraySlice<UInt8>

    init(_ contents: ArraySlice<UInt8>) throws(X509Error) {
        var reader = FieldReader(contents, .extensions)
        let identifier = try reader.readObjectIdentifier(), isCritical = try reader.readFlag()
        let value = try reader.read(.octetString)
        try reader.finish()
        // At once: a structure that an error may leave half made is copied when it is whole.
        (self.identifier, self.isCritical, self.value) = (identifier, isCritical, value)
    }

    /// Reads the contents of `Extensions`, which are one or more.
    package static func readAll(_ list: FieldReader) throws(X509Error) -> [CertificateExtension] {
        var list = list
        try list.requireElement()
        var extensions: [CertificateExtension] = []
        extensions.reserveCapacity(typicalCount)
        while !list.isAtEnd {
            let next = try CertificateExtension(try list.read(.sequence))
            guard extensions.count < Certificate.maximumExtensionCount else { throw .tooManyExtensions }
            // §4.2: not more than one instance of each. The limit bounds the pairs.
            for i in extensions.indices where extensions[i].identifier == next.identifier {
                throw .duplicateExtension(next.identifier)
            }
            extensions.append(next)
        }
        return extensions
    }

    /// What most certificates have at most: one allocation.
    private static var typicalCount: Int { 8 }
}
