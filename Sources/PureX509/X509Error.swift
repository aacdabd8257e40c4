public import PureBytes
public import PureDER
public import PureECDSA

/// A part of a certificate, for errors. Names are those of RFC 5280 §4.1.
@nonexhaustive
public enum CertificateField: Hashable, Sendable {
    /// `Certificate` itself: the outer SEQUENCE.
    case certificate
    /// `tbsCertificate`.
    case tbsCertificate
    /// `signatureAlgorithm`, or `signature` inside the signed part.
    case signatureAlgorithm
    /// `signatureValue`.
    case signatureValue
    /// `version`.
    case version
    /// `serialNumber`.
    case serialNumber
    /// `issuer`.
    case issuer
    /// `validity`.
    case validity
    /// `subject`.
    case subject
    /// `subjectPublicKeyInfo`.
    case subjectPublicKeyInfo
    /// `issuerUniqueID` or `subjectUniqueID`.
    case uniqueIdentifier
    /// `extensions`: the list, not the value of one.
    case extensions
    /// The value of basicConstraints.
    case basicConstraints
    /// The value of keyUsage.
    case keyUsage
    /// The value of extKeyUsage.
    case extendedKeyUsage
    /// The value of authorityKeyIdentifier.
    case authorityKeyIdentifier
    /// The value of subjectKeyIdentifier.
    case subjectKeyIdentifier
    /// The value of subjectAltName.
    case subjectAlternativeName
    /// The value of authorityInfoAccess.
    case authorityInformationAccess
    /// The value of nameConstraints.
    case nameConstraints
    /// The value of certificatePolicies.
    case certificatePolicies
    /// The value of policyMappings.
    case policyMappings
    /// The value of policyConstraints.
    case policyConstraints
    /// The value of inhibitAnyPolicy.
    case inhibitAnyPolicy
    /// The value of cRLDistributionPoints.
    case cRLDistributionPoints
    /// A `CertificateList` (RFC 5280 §5.1).
    case revocationList
    /// `SignedData` of CMS (RFC 5652 §5.1), with what is around it.
    case signedData
    /// `SignerInfo` of CMS (RFC 5652 §5.3).
    case signerInfo
}

