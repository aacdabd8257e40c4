public import PureBytes
public import PureDER
public import PureECDSA

/// A part of a certificate, named in errors. The names follow RFC 5280 §4.1.
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
    /// `extensions`: the list, not one extension's value.
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
    /// An `OCSPResponse` (RFC 6960 §4.2.1).
    case ocspResponse
    /// `SignedData` of CMS (RFC 5652 §5.1), including its envelope.
    case signedData
    /// `SignerInfo` of CMS (RFC 5652 §5.3).
    case signerInfo
}

/// The reason why a certificate or path was rejected. Certificates are numbered from the leaf, 0, up to the anchor.
///
/// The type is indirect, so every throwing call returns a small error value. Only a throw allocates the payload.
@nonexhaustive
public indirect enum X509Error: Error, Hashable, Sendable {
    // MARK: One certificate

    /// The encoding of `field` violates DER.
    case malformed(CertificateField, DERError)
    /// The public key is not valid on its curve.
    case invalidPublicKey(ECDSAError)
    /// The encoding is longer than ``Certificate/maximumEncodedSize``.
    case certificateTooLarge
    /// There are more than ``Certificate/maximumExtensionCount`` extensions.
    case tooManyExtensions
    /// The version is not v1, v2 or v3 (RFC 5280 §4.1.2.1).
    case unknownVersion
    /// A unique identifier is present in v1, or extensions are present before v3 (RFC 5280 §4.1.2.8, §4.1.2.9).
    case fieldNotAllowedInVersion(CertificateField)
    /// The serial number is zero or negative (RFC 5280 §4.1.2.2).
    case serialNumberNotPositive
    /// The serial number is longer than 20 octets (RFC 5280 §4.1.2.2).
    case serialNumberTooLong
    /// `signature` and `signatureAlgorithm` are not the same bytes (RFC 5280 §4.1.1.2).
    case signatureAlgorithmMismatch
    /// The algorithm allows no parameters, but some are present, even NULL (RFC 5758 §3.2).
    case unexpectedAlgorithmParameters
    /// The parameters of an elliptic-curve key do not name a curve (RFC 5480 §2.1.1).
    case curveNotNamed
    /// The signature or an elliptic-curve key is not a whole number of octets.
    case notWholeOctets(CertificateField)
    /// A list that must have an element is empty.
    case emptyList(CertificateField)
    /// A default value is encoded (X.690 §11.5).
    case encodedDefault(CertificateField)
    /// The elements of a SET OF are not in ascending order (X.690 §11.6).
    case unsortedSet(CertificateField)
    /// A relative distinguished name has two attributes of one type (X.501 §9.3).
    case duplicateAttributeType(CertificateField)
    /// A character string contains characters that its type does not allow (X.680 §41).
    case invalidCharacters(CertificateField)
    /// A `GeneralName` has an unknown choice, or an IP address whose length is not 4 or 16 (RFC 5280 §4.2.1.6).
    case invalidGeneralName(CertificateField)
    /// An extension occurs twice (RFC 5280 §4.2).
    case duplicateExtension(ASN1ObjectIdentifier)
    /// A value is valid DER of its type but violates its section of RFC 5280. Examples: keyUsage without a bit, a
    /// negative path length, a repeated policy, an authority's issuer without its serial number.
    case invalidValue(CertificateField)
    /// The subject is empty and there is no critical subjectAltName (RFC 5280 §4.1.2.6).
    case noSubject
    /// The text is not PEM with the label CERTIFICATE, or has several blocks if exactly one is required.
    case malformedPEM(PEMError)

    // MARK: A path

    /// The leaf is a CA certificate. Thrown by the App Attest profile and for OCSP responders.
    case unexpectedCertificationAuthority

    /// The App Attest profile, and receipt signers: keyUsage is absent or does not allow signing data (RFC 5280
    /// §4.2.1.3, digitalSignature). OCSP responders: keyUsage is present and does not allow signing data.
    case digitalSignatureMissing(certificate: Int)

    /// The validation time, `at`, is before `notBefore`.
    case notYetValid(certificate: Int, notBefore: UnixTime, at: UnixTime)
    /// The validation time, `at`, is after `notAfter`.
    case expired(certificate: Int, notAfter: UnixTime, at: UnixTime)
    /// The certificate is not version 3, so it cannot declare whether it may issue certificates.
    case notVersion3(certificate: Int)
    /// The certificate's signature algorithm is not ECDSA with SHA-256, SHA-384 or SHA-512.
    case unsupportedSignatureAlgorithm(certificate: Int)
    /// The certificate's key must verify another certificate, but is not on P-256 or P-384.
    case unsupportedPublicKey(certificate: Int)
    /// The certificate's signature is malformed, or the issuer's key did not make it.
    case invalidSignature(certificate: Int)
    /// Neither a trust anchor nor another certificate has the certificate's issuer name. In a chain to an untrusted
    /// root, the certificate is the root.
    case issuerNotFound(certificate: Int)
    /// basicConstraints does not allow the certificate to issue others (RFC 5280 §6.1.4 k).
    case notCertificationAuthority(certificate: Int)
    /// keyUsage does not allow the key to sign certificates (RFC 5280 §6.1.4 n).
    case keyCertSignMissing(certificate: Int)
    /// More intermediate certificates follow than the certificate's path length allows (RFC 5280 §6.1.4 l, m).
    case pathLengthExceeded(certificate: Int)
    /// A critical extension is not supported (RFC 5280 §6.1.4 o, §6.1.5 f).
    case unhandledCriticalExtension(ASN1ObjectIdentifier, certificate: Int)
    /// An extension is critical but must be noncritical, or is noncritical but must be critical (RFC 5280 §4.2.1).
    case wrongCriticality(ASN1ObjectIdentifier, certificate: Int)
    /// A certificate of an App Attest chain has an extension that constrains paths, critical or noncritical:
    /// nameConstraints, policyMappings, policyConstraints or inhibitAnyPolicy. Only `CertificatePathVerifier` of
    /// PureX509Paths processes these extensions.
    case unsupportedConstraint(ASN1ObjectIdentifier, certificate: Int)
    /// extKeyUsage does not list the required usage (RFC 5280 §4.2.1.12). In the App Attest profile, and for receipt
    /// signers: a critical extKeyUsage does not list App Attest's usage.
    case extendedKeyUsageMissing(certificate: Int)

    // MARK: Signed data (RFC 5652)

    /// The content is not id-signedData, or the signed content is not id-data.
    case unsupportedContentType
    /// SignedData or SignerInfo does not have version 1.
    case unsupportedSignedDataVersion
    /// The content is detached.
    case contentMissing
    /// There are more than ``SignedData/maximumCertificateCount`` certificates.
    case tooManyCertificates
    /// There is not exactly one signer.
    case wrongSignerCount
    /// The signer signed attributes instead of the content.
    case signedAttributesPresent
    /// The digest algorithm does not match the signature algorithm, or either is not implemented.
    case digestAlgorithmMismatch
    /// No certificate has the signer's issuer and serial number.
    case signerCertificateMissing
    /// The content's signature does not verify with the signer's key.
    case invalidContentSignature
}
