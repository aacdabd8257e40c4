/// A fault that breaks one rule: in the attestation of an Android key, in the revocation list, or in a later signature.
/// Everything else is valid. The raw value identifies the fault, and never changes.
public enum AndroidFault: String, CaseIterable, Hashable, Sendable {
    // MARK: Chain

    /// The chain is empty.
    case chainEmpty
    /// The chain contains only the leaf.
    case leafAlone
    /// The issuer of the attestation certificate is missing.
    case intermediateMissing
    /// The root certificate occurs twice.
    case rootTwice
    /// The leaf has 65,536 extra bytes.
    case chainTooLarge
    /// The chain is reversed: the root comes first.
    case certificatesReversed
    /// The last two certificates before the root are swapped.
    case certificatesSwapped
    /// An extra byte follows the leaf.
    case leafTrailingByte
    /// The attestation certificate lacks its last byte.
    case attestationTruncated
    /// The leaf has two keyUsage extensions.
    case leafExtensionTwice
    /// The leaf names a different issuer.
    case leafIssuerOther
    /// The attestation certificate names a different issuer.
    case attestationIssuerOther
    /// A bit of the leaf's signature is flipped.
    case leafSignatureTampered
    /// A bit of the attestation certificate's signature is flipped.
    case attestationSignatureTampered
    /// An untrusted key signed the leaf.
    case leafSignedByStranger
    /// An untrusted root with the same name signed the certificate below the root.
    case chainOfStranger
    /// The leaf claims to be signed with SHA-1.
    case leafSignedWithSHA1
    /// The leaf's ECDSA algorithm identifier has NULL parameters.
    case leafAlgorithmParameters
    /// The leaf claims an RSA signature, but an EC key signed it.
    case leafAlgorithmOther
    /// An RSA signature has too little padding, and garbage after the digest.
    case signaturePaddingShortened
    /// The attestation key is on an unknown curve.
    case attestationKeyUnsupported
    /// The RSA key of an authority has the exponent 1, so every padded digest is its own valid signature.
    case intermediateExponentOne
    /// The attestation certificate is version 1.
    case attestationVersion1
    /// The basicConstraints of a remotely provisioned attestation certificate state that it is not a CA.
    case attestationNotAuthority
    /// The keyUsage of a remotely provisioned attestation certificate is digitalSignature instead of keyCertSign.
    case attestationKeyUsage
    /// An authority has no basicConstraints.
    case intermediateBasicConstraintsMissing
    /// The path length of the authority below the root allows this authority to issue only leaves.
    case pathLengthExceeded
    /// The leaf has an unknown critical extension.
    case leafCriticalExtension
    /// An authority has an unknown critical extension.
    case intermediateCriticalExtension

    // MARK: Root

    /// The root and the authority below it are missing.
    case rootLeftOutWithIssuer
    /// The root is missing, and an untrusted root with the same name issued the last certificate.
    case rootLeftOutByStranger
    /// The root is missing, and the last certificate names a different issuer, although the root's key signed it.
    case rootLeftOutIssuerOther
    /// The root is missing, and the last certificate is not a CA.
    case rootLeftOutNotAuthority
    /// The root is missing, and the last certificate of a remotely provisioned chain has expired.
    case rootLeftOutExpired
    /// The root is missing, and the attested key signed an additional, forged certificate with a description.
    case rootLeftOutChainExtended
    /// The root has the right name, but an untrusted key.
    case rootOther
    /// The root has the key of the software keystore root. This key did not sign the last issuer, because this module
    /// does not have the private key. A verifier that trusts this root therefore rejects the chain for the signature.
    case rootOfSoftware
    /// The chain has three certificates, like chains of software keystores. As in ``rootOfSoftware``, the root's key
    /// did not sign the certificate before it.
    case softwareChain

    // MARK: Descriptions above the leaf

    /// The attested key signed a certificate for a nonexistent key. This certificate comes first.
    case chainExtended
    /// The attestation certificate also has a key description.
    case attestationDescribed
    /// Only the attestation certificate has the key description.
    case descriptionInAttestation

    // MARK: Dates

    /// The remotely provisioned attestation certificate expired an hour ago.
    case attestationExpired
    /// The attestation certificate becomes valid in an hour.
    case attestationNotYetValid
    /// Google's authority for remotely provisioned keys expired an hour ago.
    case intermediateExpired
    /// The issuer of the attestation certificate becomes valid in an hour.
    case intermediateNotYetValid

    // MARK: Revocation

    /// The revocation list revokes the leaf.
    case leafRevoked
    /// The revocation list revokes the attestation certificate.
    case attestationRevoked
    /// The revocation list suspends the attestation certificate.
    case attestationSuspended
    /// The revocation list revokes the issuer of the attestation certificate.
    case intermediateRevoked
    /// The revocation list revokes the root.
    case rootRevoked
    /// The revocation list lacks its last byte.
    case listTruncated
    /// An extra byte follows the revocation list.
    case listTrailingByte
    /// The revocation list lacks the member `entries`.
    case listWithoutEntries
    /// The revocation list, which is valid JSON, contains a certificate twice. Parsers differ in which entry they use.
    case listEntryTwice
    /// The revocation list contains an unknown status.
    case listStatusUnknown

    // MARK: Description