/// Why a certificate or a certification path is refused. Where a case names a certificate of a path, 0 is the leaf and
/// each issuer has its subject's number plus one, the trust anchor included.
///
/// Indirect: what every throwing call hands up, and copies where it fails, stays small; a payload is made when it is thrown.
@nonexhaustive
public indirect enum X509Error: Error, Hashable, Sendable {
    // MARK: One certificate

    /// The encoding of `field` breaks a rule of DER.
    case malformed(CertificateField, DERError)
    /// The public key is not one of its curve.
    case invalidPublicKey(ECDSAError)
    /// The encoding is longer than ``Certificate/maximumEncodedSize``.
    case certificateTooLarge
    /// There are more than ``Certificate/maximumExtensionCount`` extensions.
    case tooManyExtensions
    /// The version is none of v1, v2 and v3 (RFC 5280 §4.1.2.1).
    case unknownVersion
    /// A unique identifier in v1, or extensions before v3 (RFC 5280 §4.1.2.8, §4.1.2.9).
    case fieldNotAllowedInVersion(CertificateField)
    /// The serial number is zero or negative (RFC 5280 §4.1.2.2).
    case serialNumberNotPositive
    /// The serial number is longer than 20 octets (RFC 5280 §4.1.2.2).
    case serialNumberTooLong
    /// `signature` and `signatureAlgorithm` are not the same bytes (RFC 5280 §4.1.1.2).
    case signatureAlgorithmMismatch
    /// The algorithm takes no parameters, yet some are there: a NULL too (RFC 5758 §3.2).
    case unexpectedAlgorithmParameters
    /// The parameters of an elliptic-curve key are not a curve's name (RFC 5480 §2.1.1).
    case curveNotNamed
    /// The signature or a unique identifier is not a whole number of octets.
    case notWholeOctets(CertificateField)
    /// A list that has one element or more is empty.
    case emptyList(CertificateField)
    /// A default value is encoded (X.690 §11.5).
    case encodedDefault(CertificateField)
    /// The elements of a SET OF are not in ascending order (X.690 §11.6).
    case unsortedSet(CertificateField)
    /// Two attributes of one relative distinguished name are of one type (X.501 §9.3).
    case duplicateAttributeType(CertificateField)
    /// A character string holds what its type does not allow (X.680 §41).
    case invalidCharacters(CertificateField)
    /// A `GeneralName` is none of the choices, or an IP address has another length than 4 or 16 (RFC 5280 §4.2.1.6).
    case invalidGeneralName(CertificateField)
    /// An extension occurs twice (RFC 5280 §4.2).
    case duplicateExtension(ASN1ObjectIdentifier)
    /// An extension's value is DER of its type and still breaks a rule of its section of RFC 5280: keyUsage without a bit, a
    /// negative path length, a policy twice, an authority's issuer without its serial number.
    case invalidValue(CertificateField)
    /// The subject is empty and there is no critical subjectAltName (RFC 5280 §4.1.2.6).
    case noSubject
    /// The text is not PEM with the label CERTIFICATE, of one block where one was asked for.
    case malformedPEM(PEMError)

    // MARK: A path

    /// The App Attest profile: the leaf is a CA certificate.
    case unexpectedCertificationAuthority

    /// The App Attest profile, and signers of receipts: there is no keyUsage, or it does not say that the key may sign data
    /// (RFC 5280 §4.2.1.3, digitalSignature).
    case digitalSignatureMissing(certificate: Int)

    /// The time of validation, `at`, is before `notBefore`.
    case notYetValid(certificate: Int, notBefore: UnixTime, at: UnixTime)
    /// The time of validation, `at`, is after `notAfter`.
    case expired(certificate: Int, notAfter: UnixTime, at: UnixTime)
    /// The certificate is not of version 3, so nothing says whether it may issue.
    case notVersion3(certificate: Int)
    /// The certificate's signature is not one of ECDSA with SHA-256, SHA-384 or SHA-512.
    case unsupportedSignatureAlgorithm(certificate: Int)
    /// The certificate's key, with which another must be verified, is not one of P-256 or P-384.
    case unsupportedPublicKey(certificate: Int)
    /// The certificate's signature is not its issuer's, or none at all.
    case invalidSignature(certificate: Int)
    /// Neither a trust anchor nor another certificate has the name of the certificate's issuer. Of a chain that ends in a root
    /// that is not trusted, the certificate is that root.
    case issuerNotFound(certificate: Int)
    /// basicConstraints does not say that the certificate may issue others (RFC 5280 §6.1.4 k).
    case notCertificationAuthority(certificate: Int)
    /// keyUsage does not say that the key may sign certificates (RFC 5280 §6.1.4 n).
    case keyCertSignMissing(certificate: Int)
    /// More intermediate certificates follow than the certificate's path length allows (RFC 5280 §6.1.4 l, m).
    case pathLengthExceeded(certificate: Int)
    /// A critical extension that is not processed (RFC 5280 §6.1.4 o, §6.1.5 f).
    case unhandledCriticalExtension(ASN1ObjectIdentifier, certificate: Int)
    /// An extension is critical and must not be, or is not and must be (RFC 5280 §4.2.1).
    case wrongCriticality(ASN1ObjectIdentifier, certificate: Int)
    /// In chains of App Attest, an extension that constrains paths, critical or not: nameConstraints, policyMappings, policyConstraints
    /// or inhibitAnyPolicy. Only `CertificatePathVerifier` of PureX509Paths processes them.
    case unsupportedConstraint(ASN1ObjectIdentifier, certificate: Int)
    /// extKeyUsage does not list the usage that the verifier asks for; in the App Attest profile, and of signers of receipts,
    /// one that is critical does not name App Attest's (RFC 5280 §4.2.1.12).
    case extendedKeyUsageMissing(certificate: Int)

    // MARK: Signed data (RFC 5652)

    /// The content is not id-signedData, or what is signed is not id-data.
    case unsupportedContentType
    /// The version of SignedData or of SignerInfo is not 1.
    case unsupportedSignedDataVersion
    /// The content is not inside (detached).
    case contentMissing
    /// There are more than ``SignedData/maximumCertificateCount`` certificates.
    case tooManyCertificates
    /// There is not exactly one signer.
    case wrongSignerCount
    /// The signer signed attributes and not the content itself.
    case signedAttributesPresent
    /// The digest algorithm is not that of the signature algorithm, or either is not implemented.
    case digestAlgorithmMismatch
    /// No certificate has the issuer and serial number that the signer is named by.
    case signerCertificateMissing
    /// The content's signature is not the signer's.
    case invalidContentSignature
}
