/// One rule of X.509 that an attestation's certificates break. Unless the fault is a signature, the certificate is signed as it
/// is: the issuer itself breaks the rule.
///
/// The raw value is the fault's identifier. It does not change between versions.
public enum CertificateFault: String, CaseIterable, Hashable, Sendable {
    // MARK: Signatures and names

    /// A bit of the leaf was changed after it was signed.
    case leafTampered
    /// A bit of the leaf's signature is another one.
    case leafSignatureTampered
    /// The leaf is signed by a key that is not its issuer's.
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
    /// The leaf is signed over SHA-384 and says SHA-256.
    case leafHashConfused
    /// The leaf says ecdsa-with-SHA1.
    case leafSHA1
    /// The leaf's issuer is another name.
    case leafIssuerOther
    /// The chain is that of an authority with the same names and other keys.
    case rootSameName
    /// The intermediate certificate's issuer is unknown.
    case rootUnknown
    /// The intermediate certificate was changed after it was signed.
    case intermediateTampered
    /// A leaf issued another leaf: the second certificate is a genuine leaf.
    case leafAsIssuer

    // MARK: Dates

    /// The leaf expired yesterday.
    case leafExpired
    /// The leaf is valid from tomorrow on.
    case leafNotYetValid
    /// The intermediate certificate expired yesterday.
    case intermediateExpired
    /// The intermediate certificate is valid from tomorrow on.
    case intermediateNotYetValid
    /// A time without seconds.
    case timeWithoutSeconds
    /// A time with an offset in place of Z.
    case timeWithOffset
    /// February 30th.
    case timeImpossible

    // MARK: Roles

    /// The leaf is a CA certificate.
    case leafIsAuthority
    /// The leaf's key may sign certificates, and it is no CA certificate.
    case leafMaySignCertificates
    /// The intermediate certificate has no basicConstraints.
    case intermediateWithoutBasicConstraints
    /// The intermediate certificate's basicConstraints are empty.
    case intermediateNotAuthority
    /// The intermediate certificate's basicConstraints are not critical.
    case intermediateBasicConstraintsNotCritical
    /// The intermediate certificate has no keyUsage.
    case intermediateWithoutKeyUsage
    /// The intermediate certificate's key may sign CRLs only.
    case intermediateMayNotSign
    /// The intermediate certificate is of version 1.
    case intermediateVersion1
    /// The intermediate certificate's key is RSA.
    case intermediateKeyRSA

    // MARK: Extensions

    /// The leaf has a critical extension that nobody knows.
    case leafUnknownCriticalExtension
    /// The intermediate certificate has a critical extension that nobody knows.
    case intermediateUnknownCriticalExtension
    /// The intermediate certificate has nameConstraints.
    case intermediateNameConstraints
    /// The intermediate certificate's authorityKeyIdentifier is critical.
    case authorityKeyIdentifierCritical
    /// keyUsage is there twice.
    case extensionTwice
    /// The list of extensions is empty.
    case extensionsEmpty
    /// The leaf has 65 more extensions.
    case extensionsTooMany
    /// `critical` is written as FALSE, its default.
    case criticalFalse
    /// `critical` is 01.
    case criticalOne
    /// keyUsage has zero bits at its end.
    case keyUsagePadded
    /// keyUsage has no bit.
    case keyUsageEmpty
    /// basicConstraints has a negative path length.
    case pathLengthNegative
    /// A byte follows the SEQUENCE of basicConstraints.
    case basicConstraintsTrailingByte

    // MARK: Fields

    /// The version is 4.
    case versionUnknown
    /// Version 1 is written, which is the default.
    case versionDefault
    /// Version 1 with extensions.
    case versionWithoutExtensions
    /// The serial number is 0.
    case serialNumberZero
    /// The serial number is negative.
    case serialNumberNegative
    /// The serial number has 21 octets.
    case serialNumberTooLong
    /// Inside and outside, the signature algorithm differs.
    case algorithmMismatch
    /// The signature algorithm has NULL for parameters.
    case algorithmParameters
    /// The issuer's name is empty.
    case issuerEmpty
    /// The subject's name is empty.
    case subjectEmpty
    /// The subject's name is not UTF-8.
    case subjectInvalidUTF8
    /// Two attributes in one SET are in the wrong order.
    case subjectUnsorted
    /// The leaf's key is not on its curve.
    case leafKeyNotOnCurve
    /// The leaf's key has x = p.
    case leafKeyOutOfRange
    /// The leaf's key is the point at infinity.
    case leafKeyInfinity
    /// The leaf's curve is given by NULL.
    case leafCurveImplicit
    /// The leaf's curve is given by its parameters (CVE-2020-0601).
    case leafCurveExplicit

    // MARK: Encoding

    /// The leaf's last byte is missing.
    case leafTruncated
    /// A byte follows the leaf.
    case leafTrailingByte
    /// The leaf's outer length is indefinite.
    case leafIndefiniteLength
    /// The leaf's outer length is longer than it has to be.
    case leafNonMinimalLength
    /// The leaf's outer length is 2⁶³.
    case leafLengthBomb
    /// The leaf's signature is followed by one bit more.
    case signatureUnusedBits
    /// The leaf is empty.
    case leafEmpty
}
