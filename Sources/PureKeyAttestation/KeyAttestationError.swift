@_exported public import enum PureDER.DERError
@_exported public import enum PureRSA.RSAError
@_exported public import enum PureX509.X509Error

/// Why a key attestation or a signature was refused. For logs and operators: clients should get one uniform answer.
///
/// Where a case names a certificate, 0 is the leaf. Indirect: what every throwing call hands up stays small.
@nonexhaustive
public indirect enum KeyAttestationError: Error, Hashable, Sendable {
    // MARK: What the caller passed

    /// The chain has more than ``KeyAttestationVerifier/maximumChainSize`` bytes.
    case inputTooLarge
    /// A challenge has no bytes.
    case emptyChallenge
    /// The revocation list is not the JSON that Google publishes, or is longer than ``RevocationStatusList/maximumEncodedSize``.
    case malformedRevocationList(offset: Int)
    /// The revocation list names a serial number twice.
    case duplicateRevocationEntry(offset: Int)
    /// A stored key's bytes are not of the format that ``AttestedAndroidKey/serialized`` writes.
    case malformedKeyRecord
    /// A stored key's bytes are of a later format than this library knows.
    case unsupportedKeyRecord(version: UInt8)

    // MARK: Chain

    /// The chain has another number of certificates than 4, of a key that was provisioned in the factory, or 5, of one that was provisioned
    /// remotely; one less without the root's.
    case wrongCertificateCount(Int)
    /// A certificate is malformed.
    case malformedCertificate(X509Error, certificate: Int)
    /// The last certificate has none of the keys of Google's two roots for hardware, and neither root issued it.
    case untrustedRoot
    /// The last certificate has the key of the root of a software keystore, as emulators have it.
    case softwareRoot
    /// The certificate's issuer is not the next one's subject.
    case wrongOrder(certificate: Int)
    /// The certificate's signature is not by the key of the next one.
    case invalidSignature(certificate: Int)
    /// The certificate is not signed with ECDSA or RSASSA-PKCS1-v1_5 and SHA-256, SHA-384 or SHA-512, or the algorithm's parameters
    /// are not those of RFC 4055 §5.
    case unsupportedSignatureAlgorithm(certificate: Int)
    /// The key that must have signed another certificate is not of P-256, P-384 or RSA.
    case unsupportedIssuerKey(certificate: Int)
    /// The key is malformed, or its modulus or exponent is none that is accepted.
    case malformedRSAKey(RSAError, certificate: Int)
    /// The certificate is not of version 3.
    case notVersion3(certificate: Int)
    /// An issuer's basicConstraints or keyUsage say that it issues nothing, or say nothing where they must.
    case notCertificationAuthority(certificate: Int)
    /// More certificates of issuers follow than the certificate's basicConstraints allow.
    case pathLengthExceeded(certificate: Int)
    /// A critical extension is not known here.
    case unhandledCriticalExtension(certificate: Int)
    /// Another certificate than the leaf has a key description: an attested key signed a certificate, and whoever holds it wrote the
    /// rest.
    case descriptionInIssuer(certificate: Int)
    /// The names in the chain are neither those of keys from the factory nor those of remotely provisioned ones.
    case unknownProvisioning
    /// The time of verification, `at`, is before the certificate's `notBefore`.
    case notYetValid(certificate: Int, notBefore: UnixTime, at: UnixTime)
    /// The time of verification, `at`, is after the certificate's `notAfter`. Expired factory certificates are accepted, as nobody can
    /// replace them.
    case expired(certificate: Int, notAfter: UnixTime, at: UnixTime)
    /// The revocation list says that the certificate is revoked.
    case revoked(certificate: Int)
    /// The revocation list says that the certificate is suspended.
    case suspended(certificate: Int)
    /// The attestation certificate's extension about its provisioning is not what it should be.
    case malformedProvisioningInformation

    // MARK: Key description

    /// The leaf has no extension 1.3.6.1.4.1.11129.2.1.17.
    case descriptionMissing
    /// The key description is not of its type.
    case malformedKeyDescription(DERError)
    /// The member with this number is not of its type.
    case malformedAuthorization(UInt32, DERError)
    /// The member with this number is twice in a list.
    case duplicateAuthorization(UInt32)
    /// A list has more than ``AuthorizationList/maximumMemberCount`` members.
    case tooManyAuthorizations
    /// The attested challenge is not the one that was issued.
    case challengeMismatch
    /// The certificate of the attestation key is for another security level than the attestation claims.
    case securityLevelMismatch
    /// The leaf's key is not what its description says.
    case keyMismatch
    /// The leaf's key is not of P-256, P-384 or RSA, so that no signature of it could be verified.
    case unsupportedLeafKey

    // MARK: Policy

    /// The attestation, or what keeps the key, is below the level that the policy asks for.
    case securityLevelNotAllowed(SecurityLevel)
    /// The hardware's list has no root of trust.
    case rootOfTrustMissing
    /// The bootloader is unlocked.
    case deviceUnlocked
    /// The system was not started as the policy asks for.
    case bootStateNotAllowed(VerifiedBootState)
    /// The system is signed with a key that the policy does not list.
    case bootKeyNotAllowed
    /// The key was not made by the hardware.
    case originNotAllowed(KeyOrigin?)
    /// The key may not sign, or may sign attestations.
    case purposeNotAllowed
    /// Every app of the device may use the key.
    case keyForAllApplications
    /// The system names no app, or more than one thing says which.
    case applicationMissing
    /// The app is none that is accepted.
    case packageNotAllowed
    /// The app is signed by others than its declaration says.
    case signingDigestMismatch
    /// The system's version is older than the policy accepts; `nil`: it is not known.
    case osVersionNotAllowed(UInt64?)
    /// A patch level is older than the policy accepts, or no date; `nil`: it is not known.
    case patchLevelNotAllowed(UInt64?)
    /// The key that attests was not provisioned remotely.
    case remoteProvisioningRequired
    /// The device was given more certificates in 30 days than the policy accepts; `nil`: it is not known how many.
    case tooManyCertificatesIssued(UInt64?)

    // MARK: Signatures of an attested key

    /// The signature is not the key's signature of these bytes.
    case invalidKeySignature
    /// The signed bytes hold another challenge.
    case signedChallengeMismatch
    /// The caller's closure found no challenge in the signed bytes.
    case challengeNotFound
    /// The stored key belongs to an app that the verifier does not have.
    case keyOfUnknownApp
}
