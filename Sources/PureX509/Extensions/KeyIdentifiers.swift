import PureDER

/// authorityKeyIdentifier (RFC 5280 §4.2.1.1): an unproven hint at the issuer's key, used only to order candidates.
public struct AuthorityKeyIdentifier: Hashable, Sendable {
    /// The issuer's ``Certificate/subjectKeyIdentifier``, of any length.
    public let keyIdentifier: ArraySlice<UInt8>?
    /// The names of the CA that issued the issuer's certificate: encoded `GeneralNames` without the SEQUENCE header.
    public let authorityCertIssuer: ArraySlice<UInt8>?
    /// The serial number of the issuer's certificate: the contents of the INTEGER.
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
        // §4.2.1.1, appendix A.2: authorityCertIssuer and authorityCertSerialNumber are both present or both absent.
        guard (authorityCertIssuer == nil) == (authorityCertSerialNumber == nil) else {
            throw .invalidValue(.authorityKeyIdentifier)
        }
    }
}

/// Reads subjectKeyIdentifier (RFC 5280 §4.2.1.2), which is an OCTET STRING of any length.
func readSubjectKeyIdentifier(_ value: ArraySlice<UInt8>) throws(X509Error) -> ArraySlice<UInt8> {
    var reader = FieldReader(value, .subjectKeyIdentifier)
    let identifier = try reader.read(.octetString)
    try reader.finish()
    return identifier
}
