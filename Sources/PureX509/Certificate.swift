@_exported public import struct PureDER.ASN1ObjectIdentifier
@_exported public import struct PureDER.UnixTime

/// An X.509 certificate (RFC 5280 §4.1), read once and completely.
///
/// What is here is well-formed and obeys the rules that RFC 5280 §4 sets for one certificate; whether it is signed by
/// anyone, or valid now, is for `CertificatePathVerifier` of PureX509Paths. Every property is a slice of the one encoding, so that the
/// bytes that were parsed are the bytes that the signature is verified over.
///
/// A class, as it is passed on whole: copied as a value, each of its slices would be retained and released by itself. Nothing of it
/// ever changes, so that no one can tell.
public final class Certificate: Sendable {
    /// The longest encoding that is read, 102,400 bytes: OpenSSL's limit for a whole chain (`SSL_MAX_CERT_LIST_DEFAULT`).
    /// Apple's have fewer than 1,200.
    public static var maximumEncodedSize: Int { 102_400 }

    /// The most extensions that are read: 64. RFC 5280 §4.2 defines 17; Apple's have up to 9. It bounds the comparison of
    /// each with each (duplicates).
    public static var maximumExtensionCount: Int { 64 }

    /// The longest serial number in octets, sign included (RFC 5280 §4.1.2.2).
    public static var maximumSerialNumberSize: Int { 20 }

    /// The encoding: exactly what was read.
    public let derEncoded: ArraySlice<UInt8>
    /// `tbsCertificate` with its header: what the signature covers.
    public let tbsCertificate: ArraySlice<UInt8>
    /// 1, 2 or 3. Only version 3 can be part of a path.
    public let version: Int
    /// The serial number, big-endian, as in the encoding: a leading 00 is the sign. Positive, up to 20 octets.
    public let serialNumber: ArraySlice<UInt8>
    /// How the certificate is signed; the same inside the signed part and outside.
    public let signatureAlgorithm: SignatureAlgorithm
    /// The signature: of ECDSA, an encoded `ECDSA-Sig-Value`. It has not been read.
    public let signature: ArraySlice<UInt8>
    /// The encoded name of the issuer. Not empty.
    public let issuer: ArraySlice<UInt8>
    /// The first second of the validity.
    public let notBefore: UnixTime
    /// The last second of the validity.
    public let notAfter: UnixTime
    /// The encoded name of the subject. Empty only if there is a critical subjectAltName.
    public let subject: ArraySlice<UInt8>
    /// The encoded `SubjectPublicKeyInfo`.
    public let subjectPublicKeyInfo: ArraySlice<UInt8>
    /// The subject's key. A point is on its curve.
    public let publicKey: CertificatePublicKey
    /// The extensions in the order of the encoding; no identifier occurs twice.
    public let extensions: [CertificateExtension]

    /// basicConstraints, if there.
    public let basicConstraints: BasicConstraints?
    /// keyUsage, if there.
    public let keyUsage: KeyUsage?
    /// extKeyUsage, if there.
    public let extendedKeyUsage: ExtendedKeyUsage?
    /// authorityKeyIdentifier, if there.
    public let authorityKeyIdentifier: AuthorityKeyIdentifier?
    /// subjectKeyIdentifier, if there.
    public let subjectKeyIdentifier: ArraySlice<UInt8>?
    /// Whether certificatePolicies, if there, has only qualifiers that RFC 5280 §4.2.1.4 defines.
    let policyQualifiersAreKnown: Bool

    /// Reads exactly one certificate. The bytes are kept, not copied.
    public convenience init(derEncoded: ArraySlice<UInt8>) throws(X509Error) {
        guard derEncoded.count <= Self.maximumEncodedSize else { throw .certificateTooLarge }
        let signed = try SignedCertificate(derEncoded)
        let fields = try CertificateFields(signed.tbsCertificate)

        // §4.1.2.2: positive, and up to 20 octets. A minimal INTEGER is negative if its first bit is set.
        let serialNumber = fields.serialNumber
        guard let first = serialNumber.first, first < 0x80, serialNumber.contains(where: { $0 != 0 }) else {
            throw .serialNumberNotPositive
        }
        guard serialNumber.count <= Self.maximumSerialNumberSize else { throw .serialNumberTooLong }
        // §4.1.1.2: the same identifier, as bytes, so that absent parameters and NULL differ.
        guard signed.signatureAlgorithm == fields.signatureAlgorithm else { throw .signatureAlgorithmMismatch }
        let signatureAlgorithm = try SignatureAlgorithm(signed.signatureAlgorithm)
        let publicKey = try CertificatePublicKey(subjectPublicKeyInfo: fields.subjectPublicKeyInfo)
        let extensions =
            try fields.extensions.map { (list) throws(X509Error) in
                try CertificateExtension.readAll(FieldReader(list, .extensions))
            } ?? []

        var known = KnownExtensions()
        // Here and below by index: an extension that is taken out is a copy, and retains its bytes.
        for i in extensions.indices {
            try known.read(extensions[i].identifier, extensions[i].value, isCritical: extensions[i].isCritical)
        }

        try DistinguishedName.read(fields.issuer, .issuer)
        guard fields.issuer.count > Self.emptyNameSize else { throw .emptyList(.issuer) }
        try DistinguishedName.read(fields.subject, .subject)
        // §4.1.2.6: a certificate without a subject says whom it is for in a critical subjectAltName.
        guard fields.subject.count > Self.emptyNameSize || known.hasCriticalAlternativeName else { throw .noSubject }

        self.init(
            derEncoded, signed, fields, signatureAlgorithm: signatureAlgorithm, publicKey: publicKey,
            extensions: extensions, known: known)
    }

