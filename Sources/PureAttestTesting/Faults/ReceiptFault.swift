/// One rule of the receipt in an attestation that is broken. The attestation itself is in order, and so is everything else of
/// the receipt.
///
/// The raw value is the fault's identifier. It does not change between versions.
public enum ReceiptFault: String, CaseIterable, Hashable, Sendable {
    // MARK: CMS

    /// The last byte is missing.
    case objectTruncated
    /// A byte follows the object.
    case objectTrailingByte
    /// SEQUENCEs are nested 1,000 deep.
    case objectDeepNesting
    /// Enveloped data in place of signed data.
    case contentTypeOther
    /// The content is not in the object.
    case contentMissing
    /// The content was changed after it was signed.
    case contentTampered
    /// There are no certificates.
    case certificatesMissing
    /// There is no SignerInfo.
    case signerMissing
    /// There are two SignerInfos.
    case signerTwice
    /// The SignerInfo names a certificate that is not there.
    case signerNotNamed
    /// A stranger signed, whose certificate comes first, and the SignerInfo names the true signer.
    case signerByPosition
    /// The SignerInfo is of version 3.
    case signerVersion
    /// The SignerInfo's digest algorithm is SHA-384, its signature algorithm ECDSA with SHA-256.
    case digestMismatch
    /// Signed attributes, with a good signature.
    case signedAttributes
    /// A bit of the signature is another one.
    case signatureTampered
    /// A key that no certificate holds signed.
    case signedByStranger

    // MARK: Certificates

    /// The signer expired yesterday.
    case signerExpired
    /// The signer may not sign receipts: it has no extension 1.2.840.113635.100.12.15.
    case signerNotForReceipts
    /// The signer's certificate was issued by the authority of attestations.
    case attestationRoot
    /// The signer's certificate was issued by a stranger of its issuer's name.
    case issuerSameName

    // MARK: Payload

    /// The payload is a SEQUENCE.
    case payloadNotSet
    /// Field 2 is there twice.
    case fieldTwice
    /// Field 2 is missing.
    case appIDMissing
    /// Field 2 is another app's.
    case appIDMismatch
    /// Field 3 is missing.
    case certificateMissing
    /// Field 3 is no certificate.
    case certificateMalformed
    /// Field 3 is a certificate of another key.
    case keyMismatch
    /// Field 4 is missing.
    case clientHashMissing
    /// Field 4 is of another attestation.
    case clientHashMismatch
    /// Field 6 is missing.
    case typeMissing
    /// Field 6 is neither ATTEST nor RECEIPT.
    case typeUnknown
    /// Field 6 is RECEIPT, which no attestation carries.
    case typeOfAnswer
    /// Field 7 is the other environment.
    case environmentMismatch
    /// Field 12 is missing.
    case creationTimeMissing
    /// Field 12 is no time.
    case creationTimeMalformed
    /// Field 12 is ten minutes ago.
    case tooOld
    /// Field 17 is no number.
    case riskMetricMalformed
    /// Field 21 is missing.
    case expirationTimeMissing
    /// Field 21 is a minute ago.
    case expired
}
