import PureDER
import PureSHA2
import PureX509

/// `SingleResponse` (RFC 6960 §4.2.1): the status of one certificate.
struct OCSPStatus {
    /// The status that a responder reports: `CertStatus`.
    enum Value {
        case good
        case revoked(at: UnixTime, RevocationReason)
        case unknown
    }

    let certificateID: OCSPCertificateID
    let value: Value
    let thisUpdate: UnixTime
    let nextUpdate: UnixTime?
    /// The identifier of the first critical extension.
    let criticalExtension: ASN1ObjectIdentifier?

    init(_ reader: FieldReader) throws(X509Error) {
        var reader = reader
        certificateID = try OCSPCertificateID(try reader.enter(.sequence))
        value = try Self.readValue(&reader)
        thisUpdate = try reader.readGeneralizedTime()
        if let explicit = try reader.readIfPresent(.context(0)) {
            var field = FieldReader(explicit, reader.field)
            nextUpdate = try field.readGeneralizedTime()
            try field.finish()
        } else {
            nextUpdate = nil
        }
        criticalExtension = try reader.readCriticalExtension(1)
        try reader.finish()
    }

    private static func readValue(_ reader: inout FieldReader) throws(X509Error) -> Value {
        let choice = try reader.readElement()
        switch choice.tag {
        case .contextPrimitive(0), .contextPrimitive(2):
            // good and unknown: IMPLICIT NULL.
            guard choice.content.isEmpty else { throw .malformed(reader.field, .invalidNull) }
            return choice.tag == .contextPrimitive(0) ? .good : .unknown
        case .context(1):
            // RevokedInfo. If the reason is absent, the reason is unspecified, as in revocation lists.
            var info = FieldReader(choice.content, reader.field)
            let time = try info.readGeneralizedTime()
            guard let explicit = try info.readIfPresent(.context(0)) else {
                try info.finish()
                return .revoked(at: time, .unspecified)
            }
            try info.finish()
            return .revoked(at: time, try RevocationReason(FieldReader(explicit, reader.field)))
        default: throw .malformed(reader.field, .unexpectedTag(expected: .contextPrimitive(0), found: choice.tag))
        }
    }
}

/// `CertID` (RFC 6960 §4.1.1): the serial number of a certificate, and the hashes of its issuer's name and key.
struct OCSPCertificateID {
    /// The hash function, or `nil` if it is not implemented. With `nil`, this value identifies no certificate.
    private let hash: HashAlgorithm?
    private let issuerNameHash: ArraySlice<UInt8>
    private let issuerKeyHash: ArraySlice<UInt8>
    private let serialNumber: ArraySlice<UInt8>

    init(_ reader: FieldReader) throws(X509Error) {
        var reader = reader
        hash = HashAlgorithm(try reader.readAlgorithmIdentifier())
        issuerNameHash = try reader.read(.octetString)
        issuerKeyHash = try reader.read(.octetString)
        serialNumber = try reader.readInteger()
        try reader.finish()
    }

    /// Whether this value identifies `certificate` (RFC 6960 §3.2 item 1). The two hashes and the serial number must
    /// match, because different issuers may use the same serial number.
    func identifies(_ certificate: Certificate, issuedBy issuer: Certificate) throws(X509Error) -> Bool {
        guard let hash, serialNumber == certificate.serialNumber else { return false }
        guard hash.hash(certificate.issuer).elementsEqual(issuerNameHash) else { return false }
        return hash.hash(try issuer.publicKeyBits()).elementsEqual(issuerKeyHash)
    }

    /// The hash functions in certificate identifiers. A responder uses the hash function of the request.
    private enum HashAlgorithm {
        case sha1
        case sha256
        case sha384
        case sha512

        /// Returns `nil` for any other hash function. Parameters must be absent or NULL (RFC 3370 §2.1, RFC 5754 §2).
        init?(_ identifier: AlgorithmIdentifier) {
            guard identifier.hasNoParameters else { return nil }
            switch identifier.algorithm {
            case .sha1: self = .sha1
            case .sha256: self = .sha256
            case .sha384: self = .sha384
            case .sha512: self = .sha512
            default: return nil
            }
        }

        func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            switch self {
            case .sha1: SHA1.hash(bytes)
            case .sha256: [UInt8](SHA256.hash(data: bytes))
            case .sha384: [UInt8](SHA384.hash(data: bytes))
            case .sha512: [UInt8](SHA512.hash(data: bytes))
            }
        }
    }
}
