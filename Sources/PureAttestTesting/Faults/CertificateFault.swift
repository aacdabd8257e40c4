/// One X.509 rule that an attestation's certificates break.
///
/// Signatures are valid unless the fault is in a signature, because the issuer itself breaks the rule. The raw value
/// identifies the fault, and is stable between versions.
public enum CertificateFault: String, CaseIterable, Hashable, Sendable {
    // MARK: Signatures and names

    /// A bit of the leaf was flipped after signing.
    case leafTampered
    /// A bit of the leaf's signature is flipped.
    case leafSignatureTampered
    /// A key other than the issuer's signed the leaf.
    case leafSignedByStranger
    /// r and s of the leaf's signature are 0 (CVE-2022-21449).
    case leafSignatureZero
    /// r of the leaf's signature is r + n.
    case leafSignatureOutOfRange
    /// The leaf's signature is BER: r has a redundant leading octet.
    case leafSignatureNonMinimal
    /// An octet follows the leaf's ECDSA-Sig-Value.
    case leafSignatureTrailingByte
    /// The leaf's signature is empty.
    case leafSignatureEmpty
    /// The leaf's signature uses SHA-384, but the leaf claims SHA-256.
    case leafHashConfused
    /// The leaf claims ecdsa-with-SHA1.
    case leafSHA1
    /// The leaf names another issuer.
    case leafIssuerOther
    /// An authority with the same names and other keys issued the chain.
    case rootSameName
    /// The intermediate certificate names an unknown issuer.
    case rootUnknown
    /// The intermediate certificate was changed after signing.
    case intermediateTampered
    /// A leaf issued another leaf: the second certificate is a genuine leaf.
    case leafAsIssuer

    // MARK: Dates

    /// The leaf expired yesterday.
    case leafExpired
    /// The leaf becomes valid tomorrow.
    case leafNotYetValid
    /// The intermediate certificate expired yesterday.
    case intermediateExpired
    /// The intermediate certificate becomes valid tomorrow.
    case intermediateNotYetValid
    /// A date has no seconds.
    case timeWithoutSeconds
    /// A date has an offset instead of Z.
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
    /// `critical` is 01.
    case criticalOne
    /// keyUsage has trailing zero bits.
    case keyUsagePadded
    /// keyUsage has no bits.
    case keyUsageEmpty
    /// basicConstraints has a negative path length.
    case pathLengthNegative
    /// A byte follows the SEQUENCE of basicConstraints.
    case basicConstraintsTrailingByte

    // MARK: Fields

    /// The version is 4.
    case versionUnknown
    /// Version 1, the default, is encoded.
    case versionDefault
    /// A certificate of version 1 has extensions.
    case versionWithoutExtensions
    /// The serial number is 0.
    case serialNumberZero
    /// The serial number is negative.
    case serialNumberNegative
    /// The serial number has 21 octets.
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
    /// Two attributes in one SET are not sorted.
    case subjectUnsorted
    /// The leaf's key is not on its curve.
    case leafKeyNotOnCurve
    /// The leaf's key has x = p.
    case leafKeyOutOfRange
    /// The leaf's key is the point at infinity.
    case leafKeyInfinity
    /// The leaf's curve parameters are NULL.
    case leafCurveImplicit
    /// The leaf's curve has explicit parameters (CVE-2020-0601).
    case leafCurveExplicit

    // MARK: Encoding

    /// The leaf lacks its last byte.
    case leafTruncated
    /// A byte follows the leaf.
    case leafTrailingByte
    /// The leaf's outer length is indefinite.
    case leafIndefiniteLength
    /// The leaf's outer length is not in the shortest form.
    case leafNonMinimalLength
    /// The leaf's outer length is 2⁶³.
    case leafLengthBomb
    /// The leaf's signature has one extra bit.
    case signatureUnusedBits
    /// The leaf is empty.
    case leafEmpty
}
