@_exported public import enum PureDER.DERError
@_exported public import enum PureRSA.RSAError
@_exported public import enum PureX509.X509Error

/// The reason why a key attestation or a signature was rejected.
///
/// The reason is for logs and operators. Send clients one uniform answer. Certificates are numbered from the leaf, 0.
/// The type is indirect, so every throwing call returns a small error value.
@nonexhaustive
public indirect enum KeyAttestationError: Error, Hashable, Sendable {
    // MARK: Input

    /// The chain has more than ``KeyAttestationVerifier/maximumChainSize`` bytes.
    case inputTooLarge
    /// The challenge is empty.
    case emptyChallenge
    /// The revocation list is not the JSON that Google publishes, or exceeds
    /// ``RevocationStatusList/maximumEncodedSize``.
    case malformedRevocationList(offset: Int)
    /// The revocation list contains a serial number twice.
    case duplicateRevocationEntry(offset: Int)
    /// The stored record is not in the format that ``AttestedAndroidKey/serialized`` writes.
    case malformedKeyRecord
    /// The stored record has a later version than this library supports.
    case unsupportedKeyRecord(version: UInt8)

    // MARK: Chain

    /// The chain has an unexpected number of certificates. With the root, chains of factory keys have 4 certificates,
    /// and chains of remotely provisioned keys have 5. Without the root, both have one less.
    case wrongCertificateCount(Int)
    /// A certificate is malformed.
    case malformedCertificate(X509Error, certificate: Int)
    /// The last certificate neither has the key of one of Google's two hardware roots, nor is issued by one of them.
    case untrustedRoot
    /// The last certificate has the key of a software keystore root, as on emulators.
    case softwareRoot
    /// The certificate's issuer does not equal the next certificate's subject.
    case wrongOrder(certificate: Int)
    /// The certificate's signature does not verify with the next certificate's key.
    case invalidSignature(certificate: Int)
    /// The signature algorithm is not ECDSA or RSASSA-PKCS1-v1_5 with SHA-256, SHA-384 or SHA-512, or its parameters
    /// violate RFC 4055 §5.
    case unsupportedSignatureAlgorithm(certificate: Int)
    /// The key of an issuer is not a P-256, P-384 or RSA key.
    case unsupportedIssuerKey(certificate: Int)
    /// The RSA key is malformed, or its modulus or exponent is not accepted.
    case malformedRSAKey(RSAError, certificate: Int)
    /// The certificate is not version 3.
    case notVersion3(certificate: Int)
    /// An issuer's basicConstraints or keyUsage forbid issuing certificates, or are missing where required.
    case notCertificationAuthority(certificate: Int)
    /// More issuers follow than the certificate's basicConstraints allow.
    case pathLengthExceeded(certificate: Int)
    /// A critical extension is unknown.
    case unhandledCriticalExtension(certificate: Int)
    /// A certificate other than the leaf has a key description. So an attested key signed the certificate below it, and
    /// the key's holder chose the contents.
    case descriptionInIssuer(certificate: Int)
    /// The names in the chain match neither factory keys nor remotely provisioned keys.
    case unknownProvisioning
    /// The verification time `at` is before the certificate's `notBefore`.
    case notYetValid(certificate: Int, notBefore: UnixTime, at: UnixTime)
    /// The verification time `at` is after the certificate's `notAfter`. Expired factory certificates are accepted,
    /// because nobody can replace them.
    case expired(certificate: Int, notAfter: UnixTime, at: UnixTime)
    /// The revocation list contains the certificate as revoked.
    case revoked(certificate: Int)
    /// The revocation list contains the certificate as suspended.
    case suspended(certificate: Int)
    /// The provisioning extension of the attestation certificate is malformed.
    case malformedProvisioningInformation

    // MARK: Key description

    /// The leaf has no key description extension, 1.3.6.1.4.1.11129.2.1.17.
    case descriptionMissing
    /// The key description does not match its ASN.1 type.
    case malformedKeyDescription(DERError)
    /// The member with this tag number does not match its ASN.1 type.
    case malformedAuthorization(UInt32, DERError)
    /// The member with this tag number occurs twice in a list.
    case duplicateAuthorization(UInt32)
    /// A list has more than ``AuthorizationList/maximumMemberCount`` members.
    case tooManyAuthorizations
    /// The attested challenge differs from the issued challenge.
    case challengeMismatch
    /// The attestation states another security level than the certificate of the attestation key.
    case securityLevelMismatch
    /// The leaf's key does not match its description.
    case keyMismatch
    /// The leaf's key is not a P-256, P-384 or RSA key, so its signatures cannot be verified.
    case unsupportedLeafKey

    // MARK: Policy

    /// The security level of the attestation or of the key is below the policy's minimum.
    case securityLevelNotAllowed(SecurityLevel)
    /// The hardware-enforced list has no root of trust.
    case rootOfTrustMissing
    /// The bootloader is unlocked.
    case deviceUnlocked
    /// The policy does not accept the boot state.
    case bootStateNotAllowed(VerifiedBootState)
    /// The policy does not list the key that signed the system.
    case bootKeyNotAllowed
    /// The hardware did not generate the key.
    case originNotAllowed(KeyOrigin?)
    /// The key may not sign data, or may sign attestations.
    case purposeNotAllowed
    /// All apps on the device can use the key.
    case keyForAllApplications
    /// The software-enforced list names no app, or the hardware-enforced list also names an app.
    case applicationMissing
    /// No declaration accepts the app's package name and version.
    case packageNotAllowed
    /// The app's signing certificates differ from its declaration.
    case signingDigestMismatch
    /// The system version is below the policy's minimum, or unknown (`nil`).
    case osVersionNotAllowed(UInt64?)
    /// A patch level is older than the policy accepts, is not a date, or is unknown (`nil`).
    case patchLevelNotAllowed(UInt64?)
    /// The attestation key was not provisioned remotely.
    case remoteProvisioningRequired
    /// The device received more certificates in 30 days than the policy accepts, or an unknown number (`nil`).
    case tooManyCertificatesIssued(UInt64?)

    // MARK: Signatures by an attested key

    /// The signature of these bytes does not verify with the key.
    case invalidKeySignature
    /// The signed bytes contain a different challenge.
    case signedChallengeMismatch
    /// The caller's closure found no challenge in the signed bytes.
    case challengeNotFound
    /// The stored key belongs to an app that the verifier does not accept.
    case keyOfUnknownApp
}
