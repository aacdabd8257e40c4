import PureDER
import PureX509

/// `OCSPResponse` (RFC 6960 §4.2.1): the responder's failure, or a response of any type.
enum OCSPEnvelope {
    case unsuccessful(OCSPFailure)
    case successful(type: ASN1ObjectIdentifier, response: ArraySlice<UInt8>)

    init(_ derEncoded: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: derEncoded, .ocspResponse)
        let status = try reader.readInt64(.enumerated)
        guard status == 0 else {
            // RFC 6960 §4.2.1: if the response reports a failure, responseBytes must be absent. Code 4 is not used.
            try reader.finish()
            guard let code = UInt8(exactly: status), let failure = OCSPFailure(rawValue: code) else {
                throw .invalidValue(.ocspResponse)
            }
            self = .unsuccessful(failure)
            return
        }
        var explicit = try reader.enter(.context(0))
        try reader.finish()
        var responseBytes = try explicit.enter(.sequence)
        try explicit.finish()
        let type = try responseBytes.readObjectIdentifier(), response = try responseBytes.read(.octetString)
        try responseBytes.finish()
        self = .successful(type: type, response: response)
    }
}

/// `BasicOCSPResponse` (RFC 6960 §4.2.1), split into its fields.
struct OCSPResponseFields {
    /// The encoded `tbsResponseData`, including the header. The signature covers these bytes.
    let tbsResponseData: ArraySlice<UInt8>
    /// The algorithm of ``signature``.
    let signatureAlgorithm: SignatureAlgorithm
    /// The signature, not decoded.
    let signature: ArraySlice<UInt8>
    /// The elements of certs.
    let certificates: ArraySlice<UInt8>

    init(_ derEncoded: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: derEncoded, .ocspResponse)
        tbsResponseData = try reader.readElement(.sequence).encoded
        signatureAlgorithm = try SignatureAlgorithm(try reader.read(.sequence))
        signature = try reader.readOctets()
        certificates = try reader.readExplicitSequence(0) ?? []
        try reader.finish()
    }
}

/// `ResponseData` (RFC 6960 §4.2.1), split into its fields.
struct OCSPResponseData {
    let responderID: OCSPResponderID
    let statuses: ArraySlice<UInt8>
    let criticalExtension: ASN1ObjectIdentifier?

    init(_ tbsResponseData: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: tbsResponseData, .ocspResponse)
        try Self.readVersion(&reader)
        responderID = try OCSPResponderID(&reader)
        // Reads and discards producedAt, because no rule depends on it.
        _ = try reader.readGeneralizedTime()
        statuses = try reader.read(.sequence)
        criticalExtension = try reader.readCriticalExtension(1)
        try reader.finish()
    }

    /// Reads `[0] EXPLICIT INTEGER DEFAULT v1`. The field must be absent, because v1 is the only version, and X.690
    /// §11.5 forbids encoding a default.
    private static func readVersion(_ reader: inout FieldReader) throws(X509Error) {
        guard let explicit = try reader.readIfPresent(.context(0)) else { return }
        var field = FieldReader(explicit, reader.field)
        let version = try field.readInt64()
        try field.finish()
        throw version == 0 ? .encodedDefault(reader.field) : .invalidValue(reader.field)
    }
}

/// `ResponderID` (RFC 6960 §4.2.1): the signer of a response.
enum OCSPResponderID {
    /// byName: an encoded name.
    case name(ArraySlice<UInt8>)
    /// byKey: the SHA-1 hash of the public key's bits.
    case key(ArraySlice<UInt8>)

    init(_ reader: inout FieldReader) throws(X509Error) {
        let choice = try reader.readElement()
        var contents = FieldReader(choice.content, reader.field)
        switch choice.tag {
        case .context(1):
            let name = try contents.readElement(.sequence).encoded
            try DistinguishedName.read(name, reader.field)
            self = .name(name)
        case .context(2):
            let hash = try contents.read(.octetString)
            guard hash.count == SHA1.byteCount else { throw .invalidValue(reader.field) }
            self = .key(hash)
        default: throw .malformed(reader.field, .unexpectedTag(expected: .context(1), found: choice.tag))
        }
        try contents.finish()
    }

    /// Whether this identifies `certificate`. Names are compared as encodings.
    func identifies(_ certificate: Certificate) throws(X509Error) -> Bool {
        switch self {
        case .name(let name): name == certificate.subject
        case .key(let hash): try hash.elementsEqual(SHA1.hash(certificate.publicKeyBits()))
        }
    }
}

extension Certificate {
    /// Returns the contents of subjectPublicKey, without the unused-bits octet (RFC 6960 §4.1.1, issuerKeyHash).
    func publicKeyBits() throws(X509Error) -> ArraySlice<UInt8> {
        do { return try SubjectPublicKeyInfo(derEncoded: subjectPublicKeyInfo).publicKey.bytes } catch {
            throw .malformed(.subjectPublicKeyInfo, error)
        }
    }
}

extension FieldReader {
    /// Reads a SEQUENCE with the tag `[number] EXPLICIT`, if present. Returns the contents of the SEQUENCE.
    mutating func readExplicitSequence(_ number: UInt32) throws(X509Error) -> ArraySlice<UInt8>? {
        guard let explicit = try readIfPresent(.context(number)) else { return nil }
        var reader = FieldReader(explicit, field)
        let contents = try reader.read(.sequence)
        try reader.finish()
        return contents
    }

    /// Reads `Extensions` with the tag `[number] EXPLICIT`, if present. Returns the identifier of the first critical
    /// extension. Does not process any extension, because RFC 6960 §4.4 does not require clients to support extensions.
    mutating func readCriticalExtension(_ number: UInt32) throws(X509Error) -> ASN1ObjectIdentifier? {
        guard let list = try readExplicitSequence(number) else { return nil }
        let extensions = try CertificateExtension.readAll(FieldReader(list, field))
        for i in extensions.indices where extensions[i].isCritical { return extensions[i].identifier }
        return nil
    }

    /// Reads a time that must be a GeneralizedTime (RFC 6960 §4.2.2.1).
    mutating func readGeneralizedTime() throws(X509Error) -> UnixTime {
        if let tag = try peekTag(), tag != .generalizedTime {
            throw .malformed(field, .unexpectedTag(expected: .generalizedTime, found: tag))
        }
        return try readTime()
    }
}

extension ASN1ObjectIdentifier {
    /// id-pkix-ocsp-basic, 1.3.6.1.5.5.7.48.1.1 (RFC 6960 §4.2.1).
    @inline(__always) static var basicOCSPResponse: Self { Self(encodedAs: 0x2B_06_01_05_05_07_30_01_01) }
    /// id-kp-OCSPSigning, 1.3.6.1.5.5.7.3.9 (RFC 6960 §4.2.2.2).
    @inline(__always) static var ocspSigning: Self { Self(encodedAs: 0x2B_06_01_05_05_07_03_09) }
    /// id-sha1, 1.3.14.3.2.26 (RFC 3279 §2.2.1, RFC 3370 §2.1).
    @inline(__always) static var sha1: Self { Self(encodedAs: 0x2B_0E_03_02_1A) }
}
