/// A fault that breaks one X.509 rule in the certificates of an attestation.
///
/// Unless the fault is in a signature, all signatures are valid, as if the issuer itself had broken the rule. The raw
/// value identifies the fault, and never changes.
public enum CertificateFault: String, CaseIterable, Hashable, Sendable {
    // MARK: Signatures and names

    /// A bit of the leaf was flipped after signing.
    case leafTampered
    /// A bit of the leaf's signature is flipped.
    case leafSignatureTampered
    /// The leaf was signed with a key that is not the issuer's key.
    case leafSignedByStranger
    /// r and s of the leaf's signature are 0 (CVE-2022-21449).
    case leafSignatureZero
    /// In the leaf's signature, r is replaced by r + n.
    case leafSignatureOutOfRange
    /// The leaf's signature is BER, not DER: r has a redundant leading octet.
    case leafSignatureNonMinimal
    /// An extra octet follows the leaf's ECDSA-Sig-Value.
    case leafSignatureTrailingByte
    /// The leaf's signature is empty.
    case leafSignatureEmpty
    /// The leaf was signed with SHA-384, but claims SHA-256.
    case leafHashConfused
    /// The leaf claims ecdsa-with-SHA1.
    case leafSHA1
    /// The leaf names a different issuer.
    case leafIssuerOther
    /// The chain was issued by an authority with the same names but different keys.
    case rootSameName
    /// The intermediate certificate names an unknown issuer.
    case rootUnknown
    /// The intermediate certificate was changed after signing.
    case intermediateTampered
    /// The second certificate of the chain, which issued the leaf, is itself a valid leaf and not an intermediate.
    case leafAsIssuer

    // MARK: Dates

    /// The leaf expired twelve hours ago.
    case leafExpired
    /// The leaf becomes valid tomorrow.
    case leafNotYetValid
    /// The intermediate certificate expired yesterday.
    case intermediateExpired
    /// The intermediate certificate becomes valid tomorrow.
    case intermediateNotYetValid
    /// A date has no seconds.
    case timeWithoutSeconds
    /// A date has a time zone offset instead of Z.
    case timeWithOffset
    /// A date is February 30th.
    case timeImpossible

    // MARK: Roles

    /// The leaf is a CA certificate.
    case leafIsAuthority
    /// The leaf's key may sign certificates, but the leaf is not a CA certificate.
    case leafMaySignCertificates
    /// The intermediate certificate has no basicConstraints.
    case intermediateWithoutBasicConstraints
    /// The intermediate certificate's basicConstraints are empty.
    case intermediateNotAuthority
    /// The intermediate certificate's basicConstraints are not critical.
    case intermediateBasicConstraintsNotCritical
    /// The intermediate certificate has no keyUsage.
    case intermediateWithoutKeyUsage
    /// The intermediate certificate's key may sign only CRLs.
    case intermediateMayNotSign
    /// The intermediate certificate is version 1.
    case intermediateVersion1
    /// The intermediate certificate's key is RSA.
    case intermediateKeyRSA

    // MARK: Extensions

    /// The leaf has an unknown critical extension.
    case leafUnknownCriticalExtension
    /// The intermediate certificate has an unknown critical extension.
    case intermediateUnknownCriticalExtension
    /// The intermediate certificate has nameConstraints.
    case intermediateNameConstraints
    /// The intermediate certificate's authorityKeyIdentifier is critical.
    case authorityKeyIdentifierCritical
    /// keyUsage occurs twice.
    case extensionTwice
    /// The list of extensions is empty.
    case extensionsEmpty
    /// The leaf has 65 extra extensions.
    case extensionsTooMany
    /// `critical` is encoded as FALSE, its default.
    case criticalFalse
    /// `critical` is encoded as 01, which means true in BER but is invalid in DER.
    case criticalOne
    /// keyUsage has trailing zero bits.
    case keyUsagePadded
    /// keyUsage has no bits.
    case keyUsageEmpty
    /// basicConstraints has a negative path length.
    case pathLengthNegative
    /// An extra byte follows the SEQUENCE of basicConstraints.
    case basicConstraintsTrailingByte

    // MARK: Fields

    /// The version is 4.
    case versionUnknown
    /// Version 1 is encoded, although it is the default.
    case versionDefault
    /// A certificate of version 1 has extensions.
    case versionWithoutExtensions
    /// The serial number is 0.
    case serialNumberZero
    /// The serial number is negative.
    case serialNumberNegative
    /// The serial number is 21 octets long.
    case serialNumberTooLong
    /// The inner and outer signature algorithms differ.
    case algorithmMismatch
    /// The signature algorithm has NULL parameters.
    case algorithmParameters
    /// The issuer's name is empty.
    case issuerEmpty
    /// The subject's name is empty.
    case subjectEmpty
    /// The subject's name is not UTF-8.
    case subjectInvalidUTF8
    /// Two attributes in the same SET are not sorted.
    case subjectUnsorted
    /// The leaf's key is not on its curve.
    case leafKeyNotOnCurve
    /// The x coordinate of the leaf's key is p.
    case leafKeyOutOfRange
    /// The leaf's key is the point at infinity.
    case leafKeyInfinity
    /// The curve parameters of the leaf's key are NULL.
    case leafCurveImplicit
    /// The leaf's key has explicit curve parameters instead of a named curve (CVE-2020-0601).
    case leafCurveExplicit

    // MARK: Encoding

    /// The leaf lacks its last byte.
    case leafTruncated
    /// An extra byte follows the leaf.
    case leafTrailingByte
    /// The leaf's outer length is indefinite.
    case leafIndefiniteLength
    /// The leaf's outer length is not in the shortest form.
    case leafNonMinimalLength
    /// The leaf's outer length is 2⁶³.
    case leafLengthBomb
    /// The BIT STRING of the leaf's signature has an extra bit.
    case signatureUnusedBits
    /// The leaf is empty.
    case leafEmpty
}
