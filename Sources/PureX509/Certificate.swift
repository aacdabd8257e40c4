@_exported public import struct PureDER.ASN1ObjectIdentifier
@_exported public import struct PureDER.UnixTime

/// An X.509 certificate (RFC 5280 §4.1), read once and completely.
///
/// Reading checks the encoding and the rules of RFC 5280 §4 for a single certificate. `CertificatePathVerifier` of
/// PureX509Paths verifies signatures and validity periods. All byte properties are slices of the same buffer, so a
/// signature is verified over exactly the bytes that were parsed.
///
/// This is a class because copying a struct would retain and release every slice. Instances are immutable.
public final class Certificate: Sendable {
    /// The maximum length of the encoding: 102,400 bytes, OpenSSL's limit for a whole chain
    /// (`SSL_MAX_CERT_LIST_DEFAULT`). Apple's certificates are shorter than 1,200 bytes.
    public static var maximumEncodedSize: Int { 102_400 }

    /// The maximum number of extensions: 64. RFC 5280 §4.2 defines 17 extensions, and Apple's certificates have up to
    /// 9. The limit bounds the search for duplicates, which compares all pairs.
    public static var maximumExtensionCount: Int { 64 }

    /// The maximum length of a serial number in octets, including a leading zero octet (RFC 5280 §4.1.2.2).
    public static var maximumSerialNumberSize: Int { 20 }

    /// The encoding, exactly as read.
    public let derEncoded: ArraySlice<UInt8>
    /// The encoded `tbsCertificate`, including the header. The signature covers these bytes.
    public let tbsCertificate: ArraySlice<UInt8>
    /// The version: 1, 2 or 3. Path validation requires version 3.
    public let version: Int
    /// The serial number as encoded: positive, big-endian, up to 20 octets. The first octet is 00 if the sign bit would
    /// otherwise be set.
    public let serialNumber: ArraySlice<UInt8>
    /// The signature algorithm. Reading checks that the signed part names the same algorithm.
    public let signatureAlgorithm: SignatureAlgorithm
    /// The signature, not decoded. An ECDSA signature is an encoded `ECDSA-Sig-Value`.
    public let signature: ArraySlice<UInt8>
    /// The issuer's encoded name. Not empty.
    public let issuer: ArraySlice<UInt8>
    /// The first second of the validity period.
    public let notBefore: UnixTime
    /// The last second of the validity period.
    public let notAfter: UnixTime
    /// The subject's encoded name. The name may be empty only if the certificate has a critical subjectAltName.
    public let subject: ArraySlice<UInt8>
    /// The encoded `SubjectPublicKeyInfo`.
    public let subjectPublicKeyInfo: ArraySlice<UInt8>
    /// The subject's public key. Reading checks that a P-256 or P-384 point is on its curve.
    public let publicKey: CertificatePublicKey
    /// The extensions in encoding order. Their identifiers are distinct.
    public let extensions: [CertificateExtension]

    /// basicConstraints, if present.
    public let basicConstraints: BasicConstraints?
    /// keyUsage, if present.
    public let keyUsage: KeyUsage?
    /// extKeyUsage, if present.
    public let extendedKeyUsage: ExtendedKeyUsage?
    /// authorityKeyIdentifier, if present.
    public let authorityKeyIdentifier: AuthorityKeyIdentifier?
    /// subjectKeyIdentifier, if present.
    public let subjectKeyIdentifier: ArraySlice<UInt8>?
    /// Whether certificatePolicies is absent, or contains only qualifiers that RFC 5280 §4.2.1.4 defines.
    let policyQualifiersAreKnown: Bool

    /// Reads exactly one certificate. Stores the bytes without copying them.
    public convenience init(derEncoded: ArraySlice<UInt8>) throws(X509Error) {
        guard derEncoded.count <= Self.maximumEncodedSize else { throw .certificateTooLarge }
        let signed = try SignedCertificate(derEncoded)
        let fields = try CertificateFields(signed.tbsCertificate)

        // §4.1.2.2: positive, up to 20 octets. A minimal INTEGER is negative if its first bit is set.
        let serialNumber = fields.serialNumber
        guard let first = serialNumber.first, first < 0x80, serialNumber.contains(where: { $0 != 0 }) else {
            throw .serialNumberNotPositive
        }
        guard serialNumber.count <= Self.maximumSerialNumberSize else { throw .serialNumberTooLong }
        // §4.1.1.2: the two AlgorithmIdentifiers must have the same bytes, so absent parameters do not equal NULL.
        guard signed.signatureAlgorithm == fields.signatureAlgorithm else { throw .signatureAlgorithmMismatch }
        let signatureAlgorithm = try SignatureAlgorithm(signed.signatureAlgorithm)
        let publicKey = try CertificatePublicKey(subjectPublicKeyInfo: fields.subjectPublicKeyInfo)
        let extensions =
            try fields.extensions.map { (list) throws(X509Error) in
                try CertificateExtension.readAll(FieldReader(list, .extensions))
            } ?? []

        var known = KnownExtensions()
        // These loops use indices, because copying an extension out of the array would retain its bytes.
        for i in extensions.indices {
            try known.read(extensions[i].identifier, extensions[i].value, isCritical: extensions[i].isCritical)
        }

        try DistinguishedName.read(fields.issuer, .issuer)
        guard fields.issuer.count > Self.emptyNameSize else { throw .emptyList(.issuer) }
        try DistinguishedName.read(fields.subject, .subject)
        // §4.1.2.6: if the subject is empty, a critical subjectAltName must name the subject.
        guard fields.subject.count > Self.emptyNameSize || known.hasCriticalAlternativeName else { throw .noSubject }

        self.init(
            derEncoded, signed, fields, signatureAlgorithm: signatureAlgorithm, publicKey: publicKey,
            extensions: extensions, known: known)
    }

    /// This initialiser must not throw, because Embedded Swift 6.3.1 leaks an object whose initialiser throws.
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

    /// Reads exactly one certificate from a copy of the bytes.
    public convenience init(derEncoded: some Collection<UInt8>) throws(X509Error) {
        guard derEncoded.count <= Self.maximumEncodedSize else { throw .certificateTooLarge }
        try self.init(derEncoded: ArraySlice(Array(derEncoded)))
    }

    /// The decoded ``issuer``.
    public var issuerName: DistinguishedName { DistinguishedName(validated: issuer) }

    /// The decoded ``subject``.
    public var subjectName: DistinguishedName { DistinguishedName(validated: subject) }

    /// Returns the extension with this identifier, or `nil`.
    public func `extension`(_ identifier: ASN1ObjectIdentifier) -> CertificateExtension? {
        for i in extensions.indices where extensions[i].identifier == identifier { return extensions[i] }
        return nil
    }

    /// Whether `time` is in the validity period, which includes both limits (§4.1.2.5).
    public func isValid(at time: UnixTime) -> Bool {
        notBefore <= time && time <= notAfter
    }

    /// The length of an encoded empty name: the SEQUENCE 30 00.
    package static var emptyNameSize: Int { 2 }
}

extension Certificate: Hashable {
    /// Whether the encodings are equal.
    public static func == (a: Certificate, b: Certificate) -> Bool {
        a.derEncoded == b.derEncoded
    }

    /// Feeds the encoding to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(derEncoded)
    }
}

/// The extensions that this module decodes. A malformed extension is rejected even if it is noncritical.
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