    /// What was read and checked. It does not throw: Embedded Swift 6.3.1 never frees an object whose initialiser throws.
    private init(
        _ derEncoded: ArraySlice<UInt8>, _ signed: SignedCertificate, _ fields: CertificateFields,
        signatureAlgorithm: SignatureAlgorithm, publicKey: CertificatePublicKey, extensions: [CertificateExtension],
        known: KnownExtensions
    ) {
        self.derEncoded = derEncoded
        tbsCertificate = signed.tbsCertificate
        signature = signed.signature
        version = fields.version
        serialNumber = fields.serialNumber
        issuer = fields.issuer
        notBefore = fields.notBefore
        notAfter = fields.notAfter
        subject = fields.subject
        subjectPublicKeyInfo = fields.subjectPublicKeyInfo
        self.signatureAlgorithm = signatureAlgorithm
        self.publicKey = publicKey
        self.extensions = extensions
        basicConstraints = known.basicConstraints
        keyUsage = known.keyUsage
        extendedKeyUsage = known.extendedKeyUsage
        authorityKeyIdentifier = known.authorityKeyIdentifier
        subjectKeyIdentifier = known.subjectKeyIdentifier
        policyQualifiersAreKnown = known.policyQualifiersAreKnown
    }

    /// Reads exactly one certificate, from a copy of the bytes.
    public convenience init(derEncoded: some Collection<UInt8>) throws(X509Error) {
        guard derEncoded.count <= Self.maximumEncodedSize else { throw .certificateTooLarge }
        try self.init(derEncoded: ArraySlice(Array(derEncoded)))
    }

    /// The name of the issuer, to be looked into; ``issuer`` is its bytes.
    public var issuerName: DistinguishedName { DistinguishedName(validated: issuer) }

    /// The name of the subject, to be looked into; ``subject`` is its bytes.
    public var subjectName: DistinguishedName { DistinguishedName(validated: subject) }

    /// The extension with this identifier, if there.
    public func `extension`(_ identifier: ASN1ObjectIdentifier) -> CertificateExtension? {
        for i in extensions.indices where extensions[i].identifier == identifier { return extensions[i] }
        return nil
    }

    /// §4.1.2.5: both ends belong to the validity.
    public func isValid(at time: UnixTime) -> Bool {
        notBefore <= time && time <= notAfter
    }

    /// Whether issuer and subject have one name, as bytes (RFC 5280 §3.2): a change of key or policies of one CA.
    public var isSelfIssued: Bool { issuer == subject }

    /// An empty SEQUENCE: 30 00.
    package static var emptyNameSize: Int { 2 }
}

extension Certificate: Hashable {
    /// Certificates are equal when their encodings are.
    public static func == (a: Certificate, b: Certificate) -> Bool {
        a.derEncoded == b.derEncoded
    }

    /// Feeds the encoding to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(derEncoded)
    }
}

/// The extensions that have a type here. One that is malformed is refused, critical or not.
private struct KnownExtensions {
    var basicConstraints: BasicConstraints?
    var keyUsage: KeyUsage?
    var extendedKeyUsage: ExtendedKeyUsage?
    var authorityKeyIdentifier: AuthorityKeyIdentifier?
    var subjectKeyIdentifier: ArraySlice<UInt8>?
    var policyQualifiersAreKnown = true
    var hasCriticalAlternativeName = false

    mutating func read(
        _ identifier: ASN1ObjectIdentifier, _ value: ArraySlice<UInt8>, isCritical: Bool
    ) throws(X509Error) {
        switch identifier {
        case .basicConstraints: basicConstraints = try BasicConstraints(value)
        case .keyUsage: keyUsage = try KeyUsage(value)
        case .extendedKeyUsage: extendedKeyUsage = try ExtendedKeyUsage(value)
        case .authorityKeyIdentifier: authorityKeyIdentifier = try AuthorityKeyIdentifier(value)
        case .subjectKeyIdentifier: subjectKeyIdentifier = try readSubjectKeyIdentifier(value)
        case .subjectAlternativeName:
            try checkSubjectAlternativeName(value)
            hasCriticalAlternativeName = isCritical
        case .certificatePolicies: policyQualifiersAreKnown = try checkCertificatePolicies(value)
        case .policyMappings: try checkPolicyMappings(value)
        case .policyConstraints: try checkPolicyConstraints(value)
        case .inhibitAnyPolicy: try checkInhibitAnyPolicy(value)
        case .nameConstraints: try checkNameConstraints(value)
        case .authorityInformationAccess: try checkAuthorityInformationAccess(value)
        default: break
        }
    }
}
