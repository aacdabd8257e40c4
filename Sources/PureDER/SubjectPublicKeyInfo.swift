/// `AlgorithmIdentifier` (RFC 5280 §4.1.1.2).
package struct AlgorithmIdentifier: Sendable {
    package let algorithm: ASN1ObjectIdentifier
    /// The parameters as an element of any type, or `nil` if the field is absent. For NULL parameters, the value is the
    /// NULL element, not `nil`.
    package let parameters: DERElement?

    package init(contents: ArraySlice<UInt8>) throws(DERError) {
        var reader = DERReader(contents)
        algorithm = try reader.readObjectIdentifier()
        parameters = reader.isAtEnd ? nil : try reader.readElement()
        try reader.finish()
    }

    package var hasNullParameters: Bool {
        guard let parameters else { return false }
        return parameters.tag == .null && parameters.content.isEmpty
    }
}

/// `SubjectPublicKeyInfo` (RFC 5280 §4.1.2.7). The key is not decoded.
package struct SubjectPublicKeyInfo: Sendable {
    package let algorithm: AlgorithmIdentifier
    /// The key, encoded as the algorithm defines. Some algorithms allow keys that are not a whole number of octets.
    package let publicKey: DERBitString

    package init(derEncoded: ArraySlice<UInt8>) throws(DERError) {
        var outer = DERReader(derEncoded)
        var info = try outer.enter(.sequence)
        try outer.finish()
        algorithm = try AlgorithmIdentifier(contents: try info.read(.sequence))
        publicKey = try info.readBitString()
        try info.finish()
    }

    /// Returns the curve of an elliptic-curve key, or `nil` if the parameters do not name a curve.
    ///
    /// RFC 5480 §2.1.1 allows only namedCurve; implicitCurve (NULL) and specifiedCurve MUST NOT be used.
    package func namedCurve() throws(DERError) -> ASN1ObjectIdentifier? {
        guard let parameters = algorithm.parameters, parameters.tag == .objectIdentifier else { return nil }
        return try ASN1ObjectIdentifier(contents: parameters.content)
    }
}
