package import PureDER

/// `Certificate` (RFC 5280 §4.1.1), split into its three elements. Only the signature's BIT STRING is decoded.
package struct SignedCertificate {
    /// The encoded `tbsCertificate`, including the header.
    package let tbsCertificate: ArraySlice<UInt8>
    /// The contents of `signatureAlgorithm`.
    package let signatureAlgorithm: ArraySlice<UInt8>
    /// The contents of the signature's BIT STRING, which must be whole octets.
    package let signature: ArraySlice<UInt8>

    package init(_ derEncoded: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: derEncoded, .certificate)
        tbsCertificate = try reader.readElement(.sequence).encoded
        signatureAlgorithm = try reader.read(.sequence)
        var signatureReader = FieldReader(reader.remaining, .signatureValue)
        signature = try signatureReader.readOctets()
        try signatureReader.finish()
    }
}

/// `TBSCertificate` (RFC 5280 §4.1.2), split into its fields. Only numbers and times are decoded. Unique identifiers
/// are checked and skipped.
package struct CertificateFields {
    /// The version: 1, 2 or 3.
    package let version: Int
    /// The contents of the INTEGER, which has the shortest form. ``Certificate`` checks the sign and the length.
    package let serialNumber: ArraySlice<UInt8>
    /// The contents of `signature`.
    package let signatureAlgorithm: ArraySlice<UInt8>
    /// The encoded `Name`.
    package let issuer: ArraySlice<UInt8>
    package let notBefore: UnixTime
    package let notAfter: UnixTime
    package let subject: ArraySlice<UInt8>
    package let subjectPublicKeyInfo: ArraySlice<UInt8>
    /// The contents of `Extensions`.
    package let extensions: ArraySlice<UInt8>?

    package init(_ tbsCertificate: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: tbsCertificate, .tbsCertificate)
        version = try Self.readVersion(&reader)
        reader.field = .serialNumber
        serialNumber = try reader.readInteger()
        reader.field = .signatureAlgorithm
        signatureAlgorithm = try reader.read(.sequence)
        reader.field = .issuer
        issuer = try reader.readElement(.sequence).encoded
        reader.field = .validity
        var validity = try reader.enter(.sequence)
        notBefore = try validity.readTime()
        notAfter = try validity.readTime()
        try validity.finish()
        reader.field = .subject
        subject = try reader.readElement(.sequence).encoded
        reader.field = .subjectPublicKeyInfo
        subjectPublicKeyInfo = try reader.readElement(.sequence).encoded
        reader.field = .uniqueIdentifier
        try Self.skipUniqueID(1, &reader, version)
        try Self.skipUniqueID(2, &reader, version)
        reader.field = .extensions
        if let wrapped = try reader.readIfPresent(.context(3)) {
            // §4.1.2.9: only in version 3.
            guard version == 3 else { throw .fieldNotAllowedInVersion(.extensions) }
            var list = FieldReader(wrapped, .extensions)
            extensions = try list.read(.sequence)
            try list.finish()
        } else {
            extensions = nil
        }
        reader.field = .tbsCertificate
        try reader.finish()
    }

    /// Reads the version. §4.1.2.1: [0] EXPLICIT INTEGER DEFAULT v1.
    private static func readVersion(_ reader: inout FieldReader) throws(X509Error) -> Int {
        guard let explicit = try reader.readIfPresent(.context(0)) else { return 1 }
        var field = FieldReader(explicit, .version)
        let number = try field.readInt64()
        try field.finish()
        switch number {
        case 0: throw .encodedDefault(.version)
        case 1: return 2
        case 2: return 3
        default: throw .unknownVersion
        }
    }

    /// Skips a unique identifier. §4.1.2.8: [1] and [2] IMPLICIT BIT STRING, not allowed in version 1.
    private static func skipUniqueID(_ number: UInt32, _ reader: inout FieldReader, _ version: Int) throws(X509Error) {
        guard try reader.peekTag() == .contextPrimitive(number) else { return }
        guard version > 1 else { throw .fieldNotAllowedInVersion(.uniqueIdentifier) }
        _ = try reader.readBitString(.contextPrimitive(number))
    }
}
