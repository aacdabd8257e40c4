/// A name and a key that are trusted to issue certificates (RFC 5280 §6.1.1 d).
///
/// A class for the reason that ``Certificate`` is one.
public final class TrustAnchor: Sendable {
    /// The encoded name, compared as bytes with the issuers of certificates.
    public let name: ArraySlice<UInt8>
    /// The encoded `SubjectPublicKeyInfo`.
    public let subjectPublicKeyInfo: ArraySlice<UInt8>
    /// The certificate whose constraints apply, if the anchor was made of one.
    public let certificate: Certificate?
    package let key: IssuerKey

    private init(
        name: ArraySlice<UInt8>, subjectPublicKeyInfo: ArraySlice<UInt8>, certificate: Certificate?, key: IssuerKey
    ) {
        self.name = name
        self.subjectPublicKeyInfo = subjectPublicKeyInfo
        self.certificate = certificate
        self.key = key
    }

    /// The anchor that `certificate` describes, with its constraints (RFC 5937): basicConstraints must be there and allow
    /// issuing, keyUsage must allow it if there, and the path length, the extended key usage, name constraints and
    /// policies count. Where a path may not contain those, an anchor may not either.
    ///
    /// - Note: Deviation: neither the anchor's signature nor its dates are checked. Whoever makes an anchor of a
    ///   certificate has decided to trust it; RFC 5280 §6.1.1 knows no validity of trust anchors.
    public convenience init(_ certificate: Certificate) throws(X509Error) {
        try self.init(certificate, key: IssuerKey(certificate.publicKey))
    }

    /// The same with the certificate's key as it is given, which must be that key: as a table, or `nil` for one that is none of ours.
    package convenience init(_ certificate: Certificate, key: IssuerKey?) throws(X509Error) {
        try certificate.checkProfile(position: 0, processesConstraints: true)
        try certificate.checkIssues(requiresKeyUsage: false, position: 0)
        guard let key else { throw .unsupportedPublicKey(certificate: 0) }
        self.init(
            name: certificate.subject, subjectPublicKeyInfo: certificate.subjectPublicKeyInfo, certificate: certificate,
            key: key)
    }

    /// A name and a key without any constraint. `name` is an encoded, non-empty `Name`.
    public convenience init(name: ArraySlice<UInt8>, subjectPublicKeyInfo: ArraySlice<UInt8>) throws(X509Error) {
        try DistinguishedName.read(name, .subject)
        guard name.count > Certificate.emptyNameSize else { throw .emptyList(.subject) }
        guard let key = IssuerKey(try CertificatePublicKey(subjectPublicKeyInfo: subjectPublicKeyInfo)) else {
            throw .unsupportedPublicKey(certificate: 0)
        }
        self.init(name: name, subjectPublicKeyInfo: subjectPublicKeyInfo, certificate: nil, key: key)
    }
}
