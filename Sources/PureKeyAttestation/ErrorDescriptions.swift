// One line for people: what is wrong with the chain, the description or the signature. What a sender chose is not in it.

#if !hasFeature(Embedded)
    extension KeyAttestationError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .inputTooLarge: "the chain has more than 65536 bytes"
            case .emptyChallenge: "the challenge has no bytes"
            case .malformedRevocationList(let offset):
                "the revocation list is not what Google publishes, at byte \(offset)"
            case .duplicateRevocationEntry(let offset): "the revocation list says something twice, at byte \(offset)"
            case .malformedKeyRecord: "the stored key is malformed"
            case .unsupportedKeyRecord(let version): "the stored key is of the unknown version \(version)"
            case .wrongCertificateCount(let count):
                "there are \(count) certificates, and not 4 or 5, or one less without the root's"
            case .malformedCertificate(let error, let certificate): "certificate \(certificate): \(error)"
            case .untrustedRoot: "the last certificate is none of Google's roots for hardware, nor issued by one"
            case .softwareRoot: "the chain ends in the root of a software keystore"
            case .wrongOrder(let certificate):
                "certificate \(certificate) was issued by another name than that of the next one"
            case .invalidSignature(let certificate): "certificate \(certificate) is not signed by the next one's key"
            case .unsupportedSignatureAlgorithm(let certificate):
                "certificate \(certificate) is signed with an algorithm that is not accepted"
            case .unsupportedIssuerKey(let certificate):
                "certificate \(certificate) has a key of a kind that is not accepted"
            case .malformedRSAKey(let error, let certificate): "the RSA key of certificate \(certificate): \(error)"
            case .notVersion3(let certificate): "certificate \(certificate) is not of version 3"
            case .notCertificationAuthority(let certificate): "certificate \(certificate) may not issue others"
            case .pathLengthExceeded(let certificate):
                "more certificates follow than certificate \(certificate) allows"
            case .unhandledCriticalExtension(let certificate):
                "certificate \(certificate) has a critical extension that is not known"
            case .descriptionInIssuer(let certificate):
                "certificate \(certificate) has a key description, so that an attested key issued the one before"
            case .unknownProvisioning: "the names in the chain are not those of Google's authorities"
            case .notYetValid(let certificate): "certificate \(certificate) is not valid yet"
            case .expired(let certificate): "certificate \(certificate) is no longer valid"
            case .revoked(let certificate): "certificate \(certificate) is revoked"
            case .suspended(let certificate): "certificate \(certificate) is suspended"
            case .malformedProvisioningInformation:
                "the attestation certificate's information about its provisioning is malformed"
            case .descriptionMissing: "the leaf has no key description"
            case .malformedKeyDescription(let error): "the key description is malformed: \(error)"
            case .malformedAuthorization(let tag, let error): "member \(tag) of the key description: \(error)"
            case .duplicateAuthorization(let tag): "member \(tag) of the key description is there twice"
            case .tooManyAuthorizations: "a list of the key description has more than 64 members"
            case .challengeMismatch: "the attested challenge is another one"
            case .securityLevelMismatch: "the attestation claims another level than its certificate is for"
            case .keyMismatch: "the leaf's key is not the one that is described"
            case .unsupportedLeafKey: "the leaf's key is not of P-256, P-384 or RSA"
            case .securityLevelNotAllowed(let level): "the security level is \(level)"
            case .rootOfTrustMissing: "the hardware does not say which system was started"
            case .deviceUnlocked: "the bootloader is unlocked"
            case .bootStateNotAllowed(let state): "the boot state is \(state)"
            case .bootKeyNotAllowed: "the system is signed with a key that is not accepted"
            case .originNotAllowed: "the key was not made by the hardware"
            case .purposeNotAllowed: "the key may not sign data, or may sign attestations"
            case .keyForAllApplications: "every app of the device may use the key"
            case .applicationMissing: "the system does not say which app made the key"
            case .packageNotAllowed: "the app is none that is accepted"
            case .signingDigestMismatch: "the app is signed by others than it should be"
            case .osVersionNotAllowed(let version?): "the system's version \(version) is not accepted"
            case .osVersionNotAllowed(nil): "the system's version is not known"
            case .patchLevelNotAllowed(let level?): "the patch level \(level) is not accepted"
            case .patchLevelNotAllowed(nil): "a patch level is not known"
            case .remoteProvisioningRequired: "the attestation key was not provisioned remotely"
            case .tooManyCertificatesIssued(let count?): "the device was given \(count) certificates in 30 days"
            case .tooManyCertificatesIssued(nil): "it is not known how many certificates the device was given"
            case .invalidKeySignature: "the signature is not the key's of these bytes"
            case .signedChallengeMismatch: "the signed bytes hold another challenge"
            case .challengeNotFound: "the signed bytes hold no challenge"
            case .keyOfUnknownApp: "the stored key belongs to an app that is not accepted"
            }
        }
    }

    extension KeyAttestationReport.Cause: CustomStringConvertible {
        /// What is likely, and what to do about it.
        public var description: String {
            switch self {
            case .emulatorOrSoftwareKeystore: "an emulator, or a device whose keystore is software"
            case .chainNotSent: "the app sent one certificate and not all of getCertificateChain(), or set no challenge"
            case .unlockedBootloader: "the bootloader is unlocked"
            case .systemOfTheOwner: "a system that the owner installed; its boot key can be accepted"
            case .otherSigningKey: "a debug build, or an app that Google Play signed with a key that is not listed"
            case .leakedFactoryKey: "a key of the factory that many devices share became known"
            case .chainOfLongAgo: "the chain is to be verified when it is made, or at that time"
            case .challengeAsText: "the app attested the challenge's Base64 or hexadecimal text"
            case .otherChallenge: "the answer to another challenge"
            case .forgedChain: "somebody made the chain with an attested key"
            case .otherPurpose: "the key was made without PURPOSE_SIGN, or for attesting others"
            case .oldPatches: "the system's patches are old, or there are none any more"
            }
        }
    }
#endif
