@_exported public import enum PureDER.DERError
@_exported public import enum PureRSA.RSAError
@_exported public import enum PureX509.X509Error

/// The reason why a key attestation or a signature was rejected.
///
/// The reason is for logs and operators. Send clients the same response for every error. Certificates are numbered from
/// the leaf, which has number 0. The enum is indirect, so throwing functions return only a pointer-sized error.
@nonexhaustive
public indirect enum KeyAttestationError: Error, Hashable, Sendable {
    // MARK: Input

    /// The certificates of the chain are longer than ``KeyAttestationVerifier/maximumChainSize`` bytes in total.
    case inputTooLarge
    /// The challenge is empty.
    case emptyChallenge
    /// The revocation list is not in the JSON format that Google publishes, or is longer than
    /// ``RevocationStatusList/maximumEncodedSize`` bytes.
    case malformedRevocationList(offset: Int)
    /// The revocation list contains the same serial number twice.
    case duplicateRevocationEntry(offset: Int)
    /// The stored record is not in the format that ``AttestedAndroidKey/serialized`` writes.
    case malformedKeyRecord
    /// The stored record has a version that this library does not support.
    case unsupportedKeyRecord(version: UInt8)

    // MARK: Chain

    /// The chain has an unexpected number of certificates. With the root, the chain of a factory key has 4, and the
    /// chain of a remotely provisioned key has 5. Without the root, each chain has one certificate fewer.
    case wrongCertificateCount(Int)
    /// A certificate is malformed.
    case malformedCertificate(X509Error, certificate: Int)
    /// The last certificate neither has the key of one of Google's two hardware roots, nor is issued by one of them.
    case untrustedRoot
    /// The last certificate has the key of a software keystore root. Emulators use such a root.
    case softwareRoot
    /// The issuer name of the certificate differs from the subject of the next certificate.
    case wrongOrder(certificate: Int)
    /// The signature of the certificate is not valid for the key of the next certificate.
    case invalidSignature(certificate: Int)
    /// The signature algorithm is neither ECDSA nor RSASSA-PKCS1-v1_5 with SHA-256, SHA-384 or SHA-512, or the
    /// algorithm parameters violate RFC 4055 §5.
    case unsupportedSignatureAlgorithm(certificate: Int)
    /// The key of an issuer is not a P-256, P-384 or RSA key.
    case unsupportedIssuerKey(certificate: Int)
    /// The RSA key is malformed, or the modulus or exponent is not acceptable.
    case malformedRSAKey(RSAError, certificate: Int)
    /// The certificate is not version 3.
    case notVersion3(certificate: Int)
    /// basicConstraints or keyUsage does not allow issuing certificates, or a required extension is missing.
    case notCertificationAuthority(certificate: Int)
    /// There are more issuers between the certificate and the leaf than the path length in basicConstraints allows.
    case pathLengthExceeded(certificate: Int)
    /// The certificate has an unknown critical extension.
    case unhandledCriticalExtension(certificate: Int)
    /// A certificate other than the leaf has a key description. So its key is an attested key, not the key of a CA. The
    /// holder of this key signed the certificate below, and chose the contents of that certificate.
    case descriptionInIssuer(certificate: Int)
    /// The names in the chain match neither a factory key nor a remotely provisioned key.
    case unknownProvisioning
    /// The verification time `at` is before the certificate's `notBefore`.
    case notYetValid(certificate: Int, notBefore: UnixTime, at: UnixTime)
    /// The verification time `at` is after the certificate's `notAfter`. Expired factory certificates are accepted,
    /// because factory keys cannot be replaced.
    case expired(certificate: Int, notAfter: UnixTime, at: UnixTime)
    /// According to the revocation list, the certificate is revoked.
    case revoked(certificate: Int)
    /// According to the revocation list, the certificate is suspended.
    case suspended(certificate: Int)
    /// The provisioning extension of the attestation certificate is malformed.
    case malformedProvisioningInformation

    // MARK: Key description

    /// The leaf has no key description extension, 1.3.6.1.4.1.11129.2.1.17.
    case descriptionMissing
    /// The key description is not valid DER of its ASN.1 type.
    case malformedKeyDescription(DERError)
    /// The member with this tag number is not valid DER of its ASN.1 type.
    case malformedAuthorization(UInt32, DERError)
    /// The member with this tag number occurs twice in a list.
    case duplicateAuthorization(UInt32)
    /// A list has more than ``AuthorizationList/maximumMemberCount`` members.
    case tooManyAuthorizations
    /// The attested challenge differs from the issued challenge.
    case challengeMismatch
    /// The attestation and the attestation certificate state different security levels.
    case securityLevelMismatch
    /// The leaf's key does not match the key description.
    case keyMismatch
    /// The leaf's key is not a P-256, P-384 or RSA key, so its signatures cannot be verified.
    case unsupportedLeafKey

    // MARK: Policy

    /// The security level of the attestation or of the key is below the minimum in the policy.
    case securityLevelNotAllowed(SecurityLevel)
    /// The hardware-enforced list has no root of trust.
    case rootOfTrustMissing
    /// The bootloader is unlocked.
    case deviceUnlocked
    /// The policy does not accept this boot state.
    case bootStateNotAllowed(VerifiedBootState)
    /// The system was signed with a key that the policy does not accept.
    case bootKeyNotAllowed
    /// The hardware did not generate the key, although the policy requires this.
    case originNotAllowed(KeyOrigin?)
    /// The key is not allowed to sign data, or is allowed to sign attestations.
    case purposeNotAllowed
    /// All apps on the device can use the key.
    case keyForAllApplications
    /// The software-enforced list names no app, or the hardware-enforced list also names an app.
    case applicationMissing
    /// No declaration accepts the app's package name and version.
    case packageNotAllowed
    /// The signing certificates of the app differ from the digests in the declaration.
    case signingDigestMismatch
    /// The system version is below the minimum in the policy, or is unknown (`nil`).
    case osVersionNotAllowed(UInt64?)
    /// A patch level is older than the policy accepts, is not a date, or is unknown (`nil`).
    case patchLevelNotAllowed(UInt64?)
    /// The attestation key was not provisioned remotely.
    case remoteProvisioningRequired
    /// The device received more certificates in 30 days than the policy accepts, or the number is unknown (`nil`).
    case tooManyCertificatesIssued(UInt64?)

    // MARK: Signatures by an attested key

    /// The signature of the signed bytes is not valid for the key.
    case invalidKeySignature
    /// The signed bytes contain a different challenge.
    case signedChallengeMismatch
    /// The caller's closure found no challenge in the signed bytes.
    case challengeNotFound
    /// The stored key belongs to an app that the verifier does not accept.
    case keyOfUnknownApp
}
