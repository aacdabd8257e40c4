import PureX509
public import PureAttestTesting
import PureDER
public import PureKeyAttestation

extension AndroidFault {
    /// Defines faults that break a policy, and faults in signatures.
    var policyDefinition: Definition {
        switch self {
        case .keyLevelSoftware:
            Definition(.securityLevel, .securityLevelNotAllowed(.software)) {
                $0.chain.description.keyMintSecurityLevel = KeyDescriptionDraft.enumerated(0)
            }
        case .keyLevelTooLow:
            Definition(.securityLevel, .securityLevelNotAllowed(.trustedEnvironment)) {
                $0.chain.description.keyMintSecurityLevel = KeyDescriptionDraft.enumerated(1)
                $0.policy.minimumSecurityLevel = .strongBox
            }
        case .rootOfTrustMissing: hardware(.boot, .rootOfTrustMissing, 704, nil)
        case .rootOfTrustInSoftware: Definition(.boot, .rootOfTrustMissing) { $0.moveToSoftware(704) }
        case .deviceUnlocked:
            hardware(.boot, .deviceUnlocked, 704, KeyDescriptionDraft.rootOfTrust(locked: [0x01, 0x01, 0x00]))
        case .bootSelfSigned: hardware(.boot, .bootKeyNotAllowed, 704, KeyDescriptionDraft.rootOfTrust(state: 1))
        case .bootUnverified:
            hardware(.boot, .bootStateNotAllowed(.unverified), 704, KeyDescriptionDraft.rootOfTrust(state: 2))
        case .bootFailed:
            hardware(.boot, .bootStateNotAllowed(.failed), 704, KeyDescriptionDraft.rootOfTrust(state: 3))

        case .originImported: hardware(.key, .originNotAllowed(.imported), 702, der(2))
        case .originMissing: hardware(.key, .originNotAllowed(nil), 702, nil)
        case .originInSoftware: Definition(.key, .originNotAllowed(nil)) { $0.moveToSoftware(702) }
        case .purposeMissing: hardware(.key, .purposeNotAllowed, 1, nil)
        case .purposeInSoftware: Definition(.key, .purposeNotAllowed) { $0.moveToSoftware(1) }
        case .purposeVerify: hardware(.key, .purposeNotAllowed, 1, der(.set, der(3)))
        case .purposeAttestKey: hardware(.key, .purposeNotAllowed, 1, der(.set, der(2), der(7)))
        case .allApplications: hardware(.key, .keyForAllApplications, 600, derNull)
        case .allApplicationsInSoftware:
            Definition(.key, .keyForAllApplications) { $0.chain.description.setSoftware(600, derNull) }

        case .applicationMissing:
            Definition(.app, .applicationMissing) { $0.chain.description.setSoftware(709, nil) }
        case .applicationInHardware:
            Definition(.app, .applicationMissing) {
                $0.chain.description.setHardware(709, KeyDescriptionDraft.application())
            }
        case .packageOther:
            Definition(.app, .packageNotAllowed) { $0.setApplication(packages: [("com.example.other", 1)]) }
        case .packageWithNUL:
            Definition(.app, .packageNotAllowed) {
                $0.setApplication(packages: [($0.app.attestedPackage.0 + "\0", 1)])
            }
        case .packageAdditional:
            Definition(.app, .packageNotAllowed) {
                $0.setApplication(packages: [$0.app.attestedPackage, ("com.example.other", 1)])
            }
        case .packageVersionOld:
            Definition(.app, .packageNotAllowed) {
                $0.app = AndroidApp(
                    packageNameUTF8: $0.app.packageNameUTF8, signingDigests: $0.app.signingDigests,
                    minimumVersion: 2)
                $0.setApplication(packages: [($0.app.attestedPackage.0, 1)])
            }
        case .signingDigestOther:
            Definition(.app, .signingDigestMismatch) { $0.setApplication(digests: [AndroidStranger.digest]) }
        case .signingDigestAdditional:
            Definition(.app, .signingDigestMismatch) {
                $0.setApplication(digests: $0.app.signingDigests + [AndroidStranger.digest])
            }
        case .signingDigestsEmpty: Definition(.app, .signingDigestMismatch) { $0.setApplication(digests: []) }

        case .osVersionOld:
            Definition(.system, .osVersionNotAllowed(150_000)) {
                $0.policy.minimumOSVersion = 160_000
                $0.chain.description.setHardware(705, der(150_000))
            }
        case .osVersionInSoftware:
            Definition(.system, .osVersionNotAllowed(nil)) {
                $0.policy.minimumOSVersion = 1
                $0.moveToSoftware(705)
            }
        case .patchLevelOld: hardware(.system, .patchLevelNotAllowed(201_001), 706, der(201_001))
        case .patchLevelMissing: hardware(.system, .patchLevelNotAllowed(nil), 706, nil)
        case .patchLevelImpossible: hardware(.system, .patchLevelNotAllowed(209_913), 706, der(209_913))
        case .vendorPatchLevelOld: patchLevel(718)
        case .bootPatchLevelOld: patchLevel(719)

        case .intermediateNameOther:
            Definition(.provisioning, .unknownProvisioning) {
                $0.chain.links[2].subject = [(.commonName, "Droid CA4"), (.organizationName, "Google LLC")]
            }
        case .provisionedInFactory:
            Definition(.provisioning, .remoteProvisioningRequired, only: .factory) {
                $0.policy.requiresRemoteProvisioning = true
            }
        case .certificatesTooMany:
            Definition(.provisioning, .tooManyCertificatesIssued(65)) {
                $0.policy.maximumCertificatesIssued = 64
                $0.setProvisioningInformation([0xA1, 0x01, 0x18, 0x41])
            }
        case .certificatesUnknown:
            Definition(.provisioning, .tooManyCertificatesIssued(nil)) {
                $0.policy.maximumCertificatesIssued = 64
                $0.setProvisioningInformation([0xA0])
            }
        case .provisioningInformationMalformed:
            Definition(.provisioning, .malformedProvisioningInformation) { $0.setProvisioningInformation([0x01]) }

        case .signatureTampered: signature { $0.alterSignature = { $0[$0.count - 1] ^= 1 } }
        case .signatureEmpty: signature { $0.alterSignature = { $0 = [] } }
        case .signatureTrailingByte: signature { $0.alterSignature = { $0.append(0) } }
        case .signatureByStranger: signature { $0.signer = AndroidStranger.p256 }
        case .requestTampered: signature { $0.sent = $0.signed + [0] }
        case .requestReplayed:
            Definition(.signature, .signedChallengeMismatch) { $0.signed = Array("an earlier request".utf8) }
        default: preconditionFailure("\(self) has no definition")
        }
    }

