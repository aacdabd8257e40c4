/// A fault that breaks one rule in the receipt of an attestation. The attestation and the rest of the receipt are
/// valid. The raw value identifies the fault, and never changes.
public enum ReceiptFault: String, CaseIterable, Hashable, Sendable {
    // MARK: CMS

    /// The object lacks its last byte.
    case objectTruncated
    /// An extra byte follows the object.
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
    /// The SignerInfo identifies a certificate that the object does not contain.
    case signerNotNamed
    /// An untrusted key made the signature. Its certificate comes first, but the SignerInfo names the genuine signer.
    case signerByPosition
    /// The SignerInfo is version 3.
    case signerVersion
    /// The SignerInfo's digest algorithm is SHA-384, but its signature algorithm is ECDSA with SHA-256.
    case digestMismatch
    /// The SignerInfo has signed attributes. The signature over these attributes is valid.
    case signedAttributes
    /// A bit of the signature is flipped.
    case signatureTampered
    /// The object contains no certificate for the key that made the signature.
    case signedByStranger

    // MARK: Certificates

    /// The signer expired yesterday.
    case signerExpired
    /// The signer is not allowed to sign receipts: its certificate lacks the extension 1.2.840.113635.100.12.15.
    case signerNotForReceipts
    /// The signer's certificate was issued by the authority for attestations, not by the one for receipts.
    case attestationRoot
    /// An untrusted authority with the issuer's name issued the signer's certificate.
    case issuerSameName

    // MARK: Payload

    /// The payload is a SEQUENCE instead of a SET.
    case payloadNotSet
    /// Field 2 occurs twice.
    case fieldTwice
    /// Field 2 is missing.
    case appIDMissing
    /// Field 2 names a different app.
    case appIDMismatch
    /// Field 3 is missing.
    case certificateMissing
    /// Field 3 is not a certificate.
    case certificateMalformed
    /// Field 3 certifies a different key.
    case keyMismatch
    /// Field 4 is missing.
    case clientHashMissing
    /// Field 4 contains the client hash of a different attestation.
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
    /// Field 12 is a time ten minutes before the verification.
    case tooOld
    /// Field 17 is not a number.
    case riskMetricMalformed
    /// Field 21 is missing.
    case expirationTimeMissing
    /// Field 21 is a time one minute before the verification.
    case expired
}
