public import PureDER
public import PureX509

/// The rule that an OCSP response breaks, or the status that caused the rejection of the certificate.
/// ``PathError/ocsp(_:)`` wraps it. The enum is indirect for the same reason as `X509Error`.
@nonexhaustive
public indirect enum OCSPError: Error, Hashable, Sendable {
    // MARK: The response

    /// The encoding is longer than ``OCSPResponse/maximumEncodedSize``.
    case responseTooLarge
    /// The response contains more than ``OCSPResponse/maximumStatusCount`` single responses.
    case tooManyStatuses
    /// The response contains more than ``OCSPResponse/maximumCertificateCount`` certificates.
    case tooManyCertificates
    /// responseStatus reports a failure, so the response contains no status (RFC 6960 §4.2.1). Send a new request.
    case unsuccessful(OCSPFailure)
    /// The response type is not id-pkix-ocsp-basic (RFC 6960 §4.2.1).
    case unsupportedResponseType

    // MARK: The responder

    /// The subject of the issuer that the caller passed is not the certificate's issuer name.
    case issuerMismatch
    /// The signature algorithm is not ECDSA with SHA-256, SHA-384 or SHA-512.
    case unsupportedSignatureAlgorithm
    /// responderID identifies neither the issuer nor a certificate in the response (RFC 6960 §4.2.2.2).
    case responderNotFound
    /// The delegated responder's certificate breaks a rule of RFC 6960 §4.2.2.2 or RFC 5280. Certificates are numbered
    /// as in a path: 0 is the responder's certificate, and 1 is the issuer's certificate.
    case delegate(X509Error)
    /// The signature is malformed, or is not valid for the responder's key.
    case invalidSignature
    /// The response has a critical extension. This module processes no extension (RFC 6960 §4.4).
    case unhandledCriticalExtension(ASN1ObjectIdentifier)

    // MARK: The status

    /// The response contains no status for the certificate (RFC 6960 §3.2 item 1).
    case statusMissing
    /// The time of the check, `at`, is before `thisUpdate`, even allowing for the clock skew (RFC 6960 §3.2 item 5).
    case notYetValid(thisUpdate: UnixTime, at: UnixTime)
    /// The status has no nextUpdate, so the age of the response is unbounded (RFC 5019 §4).
    case nextUpdateMissing
    /// The time of the check, `at`, is after `nextUpdate`, even allowing for the clock skew (RFC 6960 §3.2 item 6).
    case expired(nextUpdate: UnixTime, at: UnixTime)
    /// The certificate was revoked at the time `at`, for the given reason.
    case revoked(at: UnixTime, RevocationReason)
    /// The responder does not know the certificate.
    case unknownCertificate
}

/// The failure that a responder reports instead of a status: OCSPResponseStatus, with the numbers of RFC 6960 §4.2.1.
@nonexhaustive
public enum OCSPFailure: UInt8, Hashable, Sendable {
    /// malformedRequest (1).
    case malformedRequest = 1
    /// internalError (2).
    case internalError = 2
    /// tryLater (3).
    case tryLater = 3
    /// sigRequired (5): the request must be signed.
    case signatureRequired = 5
    /// unauthorized (6): the client is not allowed to send this request, or the responder has no authoritative answer
    /// (RFC 5019 §2.2.3).
    case unauthorized = 6
}
