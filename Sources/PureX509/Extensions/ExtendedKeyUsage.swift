public import PureDER

/// extKeyUsage (RFC 5280 §4.2.1.12): the purposes to which the key is restricted.
public struct ExtendedKeyUsage: Hashable, Sendable {
    /// The purposes as DER, without the header of the SEQUENCE. There is at least one.
    private let contents: ArraySlice<UInt8>

    init(_ value: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: value, .extendedKeyUsage)
        try reader.requireElement()
        contents = reader.remaining
        while !reader.isAtEnd { _ = try reader.readObjectIdentifier() }
    }

    /// The purposes in encoding order.
    public var purposes: [ASN1ObjectIdentifier] {
        var purposes: [ASN1ObjectIdentifier] = []
        var reader = DERReader(contents)
        while let purpose = try? reader.readObjectIdentifier() { purposes.append(purpose) }
        return purposes
    }

    /// Whether the extension lists `purpose` or ``PureDER/ASN1ObjectIdentifier/anyExtendedKeyUsage``.
    public func allows(_ purpose: ASN1ObjectIdentifier) -> Bool {
        var reader = DERReader(contents)
        while let listed = try? reader.readObjectIdentifier() {
            if listed == purpose || listed == .anyExtendedKeyUsage { return true }
        }
        return false
    }
}
