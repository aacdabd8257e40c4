public import PureDER

/// One extension of a certificate (RFC 5280 §4.2).
public struct CertificateExtension: Hashable, Sendable {
    /// The extension's type.
    public let identifier: ASN1ObjectIdentifier
    /// Whether the extension is critical, so that a verifier that does not know it must reject the certificate.
    public let isCritical: Bool
    /// The contents of the OCTET STRING: DER, which is well-formed if this module decodes the extension.
    public let value: ArraySlice<UInt8>

    init(_ contents: ArraySlice<UInt8>) throws(X509Error) {
        var reader = FieldReader(contents, .extensions)
        let identifier = try reader.readObjectIdentifier(), isCritical = try reader.readFlag()
        let value = try reader.read(.octetString)
        try reader.finish()
        // Assigns all properties after the last call that can throw. The compiler adds a copy if an error can leave the
        // value partly initialised.
        (self.identifier, self.isCritical, self.value) = (identifier, isCritical, value)
    }

    /// Reads the contents of `Extensions`, which must contain at least one extension.
    package static func readAll(_ list: FieldReader) throws(X509Error) -> [CertificateExtension] {
        var list = list
        try list.requireElement()
        var extensions: [CertificateExtension] = []
        extensions.reserveCapacity(typicalCount)
        while !list.isAtEnd {
            let next = try CertificateExtension(try list.read(.sequence))
            guard extensions.count < Certificate.maximumExtensionCount else { throw .tooManyExtensions }
            // §4.2: an extension must not occur twice. The limit on the number of extensions bounds this search.
            for i in extensions.indices where extensions[i].identifier == next.identifier {
                throw .duplicateExtension(next.identifier)
            }
            extensions.append(next)
        }
        return extensions
    }

    /// The initial capacity of the array. Most certificates have at most this many extensions, so the array is allocated
    /// once.
    private static var typicalCount: Int { 8 }
}
