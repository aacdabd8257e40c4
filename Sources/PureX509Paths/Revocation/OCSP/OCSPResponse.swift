import PureDER
public import PureX509

/// A successful OCSP response (RFC 6960 §4.2.1) of type id-pkix-ocsp-basic. Reading checks only the encoding. The
/// caller fetches the response, and ``status(of:issuedBy:at:clockSkew:)`` verifies it for one certificate.
public struct OCSPResponse: Sendable {
    /// The maximum length of the encoding: 65,536 bytes. With ECDSA, a response with one status and the certificate of
    /// a delegated responder is shorter than 2,000 bytes.
    public static var maximumEncodedSize: Int { 65_536 }

    /// The maximum number of single responses: 64. Responders should send only one single response (RFC 5019 §2.2.1).
    public static var maximumStatusCount: Int { 64 }

    /// The maximum number of certificates: 8, as in `SignedData`. RFC 6960 §4.2.1 needs only one, for a delegated
    /// responder. This limit bounds the signature checks to one for the issuer and two for each certificate.
    public static var maximumCertificateCount: Int { 8 }

    /// The encoding, exactly as read.
    public let derEncoded: ArraySlice<UInt8>
    /// The certificates in the response, in encoding order. These certificates are untrusted.
    public let certificates: [Certificate]

    let fields: OCSPResponseFields
    let responderID: OCSPResponderID
    let statuses: [OCSPStatus]
    /// The identifier of the first critical extension in responseExtensions.
    let criticalExtension: ASN1ObjectIdentifier?

    /// Reads exactly one response. Stores the bytes without copying them.
    ///
    /// - Throws: ``PathError/ocsp(_:)`` with ``OCSPError/unsuccessful(_:)`` if the responder reports a failure.
    public init(derEncoded: ArraySlice<UInt8>) throws(PathError) {
        guard derEncoded.count <= Self.maximumEncodedSize else { throw .ocsp(.responseTooLarge) }
        let basicResponse = try Self.basicResponse(in: derEncoded)
        let fields = try wrapping { () throws(X509Error) in try OCSPResponseFields(basicResponse) }
        let data = try wrapping { () throws(X509Error) in try OCSPResponseData(fields.tbsResponseData) }
        certificates = try Self.readCertificates(fields.certificates)
        statuses = try Self.readStatuses(data.statuses)
        self.derEncoded = derEncoded
        self.fields = fields
        responderID = data.responderID
        criticalExtension = data.criticalExtension
    }

    /// Reads exactly one response from a copy of the bytes.
    public init(derEncoded: some Collection<UInt8>) throws(PathError) {
        guard derEncoded.count <= Self.maximumEncodedSize else { throw .ocsp(.responseTooLarge) }
        try self.init(derEncoded: ArraySlice(Array(derEncoded)))
    }

    /// Returns the encoded `BasicOCSPResponse` (RFC 6960 §4.2.1). Throws for failures and for other response types.
    private static func basicResponse(in derEncoded: ArraySlice<UInt8>) throws(PathError) -> ArraySlice<UInt8> {
        switch try wrapping({ () throws(X509Error) in try OCSPEnvelope(derEncoded) }) {
        case .unsuccessful(let failure): throw .ocsp(.unsuccessful(failure))
        case .successful(let type, let response):
            guard type == .basicOCSPResponse else { throw .ocsp(.unsupportedResponseType) }
            return response
        }
    }

    /// Reads the elements of `certs`: RFC 6960 §4.2.1.
    private static func readCertificates(_ elements: ArraySlice<UInt8>) throws(PathError) -> [Certificate] {
        var reader = FieldReader(elements, .ocspResponse)
        var certificates: [Certificate] = []
        while !reader.isAtEnd {
            guard certificates.count < maximumCertificateCount else { throw .ocsp(.tooManyCertificates) }
            certificates.append(
                try wrapping { () throws(X509Error) in
                    try Certificate(derEncoded: try reader.readElement(.sequence).encoded)
                })
        }
        return certificates
    }

    /// Reads the elements of `responses`: RFC 6960 §4.2.1.
    private static func readStatuses(_ elements: ArraySlice<UInt8>) throws(PathError) -> [OCSPStatus] {
        var reader = FieldReader(elements, .ocspResponse)
        var statuses: [OCSPStatus] = []
        while !reader.isAtEnd {
            guard statuses.count < maximumStatusCount else { throw .ocsp(.tooManyStatuses) }
            statuses.append(
                try wrapping { () throws(X509Error) in try OCSPStatus(try reader.enter(.sequence)) })
        }
        return statuses
    }
}
