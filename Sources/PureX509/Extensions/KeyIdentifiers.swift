import PureDER

/// authorityKeyIdentifier (RFC 5280 §4.2.1.1), a hint at the issuer's key. It orders candidates and proves nothing.
public struct AuthorityKeyIdentifier: Hashable, Sendable {
    /// The issuer's ``Certificate/subjectKeyIdentifier``, of any length.
    public let keyIdentifier: ArraySlice<UInt8>?
    /// The encoded `GeneralNames` of the issuer's own issuer, without the enclosing SEQUENCE.
    public let authorityCertIssuer: ArraySlice<UInt8>?
    /// The contents of the issuer's serial number.
    public let authorityCertSerialNumber: ArraySlice<UInt8>?

    package init(_ value: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: value, .authorityKeyIdentifier)
        keyIdentifier = try reader.readIfPresent(.contextPrimitive(0))
        if let names = try reader.readIfPresent(.context(1)) {
            try GeneralName.readAll(FieldReader(names, reader.field))
            authorityCertIssuer = names
        } else {
            authorityCertIssuer = nil
        }
        authorityCertSerialNumber =
            try reader.peekTag() == .contextPrimitive(2) ? try reader.readInteger(.contextPrimitive(2)) : nil
        try reader.finish()
        // §4.2.1.1, appendix A.2: both are present, or both are absent.
        guard (authorityCertIssuer == nil) == (authorityCertSerialNumber == nil) else {
            throw .invalidValue(.authorityKeyIdentifier)
        }
    }
}

/// Reads subjectKeyIdentifier (RFC 5280 §4.2.1.2), an OCTET STRING of any length.
func readSubjectKeyIdentifier(_ value: ArraySlice<UInt8>) throws(X509Error) -> ArraySlice<UInt8> {
    var reader = FieldReader(value, .subjectKeyIdentifier)
    let identifier = try reader.read(.octetString)
    try reader.finish()
    return identifier
}
