public import PureDER
public import PureX509

/// The rule that an OCSP response breaks, or the status that rejects the certificate. ``PathError/ocsp(_:)`` wraps it.
/// The type is indirect for the same reason as `X509Error`.
@nonexhaustive
public indirect enum OCSPError: Error, Hashable, Sendable {
    // MARK: The response

    /// The encoding is longer than ``OCSPResponse/maximumEncodedSize``.
    case responseTooLarge
    /// There are more than ``OCSPResponse/maximumStatusCount`` single responses.
    case tooManyStatuses
    /// There are more than ``OCSPResponse/maximumCertificateCount`` certificates.
    case tooManyCertificates
    /// responseStatus is not successful, so there is no status (RFC 6960 §4.2.1). Only a new request can help.
    case unsuccessful(OCSPFailure)
    /// The response type is not id-pkix-ocsp-basic (RFC 6960 §4.2.1).
    case unsupportedResponseType

    // MARK: The responder

    /// The certificate's issuer name is not the subject of the issuer that the caller passed.
    case issuerMismatch
    /// The signature algorithm is not ECDSA with SHA-256, SHA-384 or SHA-512.
    case unsupportedSignatureAlgorithm
    /// responderID names neither the issuer nor a certificate in the response (RFC 6960 §4.2.2.2).
    case responderNotFound
    /// The delegated responder's certificate breaks a rule of RFC 6960 §4.2.2.2 or RFC 5280. Certificates are numbered
    /// as in a path: the responder's is 0, and its issuer's is 1.
    case delegate(X509Error)
    /// The signature is malformed, or the responder's key did not make it.
    case invalidSignature
    /// The response has a critical extension. No extension is processed (RFC 6960 §4.4).
    case unhandledCriticalExtension(ASN1ObjectIdentifier)

    // MARK: The status

    /// No single response concerns the certificate (RFC 6960 §3.2 item 1).
    case statusMissing
    /// The time of the check, `at`, is before `thisUpdate`, even with the clock skew (RFC 6960 §3.2 item 5).
    case notYetValid(thisUpdate: UnixTime, at: UnixTime)
    /// There is no nextUpdate, so nothing bounds the response's age (RFC 5019 §4).
    case nextUpdateMissing
    /// The time of the check, `at`, is after `nextUpdate`, even with the clock skew (RFC 6960 §3.2 item 6).
    case expired(nextUpdate: UnixTime, at: UnixTime)
    /// The certificate was revoked at `time`, for this reason.
    case revoked(at: UnixTime, RevocationReason)
    /// The responder does not know the certificate.
    case unknownCertificate
}

/// A responder's reason for a response without statuses: an OCSPResponseStatus, with RFC 6960's number (§4.2.1).
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
    /// unauthorized (6): the client may not ask, or the responder has no authoritative answer (RFC 5019 §2.2.3).
    case unauthorized = 6
}