    /// The leaf has no key description.
    case descriptionMissing
    /// An extra byte follows the description.
    case descriptionTrailingByte
    /// The description lacks its last byte.
    case descriptionTruncated
    /// The security level of the attestation is 3, which does not exist.
    case descriptionLevelUnknown
    /// The version of the attestation is a BOOLEAN instead of an INTEGER.
    case descriptionVersionNotNumber
    /// The hardware-enforced list has two origins: generated and imported.
    case memberTwice
    /// The hardware-enforced list has 65 extra members.
    case memberFlood
    /// The hardware-enforced list has an untagged member.
    case memberNotTagged
    /// noAuthRequired is a BOOLEAN instead of NULL.
    case noAuthRequiredNotNull
    /// purpose is an INTEGER instead of a SET.
    case purposeNotSet
    /// origin is negative.
    case originNegative
    /// deviceLocked is encoded as 01, which means true in BER but is invalid in DER.
    case deviceLockedNotDER
    /// The boot state is 4.
    case bootStateUnknown
    /// An extra byte follows the content of attestationApplicationId.
    case applicationTrailingByte

    // MARK: Challenge, level, key

    /// The attested challenge differs from the issued challenge.
    case challengeOther
    /// The attested challenge is only a prefix of the issued challenge.
    case challengeShortened
    /// The attested challenge is the issued challenge followed by extra bytes.
    case challengeLonger
    /// The attested challenge is empty.
    case challengeEmpty
    /// The attestation claims a different hardware level than the attestation certificate.
    case attestationLevelOther
    /// The attestation claims the software level.
    case attestationLevelSoftware
    /// The kind of the leaf's key differs from the kind in the description.
    case leafKeyOther
    /// The leaf's key is on an unknown curve.
    case leafKeyUnsupported
    /// The leaf's RSA key has the exponent 1, so every padded digest is its own valid signature.
    case leafKeyExponentOne
    /// The description states AES as the algorithm.
    case algorithmOther
    /// The description states a wrong key size.
    case keySizeOther
    /// The description names a wrong curve.
    case curveOther

    // MARK: Policy

    /// Software stores the key.
    case keyLevelSoftware
    /// The policy requires a StrongBox, but the key is not in a StrongBox.
    case keyLevelTooLow
    /// The root of trust is missing.
    case rootOfTrustMissing
    /// The root of trust is in the software-enforced list.
    case rootOfTrustInSoftware
    /// The bootloader is unlocked.
    case deviceUnlocked
    /// The owner installed the system, and the policy does not accept its key.
    case bootSelfSigned
    /// The bootloader did not check the system.
    case bootUnverified
    /// The bootloader checked the system, and the check failed.
    case bootFailed
    /// The key was imported.
    case originImported
    /// The hardware-enforced list states no origin.
    case originMissing
    /// Only the software-enforced list states that the origin is generated.
    case originInSoftware
    /// The key has no permitted purpose.
    case purposeMissing
    /// Only the software-enforced list states that the key may sign.
    case purposeInSoftware
    /// The only permitted purpose of the key is verification.
    case purposeVerify
    /// The key may sign both data and attestations.
    case purposeAttestKey
    /// The hardware-enforced list states that all apps can use the key.
    case allApplications
    /// The software-enforced list states that all apps can use the key.
    case allApplicationsInSoftware
    /// The description names no app.
    case applicationMissing
    /// The hardware-enforced list also names an app.
    case applicationInHardware
    /// The description names a different app.
    case packageOther
    /// A NUL byte follows the app's name.
    case packageWithNUL
    /// An app that is not accepted shares the key with the accepted app.
    case packageAdditional
    /// The app's version is below the accepted minimum.
    case packageVersionOld
    /// The app is signed with different certificates.
    case signingDigestOther
    /// The app is signed with an additional certificate.
    case signingDigestAdditional
    /// The app has no signing certificates.
    case signingDigestsEmpty
    /// The system version is below the policy's minimum.
    case osVersionOld
    /// Only the software-enforced list states the system version.
    case osVersionInSoftware
    /// The patch level of the system is from 2010.
    case patchLevelOld
    /// The hardware-enforced list states no patch level of the system.
    case patchLevelMissing
    /// The patch level of the system has the month 13.
    case patchLevelImpossible
    /// The patch level of the vendor image is below the policy's minimum.
    case vendorPatchLevelOld
    /// The patch level of the boot image is below the policy's minimum.
    case bootPatchLevelOld
    /// The issuer of the attestation certificate has an unexpected name (remote) or no serial number (factory).
    case intermediateNameOther
    /// The policy requires remote provisioning, but the key is a factory key.
    case provisionedInFactory
    /// The device received more certificates than the policy allows.
    case certificatesTooMany
    /// The policy limits the number of certificates, but the chain does not state the number.
    case certificatesUnknown
    /// The provisioning information is not a CBOR map.
    case provisioningInformationMalformed

    // MARK: Signatures

    /// A bit of the signature is flipped.
    case signatureTampered
    /// The signature is empty.
    case signatureEmpty
    /// An extra byte follows the signature.
    case signatureTrailingByte
    /// An untrusted key signed the request.
    case signatureByStranger
    /// The request was changed after it was signed.
    case requestTampered
    /// The key signed a different challenge, because an earlier request was replayed.
    case requestReplayed
}