    /// The patch level is 2019-12, and the policy requires 2020-01. By default, the other patch levels meet this
    /// policy, because the issuers' certificates become valid in 2020-01.
    private func patchLevel(_ number: UInt32) -> Definition {
        Definition(.system, .patchLevelNotAllowed(201_912)) {
            $0.policy.minimumPatchLevel = 202_001
            $0.chain.description.setHardware(number, der(201_912))
        }
    }

    private func signature(_ apply: @escaping (inout AndroidCaseDraft) -> Void) -> Definition {
        Definition(.signature, .invalidKeySignature, apply)
    }
}

// MARK: - The list for servers

extension AndroidFault {
    /// The identifier, as listed by `pure-attest faults`: `android.` followed by the raw value.
    public var id: String { "android.\(rawValue)" }

    /// Creates the fault with this ``id``.
    public init?(id: String) {
        guard let fault = Self.allCases.first(where: { $0.id == id }) else { return nil }
        self = fault
    }

    /// The broken rule: its number and its text.
    public var rule: String { definition(applies(to: .remote) ? .remote : .factory).rule.text }

    /// Whether the fault is in the signature of a later request, so that a correct verifier accepts the attestation.
    public var isOfSignature: Bool { definition(.remote).rule == .signature }

    /// Whether the fault applies to this kind of provisioning.
    public func applies(to provisioning: Provisioning) -> Bool {
        definition(provisioning).provisioning ?? provisioning == provisioning
    }

    /// Returns the error that a correct verifier reports.
    ///
    /// - Parameters:
    ///   - provisioning: the provisioning of the key.
    ///   - time: the time of verification. Only the errors of date faults depend on the time.
    public func expectedError(
        _ provisioning: Provisioning, at time: UnixTime = AndroidCorpus.defaultTime
    ) -> KeyAttestationError { definition(provisioning, at: time).error }

    /// The consequence for a verifier that accepts the fault. The default is a hole.
    public var severity: FaultSeverity {
        switch self {
        case .keyLevelTooLow, .osVersionOld, .osVersionInSoftware, .patchLevelOld, .patchLevelMissing,
            .patchLevelImpossible, .vendorPatchLevelOld, .bootPatchLevelOld, .packageVersionOld, .provisionedInFactory,
            .certificatesTooMany, .certificatesUnknown:
            .policy
        case .rootTwice, .chainTooLarge, .leafTrailingByte, .leafExtensionTwice, .leafAlgorithmParameters,
            .attestationVersion1, .attestationKeyUsage, .intermediateCriticalExtension, .leafCriticalExtension,
            .listTrailingByte, .descriptionTrailingByte, .memberFlood,
            .memberNotTagged, .noAuthRequiredNotNull, .purposeNotSet, .originNegative, .deviceLockedNotDER,
            .provisioningInformationMalformed, .signatureTrailingByte, .descriptionVersionNotNumber,
            .algorithmOther, .keySizeOther, .curveOther:
            .leniency
        default: .hole
        }
    }
}
