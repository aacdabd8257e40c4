public import PureBytes
public import PureDER
public import PureECDSA

/// The part of a certificate or other structure that an error concerns. The names follow RFC 5280 §4.1.
@nonexhaustive
public enum CertificateField: Hashable, Sendable {
    /// `Certificate` itself: the outer SEQUENCE.
    case certificate
    /// `tbsCertificate`.
    case tbsCertificate
    /// `signatureAlgorithm`, or the field `signature` of `tbsCertificate`.
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
    /// `extensions`: the list of extensions, not the value of an extension.
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
    /// `SignedData` of CMS (RFC 5652 §5.1), including the enclosing `ContentInfo`.
    case signedData
    /// `SignerInfo` of CMS (RFC 5652 §5.3).
    case signerInfo
}

/// The reason why a certificate or path was rejected. Certificates are numbered from the leaf (0) to the anchor.
///
/// The enum is indirect, so throwing functions return only a pointer-sized error. Only throwing allocates memory.
@nonexhaustive
public indirect enum X509Error: Error, Hashable, Sendable {
    // MARK: One certificate

    /// The encoding of `field` violates DER.
    case malformed(CertificateField, DERError)
    /// The public key is not a valid point on its curve.
    case invalidPublicKey(ECDSAError)
    /// The encoding is longer than ``Certificate/maximumEncodedSize``.
    case certificateTooLarge
    /// The certificate has more than ``Certificate/maximumExtensionCount`` extensions.
    case tooManyExtensions
    /// The version is not v1, v2 or v3 (RFC 5280 §4.1.2.1).
    case unknownVersion
    /// A v1 certificate has a unique identifier, or a v1 or v2 certificate has an extension (RFC 5280 §4.1.2.8,
    /// §4.1.2.9).
    case fieldNotAllowedInVersion(CertificateField)
    /// The serial number is zero or negative (RFC 5280 §4.1.2.2).
    case serialNumberNotPositive
    /// The serial number is longer than 20 octets (RFC 5280 §4.1.2.2).
    case serialNumberTooLong
    /// The fields `signature` and `signatureAlgorithm` have different bytes (RFC 5280 §4.1.1.2).
    case signatureAlgorithmMismatch
    /// The algorithm identifier must have no parameters, but parameters are present, possibly NULL (RFC 5758 §3.2).
    case unexpectedAlgorithmParameters
    /// The parameters of an elliptic-curve key do not name a curve (RFC 5480 §2.1.1).
    case curveNotNamed
    /// The signature or an elliptic-curve key is not a whole number of octets.
    case notWholeOctets(CertificateField)
    /// A list that must have at least one element is empty.
    case emptyList(CertificateField)
    /// A field is encoded although it has its default value (X.690 §11.5).
    case encodedDefault(CertificateField)
    /// The elements of a SET OF are not in ascending order (X.690 §11.6).
    case unsortedSet(CertificateField)
    /// A relative distinguished name has two attributes of the same type (X.501 §9.3).
    case duplicateAttributeType(CertificateField)
    /// A character string contains characters that its type does not allow (X.680 §41).
    case invalidCharacters(CertificateField)
    /// A `GeneralName` has an unknown choice, or an IP address whose length is not 4 or 16 (RFC 5280 §4.2.1.6).
    case invalidGeneralName(CertificateField)
    /// An extension occurs twice (RFC 5280 §4.2).
    case duplicateExtension(ASN1ObjectIdentifier)
    /// A value has the right ASN.1 type but violates a rule of RFC 5280. Examples are a keyUsage with no bit set, a
    /// negative path length, a repeated policy, and an authorityCertIssuer without authorityCertSerialNumber.
    case invalidValue(CertificateField)
    /// The subject is empty, and the certificate has no critical subjectAltName (RFC 5280 §4.1.2.6).
    case noSubject
    /// The text is not PEM with the label CERTIFICATE, or contains several blocks where exactly one is required.
    case malformedPEM(PEMError)

    // MARK: A path

    /// The leaf is a CA certificate. Thrown by the App Attest profile and for OCSP responders.
    case unexpectedCertificationAuthority

    /// keyUsage does not allow signing data (RFC 5280 §4.2.1.3, digitalSignature). For App Attest leaves and receipt
    /// signers, an absent keyUsage is also rejected. For OCSP responders, an absent keyUsage is accepted.
    case digitalSignatureMissing(certificate: Int)

    /// The validation time, `at`, is before `notBefore`.
    case notYetValid(certificate: Int, notBefore: UnixTime, at: UnixTime)
    /// The validation time, `at`, is after `notAfter`.
    case expired(certificate: Int, notAfter: UnixTime, at: UnixTime)
    /// The certificate is not version 3, so it cannot declare whether it may issue certificates.
    case notVersion3(certificate: Int)
    /// The certificate's signature algorithm is not ECDSA with SHA-256, SHA-384 or SHA-512.
    case unsupportedSignatureAlgorithm(certificate: Int)
    /// The certificate's key must verify a signature, but is not on P-256 or P-384.
    case unsupportedPublicKey(certificate: Int)
    /// The certificate's signature is malformed, or is not valid for the issuer's key.
    case invalidSignature(certificate: Int)
    /// Neither a trust anchor nor another certificate has the certificate's issuer name as its subject. If a chain ends
    /// with an untrusted root, the error concerns this root.
    case issuerNotFound(certificate: Int)
    /// basicConstraints does not allow the certificate to issue certificates (RFC 5280 §6.1.4 k).
    case notCertificationAuthority(certificate: Int)
    /// keyUsage does not allow the key to sign certificates (RFC 5280 §6.1.4 n).
    case keyCertSignMissing(certificate: Int)
    /// More intermediate certificates follow than pathLenConstraint allows (RFC 5280 §6.1.4 l, m).
    case pathLengthExceeded(certificate: Int)
    /// A critical extension is not supported (RFC 5280 §6.1.4 o, §6.1.5 f).
    case unhandledCriticalExtension(ASN1ObjectIdentifier, certificate: Int)
    /// An extension is critical but must be noncritical, or the reverse (RFC 5280 §4.2.1).
    case wrongCriticality(ASN1ObjectIdentifier, certificate: Int)
    /// A certificate of an App Attest chain has nameConstraints, policyMappings, policyConstraints or inhibitAnyPolicy,
    /// whether critical or not. Only `CertificatePathVerifier` of PureX509Paths processes these extensions.
    case unsupportedConstraint(ASN1ObjectIdentifier, certificate: Int)
    /// extKeyUsage does not list the required purpose (RFC 5280 §4.2.1.12). For App Attest leaves and receipt signers,
    /// only a critical extKeyUsage must list App Attest's purpose.
    case extendedKeyUsageMissing(certificate: Int)

    // MARK: Signed data (RFC 5652)

    /// The content is not id-signedData, or the signed content is not id-data.
    case unsupportedContentType
    /// The version of SignedData or SignerInfo is not 1.
    case unsupportedSignedDataVersion
    /// The content is detached.
    case contentMissing
    /// SignedData contains more than ``SignedData/maximumCertificateCount`` certificates.
    case tooManyCertificates
    /// SignedData has no signer, or more than one signer.
    case wrongSignerCount
    /// The signature covers signed attributes (RFC 5652 §5.3) instead of the content itself.
    case signedAttributesPresent
    /// The digest algorithm does not match the signature algorithm, or one of the two is not implemented.
    case digestAlgorithmMismatch
    /// No certificate has the signer's issuer and serial number.
    case signerCertificateMissing
    /// The signature of the content is not valid for the signer's key.
    case invalidContentSignature
}
