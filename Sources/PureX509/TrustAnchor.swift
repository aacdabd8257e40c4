/// A trusted issuer of certificates: a name and a key (RFC 5280 §6.1.1 d).
///
/// Like ``Certificate``, this is a class, because copying a struct would retain and release every slice.
public final class TrustAnchor: Sendable {
    /// The encoded name, which is compared with issuer names in certificates.
    public let name: ArraySlice<UInt8>
    /// The encoded `SubjectPublicKeyInfo`.
    public let subjectPublicKeyInfo: ArraySlice<UInt8>
    /// The certificate from which the anchor was created, or `nil` for an anchor from a name and a key. The
    /// certificate's constraints apply to paths.
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

    /// Creates an anchor from `certificate`, with its constraints (RFC 5937).
    ///
    /// The certificate must have basicConstraints that mark it as a CA. If present, keyUsage must allow signing
    /// certificates. The path length, extended key usage, name constraints and policies of the certificate apply to
    /// paths. Verifiers that reject name and policy constraints also reject anchors that have such constraints.
    ///
    /// - Note: The anchor's signature and dates are not checked. The caller has decided to trust the certificate, and
    ///   RFC 5280 §6.1.1 defines no validity period for trust anchors.
    public convenience init(_ certificate: Certificate) throws(X509Error) {
        try self.init(certificate, key: IssuerKey(certificate.publicKey))
    }

    /// `key` is the certificate's public key, possibly with a table, or `nil` if the key type is unsupported.
    package convenience init(_ certificate: Certificate, key: IssuerKey?) throws(X509Error) {
        try certificate.checkProfile(position: 0, processesConstraints: true)
        try certificate.checkIssues(requiresKeyUsage: false, position: 0)
        guard let key else { throw .unsupportedPublicKey(certificate: 0) }
        self.init(
            name: certificate.subject, subjectPublicKeyInfo: certificate.subjectPublicKeyInfo, certificate: certificate,
            key: key)
    }

    /// Creates an anchor without constraints. `name` is an encoded, non-empty `Name`.
    public convenience init(name: ArraySlice<UInt8>, subjectPublicKeyInfo: ArraySlice<UInt8>) throws(X509Error) {
        try DistinguishedName.read(name, .subject)
        guard name.count > Certificate.emptyNameSize else { throw .emptyList(.subject) }
        guard let key = IssuerKey(try CertificatePublicKey(subjectPublicKeyInfo: subjectPublicKeyInfo)) else {
            throw .unsupportedPublicKey(certificate: 0)
        }
        self.init(name: name, subjectPublicKeyInfo: subjectPublicKeyInfo, certificate: nil, key: key)
    }
}
