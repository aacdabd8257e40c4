/// One rule that is broken: of an Android key's attestation, of the revocation list that it is verified with, or of what the key signs
/// later. Everything else is in order.
///
/// The raw value is the fault's identifier. It does not change between versions.
public enum AndroidFault: String, CaseIterable, Hashable, Sendable {
    // MARK: Chain

    /// There are no certificates.
    case chainEmpty
    /// There is the leaf, and nothing else.
    case leafAlone
    /// The issuer of the attestation certificate is not there.
    case intermediateMissing
    /// The root is there twice.
    case rootTwice
    /// The leaf has 65,536 bytes more.
    case chainTooLarge
    /// The root is first.
    case certificatesReversed
    /// The last two before the root have changed places.
    case certificatesSwapped
    /// A byte follows the leaf.
    case leafTrailingByte
    /// The attestation certificate's last byte is missing.
    case attestationTruncated
    /// The leaf has its keyUsage twice.
    case leafExtensionTwice
    /// The leaf names another issuer.
    case leafIssuerOther
    /// The attestation certificate names another issuer.
    case attestationIssuerOther
    /// A bit of the leaf's signature is another one.
    case leafSignatureTampered
    /// A bit of the attestation certificate's signature is another one.
    case attestationSignatureTampered
    /// A stranger signed the leaf.
    case leafSignedByStranger
    /// All below the root is of a stranger's authority of the same names.
    case chainOfStranger
    /// The leaf claims to be signed with SHA-1.
    case leafSignedWithSHA1
    /// The leaf's algorithm identifier, of ECDSA, has NULL as parameters.
    case leafAlgorithmParameters
    /// The leaf claims to be signed with RSA, by a key of a curve.
    case leafAlgorithmOther
    /// Behind the digest in an RSA signature are bytes that nobody looks at, in place of padding.
    case signaturePaddingShortened
    /// The attestation key is of a curve that nobody knows.
    case attestationKeyUnsupported
    /// An authority's RSA key has the exponent 1: every number is its own signature.
    case intermediateExponentOne
    /// The attestation certificate is of version 1.
    case attestationVersion1
    /// The attestation certificate's basicConstraints, of a remotely provisioned key, say that it issues nothing.
    case attestationNotAuthority
    /// The attestation certificate's keyUsage, of a remotely provisioned key, is digitalSignature.
    case attestationKeyUsage
    /// An authority has no basicConstraints.
    case intermediateBasicConstraintsMissing
    /// The authority below the root may issue to leaves only.
    case pathLengthExceeded
    /// The leaf has a critical extension that is not known.
    case leafCriticalExtension
    /// An authority has a critical extension that is not known.
    case intermediateCriticalExtension

    // MARK: Root

    /// Neither the root nor the authority below it is there.
    case rootLeftOutWithIssuer
    /// The root is not there, and a stranger's root of its name issued the last certificate.
    case rootLeftOutByStranger
    /// The root is not there, and the last certificate, which its key signed, names another issuer.
    case rootLeftOutIssuerOther
    /// The root is not there, and the last certificate is no authority.
    case rootLeftOutNotAuthority
    /// The root is not there, and the last certificate, of a remotely provisioned key, has expired.
    case rootLeftOutExpired
    /// The root is not there, and the attested key signed a certificate with a description of its own, so that the count is right again.
    case rootLeftOutChainExtended
    /// The root is of a key that is not trusted, with the right names.
    case rootOther
    /// The root has the key of the root of software keystores.
    case rootOfSoftware
    /// Three certificates, as a software keystore has them.
    case softwareChain

    // MARK: Descriptions above the leaf

    /// An attested key signed a certificate for a key that is nowhere: it follows the leaf.
    case chainExtended
    /// The attestation certificate has a key description, too.
    case attestationDescribed
    /// The attestation certificate has the key description, and the leaf none.
    case descriptionInAttestation

    // MARK: Dates

    /// The attestation certificate, which was provisioned remotely, expired an hour ago.
    case attestationExpired
    /// The attestation certificate is valid in an hour.
    case attestationNotYetValid
    /// Google's authority for remotely provisioned keys expired an hour ago.
    case intermediateExpired
    /// The authority that issued the attestation certificate is valid in an hour.
    case intermediateNotYetValid

    // MARK: Revocation

    /// The list names the leaf.
    case leafRevoked
    /// The list names the attestation certificate.
    case attestationRevoked
    /// The list says that the attestation certificate is suspended.
    case attestationSuspended
    /// The list names the attestation certificate's issuer.
    case intermediateRevoked
    /// The list names the root.
    case rootRevoked
    /// The list's last byte is missing.
    case listTruncated
    /// A byte follows the list.
    case listTrailingByte
    /// The list has no entries.
    case listWithoutEntries
    /// The list names a certificate twice: valid JSON, of which parsers keep one or the other.
    case listEntryTwice
    /// A status is none that is known.
    case listStatusUnknown

