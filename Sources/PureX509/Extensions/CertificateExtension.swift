public import PureDER

/// One extension of a certificate (RFC 5280 §4.2).
public struct CertificateExtension: Hashable, Sendable {
    /// The extension's type.
    public let identifier: ASN1ObjectIdentifier
    /// Whether a verifier that does not know the extension must reject the certificate.
    public let isCritical: Bool
    /// The contents of the OCTET STRING: DER of the identifier's type. Well-formed if this module decodes the type.
    public let value: ArraySlice<UInt8>

    init(_ contents: ArraySlice<UInt8>) throws(X509Error) {
        var reader = FieldReader(contents, .extensions)
        let identifier = try reader.readObjectIdentifier(), isCritical = try reader.readFlag()
        let value = try reader.read(.octetString)
        try reader.finish()
        // Assigned together: the compiler would add a copy if an error could leave the value incomplete.
        (self.identifier, self.isCritical, self.value) = (identifier, isCritical, value)
    }

    /// Reads the contents of `Extensions`, at least one.
    package static func readAll(_ list: FieldReader) throws(X509Error) -> [CertificateExtension] {
        var list = list
        try list.requireElement()
        var extensions: [CertificateExtension] = []
        extensions.reserveCapacity(typicalCount)
        while !list.isAtEnd {
            let next = try CertificateExtension(try list.read(.sequence))
            guard extensions.count < Certificate.maximumExtensionCount else { throw .tooManyExtensions }
            // §4.2: at most one instance of each extension. The count limit above bounds this search.
            for i in extensions.indices where extensions[i].identifier == next.identifier {
                throw .duplicateExtension(next.identifier)
            }
            extensions.append(next)
        }
        return extensions
    }

    /// The initial capacity. It is enough for most certificates, so the array is allocated once.
    private static var typicalCount: Int { 8 }
}
