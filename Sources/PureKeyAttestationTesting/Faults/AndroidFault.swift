/// One broken rule in an Android key's attestation, its revocation list, or a later signature. Everything else is
/// valid. The raw value identifies the fault, and is stable between versions.
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
    /// A byte follows the leaf.
    case leafTrailingByte
    /// The attestation certificate lacks its last byte.
    case attestationTruncated
    /// The leaf has two keyUsage extensions.
    case leafExtensionTwice
    /// The leaf names another issuer.
    case leafIssuerOther
    /// The attestation certificate names another issuer.
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
    /// An RSA signature has garbage behind the digest in place of padding.
    case signaturePaddingShortened
    /// The attestation key is on an unknown curve.
    case attestationKeyUnsupported
    /// An authority's RSA key has the exponent 1, so every number is its own signature.
    case intermediateExponentOne
    /// The attestation certificate is version 1.
    case attestationVersion1
    /// A remotely provisioned attestation certificate's basicConstraints state that it is not a CA.
    case attestationNotAuthority
    /// A remotely provisioned attestation certificate has the keyUsage digitalSignature.
    case attestationKeyUsage
    /// An authority has no basicConstraints.
    case intermediateBasicConstraintsMissing
    /// The authority below the root may issue only leaves.
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
    /// The root is missing, and the last certificate, signed with the root's key, names another issuer.
    case rootLeftOutIssuerOther
    /// The root is missing, and the last certificate is not a CA.
    case rootLeftOutNotAuthority
    /// The root is missing, and the remotely provisioned last certificate has expired.
    case rootLeftOutExpired
    /// The root is missing, and the attested key signed an additional forged certificate with a description.
    case rootLeftOutChainExtended
    /// The root has the right names and an untrusted key.
    case rootOther
    /// The root has the key of the software keystore root.
    case rootOfSoftware
    /// The chain has three certificates, as chains of software keystores do.
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

    /// The list revokes the leaf.
    case leafRevoked
    /// The list revokes the attestation certificate.
    case attestationRevoked
    /// The list suspends the attestation certificate.
    case attestationSuspended
    /// The list revokes the issuer of the attestation certificate.
    case intermediateRevoked
    /// The list revokes the root.
    case rootRevoked
    /// The list lacks its last byte.
    case listTruncated
    /// A byte follows the list.
    case listTrailingByte
    /// The list lacks the member `entries`.
    case listWithoutEntries
    /// The list contains a certificate twice. This is valid JSON, and parsers use either entry.
    case listEntryTwice
    /// The list contains an unknown status.
    case listStatusUnknown

    // MARK: Description

    /// The leaf has no key description.
    case descriptionMissing
    /// A byte follows the description.
    case descriptionTrailingByte
    /// The description lacks its last byte.
    case descriptionTruncated
    /// The level of the attestation is 3.
    case descriptionLevelUnknown
    /// The version of the attestation is a BOOLEAN.
    case descriptionVersionNotNumber
    /// The hardware-enforced list has two origins: generated and imported.
    case memberTwice
    /// The hardware-enforced list has 65 extra members.
    case memberFlood
    /// The hardware-enforced list has an untagged member.
    case memberNotTagged
    /// noAuthRequired is a BOOLEAN, not NULL.
    case noAuthRequiredNotNull
    /// purpose is an INTEGER, not a SET.
    case purposeNotSet
    /// origin is negative.
    case originNegative
    /// deviceLocked is 01, which is true in BER but invalid in DER.
    case deviceLockedNotDER
    /// The boot state is 4.
    case bootStateUnknown
    /// A byte follows the content of attestationApplicationId.
    case applicationTrailingByte

    // MARK: Challenge, level, key

    /// The attested challenge differs from the issued one.
    case challengeOther
    /// The attested challenge is a prefix of the issued one.
    case challengeShortened
    /// The attested challenge has the issued one as a prefix.
    case challengeLonger
    /// The attested challenge is empty.
    case challengeEmpty
    /// The attestation claims another hardware level than its certificate.
    case attestationLevelOther
    /// The attestation claims the software level.
    case attestationLevelSoftware
    /// The leaf's key is of another kind than the description states.
    case leafKeyOther
    /// The leaf's key is on an unknown curve.
    case leafKeyUnsupported
    /// The leaf's RSA key has the exponent 1, so every number is its own signature.
    case leafKeyExponentOne
    /// The description states AES as the algorithm.
    case algorithmOther
    /// The description states another key size.
    case keySizeOther
    /// The description names another curve.
    case curveOther

    // MARK: Policy

    /// Software stores the key.
    case keyLevelSoftware
    /// The policy requires a StrongBox, and the key is not in one.
    case keyLevelTooLow
    /// The root of trust is missing.
    case rootOfTrustMissing
    /// The root of trust is in the software-enforced list.
    case rootOfTrustInSoftware
    /// The bootloader is unlocked.
    case deviceUnlocked
    /// The owner installed the system.
    case bootSelfSigned
    /// The bootloader did not check the system.
    case bootUnverified
    /// The bootloader checked the system, and the check failed.
    case bootFailed
    /// The key was imported.
    case originImported
    /// The hardware states no origin.
    case originMissing
    /// Only the software-enforced list states that the key was generated.
    case originInSoftware
    /// The key has no purpose.
    case purposeMissing
    /// The key can only verify.
    case purposeVerify
    /// The key can sign data and attestations.
    case purposeAttestKey
    /// The hardware-enforced list states that all apps can use the key.
    case allApplications
    /// The software-enforced list states that all apps can use the key.
    case allApplicationsInSoftware
    /// The description names no app.
    case applicationMissing
    /// The hardware-enforced list also names an app.
    case applicationInHardware
    /// The description names another app.
    case packageOther
    /// A NUL follows the app's name.
    case packageWithNUL
    /// Another app, which is not accepted, shares the key.
    case packageAdditional
    /// The app's version is below the accepted minimum.
    case packageVersionOld
    /// Other certificates signed the app.
    case signingDigestOther
    /// An additional certificate signed the app.
    case signingDigestAdditional
    /// The app has no signing certificates.
    case signingDigestsEmpty
    /// The system version is below the policy's minimum.
    case osVersionOld
    /// Only the software-enforced list states the system version.
    case osVersionInSoftware
    /// The system's patches date from 2010.
    case patchLevelOld
    /// The hardware states no system patch level.
    case patchLevelMissing
    /// The month of the system's patch level is 13.
    case patchLevelImpossible
    /// The vendor's patch level is below the policy's minimum.
    case vendorPatchLevelOld
    /// The boot image's patch level is below the policy's minimum.
    case bootPatchLevelOld
    /// The issuer of the attestation certificate has no Google name, or no serial number.
    case intermediateNameOther
    /// The policy requires remote provisioning, and the key was provisioned in the factory.
    case provisionedInFactory
    /// The device received more certificates than the policy allows.
    case certificatesTooMany
    /// The policy limits the number of certificates, and the number is not stated.
    case certificatesUnknown
    /// The provisioning information is not a CBOR map.
    case provisioningInformationMalformed

    // MARK: Signatures

    /// A bit of the signature is flipped.
    case signatureTampered
    /// The signature is empty.
    case signatureEmpty
    /// A byte follows the signature.
    case signatureTrailingByte
    /// An untrusted key signed the request.
    case signatureByStranger
    /// The request was changed after it was signed.
    case requestTampered
    /// The key signed another challenge: a replay of an earlier request.
    case requestReplayed
}
