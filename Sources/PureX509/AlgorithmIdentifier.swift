public import PureDER

/// `AlgorithmIdentifier` (RFC 5280 §4.1.1.2).
struct AlgorithmIdentifier {
    let algorithm: ASN1ObjectIdentifier
    /// The parameters, of any type; `nil` if there are none, which is not the same as NULL.
    let parameters: DERElement?

    /// Reads the contents of the SEQUENCE.
    init(_ contents: ArraySlice<UInt8>, _ field: CertificateField) throws(X509Error) {
        var reader = FieldReader(contents, field)
        algorithm = try reader.readObjectIdentifier()
        parameters = reader.isAtEnd ? nil : try reader.readElement()
        try reader.finish()
    }
}

/// How a certificate is signed.
@nonexhaustive
public enum SignatureAlgorithm: Hashable, Sendable {
    /// ecdsa-with-SHA256, with a key on either curve.
    case ecdsaWithSHA256
    /// ecdsa-with-SHA384, with a key on either curve.
    case ecdsaWithSHA384
    /// ecdsa-with-SHA512, with a key on either curve.
    case ecdsaWithSHA512
    /// One that is not implemented. Its parameters were not checked.
    case unsupported(ASN1ObjectIdentifier)

    /// Reads the contents of an `AlgorithmIdentifier`.
    package init(_ contents: ArraySlice<UInt8>) throws(X509Error) {
        let identifier = try AlgorithmIdentifier(contents, .signatureAlgorithm)
        switch identifier.algorithm {
        case .ecdsaWithSHA256: self = .ecdsaWithSHA256
        case .ecdsaWithSHA384: self = .ecdsaWithSHA384
        case .ecdsaWithSHA512: self = .ecdsaWithSHA512
        default:
            self = .unsupported(identifier.algorithm)
            return
        }
        // RFC 5758 §3.2: the parameters are absent.
        guard identifier.parameters == nil else { throw .unexpectedAlgorithmParameters }
    }
}
