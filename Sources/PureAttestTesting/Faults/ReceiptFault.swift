/// One broken rule in an attestation's receipt. The attestation, and everything else in the receipt, is valid. The raw
/// value identifies the fault, and is stable between versions.
public enum ReceiptFault: String, CaseIterable, Hashable, Sendable {
    // MARK: CMS

    /// The object lacks its last byte.
    case objectTruncated
    /// A byte follows the object.
    case objectTrailingByte
    /// SEQUENCEs are nested 1,000 deep.
    case objectDeepNesting
    /// The object has enveloped data instead of signed data.
    case contentTypeOther
    /// The object lacks the content.
    case contentMissing
    /// The content was changed after signing.
    case contentTampered
    /// The object has no certificates.
    case certificatesMissing
    /// The object has no SignerInfo.
    case signerMissing
    /// The object has two SignerInfos.
    case signerTwice
    /// The SignerInfo names a certificate that the object lacks.
    case signerNotNamed
    /// An untrusted key signed. Its certificate comes first, but the SignerInfo names the genuine signer.
    case signerByPosition
    /// The SignerInfo is version 3.
    case signerVersion
    /// The SignerInfo's digest algorithm is SHA-384, but its signature algorithm is ECDSA with SHA-256.
    case digestMismatch
    /// The SignerInfo has signed attributes, with a valid signature.
    case signedAttributes
    /// A bit of the signature is flipped.
    case signatureTampered
    /// The signing key has no certificate in the object.
    case signedByStranger

    // MARK: Certificates

    /// The signer expired yesterday.
    case signerExpired
    /// The signer may not sign receipts: it has no extension 1.2.840.113635.100.12.15.
    case signerNotForReceipts
    /// The authority for attestations issued the signer's certificate.
    case attestationRoot
    /// An untrusted key with the issuer's name issued the signer's certificate.
    case issuerSameName

    // MARK: Payload

    /// The payload is a SEQUENCE.
    case payloadNotSet
    /// Field 2 occurs twice.
    case fieldTwice
    /// Field 2 is missing.
    case appIDMissing
    /// Field 2 names another app.
    case appIDMismatch
    /// Field 3 is missing.
    case certificateMissing
    /// Field 3 is not a certificate.
    case certificateMalformed
    /// Field 3 certifies another key.
    case keyMismatch
    /// Field 4 is missing.
    case clientHashMissing
    /// Field 4 has the client hash of another attestation.
    case clientHashMismatch
    /// Field 6 is missing.
    case typeMissing
    /// Field 6 is neither ATTEST nor RECEIPT.
    case typeUnknown
    /// Field 6 is RECEIPT, which attestations never contain.
    case typeOfAnswer
    /// Field 7 names the other environment.
    case environmentMismatch
    /// Field 12 is missing.
    case creationTimeMissing
    /// Field 12 is not a time.
    case creationTimeMalformed
    /// Field 12 is ten minutes ago.
    case tooOld
    /// Field 17 is not a number.
    case riskMetricMalformed
    /// Field 21 is missing.
    case expirationTimeMissing
    /// Field 21 is a minute ago.
    case expired
}