    // MARK: Description

    /// The leaf has no key description.
    case descriptionMissing
    /// A byte follows the description.
    case descriptionTrailingByte
    /// The description's last byte is missing.
    case descriptionTruncated
    /// The level of the attestation is 3.
    case descriptionLevelUnknown
    /// The version of the attestation is a BOOLEAN.
    case descriptionVersionNotNumber
    /// The hardware's list has a member twice: origin, generated and imported.
    case memberTwice
    /// The hardware's list has 65 members more.
    case memberFlood
    /// The hardware's list has a member without a tag.
    case memberNotTagged
    /// noAuthRequired is no NULL.
    case noAuthRequiredNotNull
    /// purpose is a number and no set.
    case purposeNotSet
    /// origin is negative.
    case originNegative
    /// deviceLocked is 01, which is true in BER and not in DER.
    case deviceLockedNotDER
    /// The boot state is 4.
    case bootStateUnknown
    /// A byte follows the name of the app in attestationApplicationId.
    case applicationTrailingByte

    // MARK: Challenge, level, key

    /// The attested challenge is another one.
    case challengeOther
    /// The attested challenge is the beginning of the issued one.
    case challengeShortened
    /// The attested challenge starts as the issued one, and goes on.
    case challengeLonger
    /// The attested challenge is empty.
    case challengeEmpty
    /// The attestation claims the level of the other kind of hardware than its certificate is for.
    case attestationLevelOther
    /// The attestation says that it is software's.
    case attestationLevelSoftware
    /// The leaf's key is another one than the description's: of another kind.
    case leafKeyOther
    /// The leaf's key is of a curve that nobody knows.
    case leafKeyUnsupported
    /// The leaf's RSA key has the exponent 1: every number is its own signature.
    case leafKeyExponentOne
    /// The description says that the key is for AES.
    case algorithmOther
    /// The description says that the key has another size.
    case keySizeOther
    /// The description names another curve.
    case curveOther

    // MARK: Policy

    /// The key is kept by software.
    case keyLevelSoftware
    /// The key is not kept by a StrongBox, which the policy asks for.
    case keyLevelTooLow
    /// There is no root of trust.
    case rootOfTrustMissing
    /// The root of trust is in the list that the system wrote.
    case rootOfTrustInSoftware
    /// The bootloader is unlocked.
    case deviceUnlocked
    /// The system is the owner's.
    case bootSelfSigned
    /// The system was not checked.
    case bootUnverified
    /// The system was checked, and is not what it should be.
    case bootFailed
    /// The key was imported.
    case originImported
    /// The hardware does not say where the key comes from.
    case originMissing
    /// The system says that the key was generated; the hardware says nothing.
    case originInSoftware
    /// The key has no purposes.
    case purposeMissing
    /// The key only verifies.
    case purposeVerify
    /// The key signs, and attests others.
    case purposeAttestKey
    /// Every app may use the key, as the hardware says.
    case allApplications
    /// Every app may use the key, as the system says.
    case allApplicationsInSoftware
    /// No app is named.
    case applicationMissing
    /// There is an app in the hardware's list, too.
    case applicationInHardware
    /// The app is another one.
    case packageOther
    /// The app's name is the accepted one with a NUL behind it.
    case packageWithNUL
    /// An app that is not accepted shares the key.
    case packageAdditional
    /// The app is of an older version than is accepted.
    case packageVersionOld
    /// Others signed the app.
    case signingDigestOther
    /// Another one signed the app, too.
    case signingDigestAdditional
    /// Nobody signed the app.
    case signingDigestsEmpty
    /// The system is older than the policy asks for.
    case osVersionOld
    /// The hardware does not say which version the system has; the system does.
    case osVersionInSoftware
    /// The system's patches are of 2010.
    case patchLevelOld
    /// The hardware does not say which patches the system has.
    case patchLevelMissing
    /// The system's patches are of the thirteenth month.
    case patchLevelImpossible
    /// The vendor's patches are older than the policy asks for.
    case vendorPatchLevelOld
    /// The boot image's patches are older than the policy asks for.
    case bootPatchLevelOld
    /// The authority below the root is none of Google's names, or has no serial number.
    case intermediateNameOther
    /// The key that attests came from the factory, and the policy asks for others.
    case provisionedInFactory
    /// The device was given more certificates than the policy allows.
    case certificatesTooMany
    /// It is not said how many certificates the device was given, and the policy has a limit.
    case certificatesUnknown
    /// What is said of the provisioning is no map of CBOR.
    case provisioningInformationMalformed

    // MARK: Signatures

    /// A bit of the signature is another one.
    case signatureTampered
    /// There is no signature.
    case signatureEmpty
    /// A byte follows the signature.
    case signatureTrailingByte
    /// A stranger signed.
    case signatureByStranger
    /// The request was changed after it was signed.
    case requestTampered
    /// The key signed another challenge: the signature of an earlier request, sent again.
    case requestReplayed
}
