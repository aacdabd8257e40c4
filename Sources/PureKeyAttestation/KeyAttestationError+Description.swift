// Descriptions for operators. Each is a single line, and contains no text that the sender chose.

#if !hasFeature(Embedded)
    import PureDER

    extension KeyAttestationError: CustomStringConvertible {
        /// Describes the error in one sentence.
        public var description: String {
            switch self {
            case .inputTooLarge: "the chain exceeds the limit of 65536 bytes"
            case .emptyChallenge: "the expected challenge is empty"
            case .malformedRevocationList(let offset):
                "the revocation list is malformed at byte \(offset)"
            case .duplicateRevocationEntry(let offset): "the revocation list has a duplicate entry at byte \(offset)"
            case .malformedKeyRecord: "the stored key is malformed"
            case .unsupportedKeyRecord(let version): "the stored key has the unknown version \(version)"
            case .wrongCertificateCount(let count):
                "the chain has \(count) certificates; expected 4 or 5 (3 or 4 without the root)"
            case .malformedCertificate(let error, let certificate): "certificate \(certificate): \(error)"
            case .untrustedRoot: "the chain does not end at a Google hardware attestation root"
            case .softwareRoot: "the chain ends at a software keystore root"
            case .wrongOrder(let certificate):
                "the issuer of certificate \(certificate) is not the subject of the next one"
            case .invalidSignature(let certificate):
                "the signature of certificate \(certificate) does not verify with the next one's key"
            case .unsupportedSignatureAlgorithm(let certificate):
                "certificate \(certificate) has an unsupported signature algorithm"
            case .unsupportedIssuerKey(let certificate):
                "certificate \(certificate) has an unsupported kind of key"
            case .malformedRSAKey(let error, let certificate): "the RSA key of certificate \(certificate): \(error)"
            case .notVersion3(let certificate): "certificate \(certificate) is not version 3"
            case .notCertificationAuthority(let certificate): "certificate \(certificate) is not a CA certificate"
            case .pathLengthExceeded(let certificate):
                "the path below certificate \(certificate) is longer than it allows"
            case .unhandledCriticalExtension(let certificate):
                "certificate \(certificate) has an unknown critical extension"
            case .descriptionInIssuer(let certificate):
                "certificate \(certificate) has a key description: an attested key issued the certificate before it"
            case .unknownProvisioning: "the names in the chain do not match Google's authorities"
            case .notYetValid(let certificate, let notBefore, let time):
                "certificate \(certificate) is not valid before \(notBefore.checked(at: time))"
            case .expired(let certificate, let notAfter, let time):
                "certificate \(certificate) expired on \(notAfter.checked(at: time))"
            case .revoked(let certificate): "certificate \(certificate) is revoked"
            case .suspended(let certificate): "certificate \(certificate) is suspended"
            case .malformedProvisioningInformation:
                "the provisioning information of the attestation certificate is malformed"
            case .descriptionMissing: "the leaf has no key description"
            case .malformedKeyDescription(let error): "the key description is malformed: \(error)"
            case .malformedAuthorization(let tag, let error): "member \(tag) of the key description: \(error)"
            case .duplicateAuthorization(let tag): "member \(tag) of the key description is duplicated"
            case .tooManyAuthorizations: "a list of the key description has more than 64 members"
            case .challengeMismatch: "the attested challenge does not match"
            case .securityLevelMismatch: "the attested security level does not match the certificate"
            case .keyMismatch: "the leaf's key does not match the key description"
            case .unsupportedLeafKey: "the leaf's key is not a P-256, P-384 or RSA key"
            case .securityLevelNotAllowed(let level): "the policy does not accept the security level \(level)"
            case .rootOfTrustMissing: "the hardware did not attest a root of trust"
            case .deviceUnlocked: "the bootloader is unlocked"
            case .bootStateNotAllowed(let state): "the policy does not accept the boot state \(state)"
            case .bootKeyNotAllowed: "the policy does not accept the boot key of the system"
            case .originNotAllowed: "the key was not generated in the hardware"
            case .purposeNotAllowed: "the key cannot sign data, or can sign attestations"
            case .keyForAllApplications: "all apps on the device can use the key"
            case .applicationMissing: "the key description names no app"
            case .packageNotAllowed: "the package name is not accepted"
            case .signingDigestMismatch: "the app's signing certificates do not match the accepted ones"
            case .osVersionNotAllowed(let version?): "the policy does not accept the system version \(version)"
            case .osVersionNotAllowed(nil): "the policy needs a system version, and it is unknown"
            case .patchLevelNotAllowed(let level?): "the policy does not accept the patch level \(level)"
            case .patchLevelNotAllowed(nil): "the policy needs a patch level, and it is unknown"
            case .remoteProvisioningRequired: "the attestation key was not provisioned remotely"
            case .tooManyCertificatesIssued(let count?):
                "the device received too many certificates: \(count) in 30 days"
            case .tooManyCertificatesIssued(nil):
                "the policy needs the number of certificates issued, and it is unknown"
            case .invalidKeySignature: "the signature does not verify with the key"
            case .signedChallengeMismatch: "the signed bytes contain a different challenge"
            case .challengeNotFound: "the signed bytes contain no challenge"
            case .keyOfUnknownApp: "the stored key belongs to an app that is not accepted"
            }
        }
    }

    extension KeyAttestationReport.Cause: CustomStringConvertible {
        /// Describes the likely cause, and how to fix the problem.
        public var description: String {
            switch self {
            case .emulatorOrSoftwareKeystore: "an emulator, or a device whose keystore is software"
            case .chainNotSent:
                "the app set no challenge, or sent one certificate instead of the whole getCertificateChain()"
            case .unlockedBootloader: "the bootloader is unlocked"
            case .ownerInstalledSystem:
                "the owner installed another system: add its boot key to the policy to accept it"
            case .otherSigningKey: "a debug build, or Google Play signed the app with an unlisted key: add its digest"
            case .leakedFactoryKey: "a leaked factory key, which many devices share"
            case .staleChain: "the chain is old: verify it when it is made, or at that time"
            case .challengeAsText: "the app attested the challenge's Base64 or hexadecimal text"
            case .otherChallenge: "the chain answers another challenge"
            case .forgedChain: "the chain is a forgery, issued with an attested key"
            case .otherPurpose: "the key was generated without PURPOSE_SIGN, or to attest other keys"
            case .oldPatches: "the system is not patched: install updates, if the device still gets any"
            }
        }
    }
#endif
