@_spi(Steps) import PureBytes
public import PureDER
import PureX509

/// A step-by-step report of a verification, for operators. Do not treat a report as a proof: only
/// ``VerifiedKeyAttestation`` proves that an attestation is valid.
public struct KeyAttestationReport: Sendable {
    /// A step of the verification.
    public enum Step: Hashable, Sendable, CaseIterable {
        /// Checks the order, signatures, roles and root of the certificates.
        case chain
        /// Checks the validity periods of the certificates.
        case validity
        /// Looks up the serial numbers of the certificates in the revocation list.
        case revocation
        /// Decodes the key description in the leaf.
        case description
        /// Compares the challenge in the key description.
        case challenge
        /// Compares the security level in the key description with the level in the attestation certificate.
        case attestedLevel
        /// Checks the key in the leaf.
        case leafKey
        /// Reads the information from the provisioning server.
        case provisioningInformation
        /// Checks the security levels against the policy.
        case securityLevel
        /// Checks the boot state against the policy.
        case boot
        /// Checks the origin and purpose of the key against the policy.
        case key
        /// Checks the app against the declarations.
        case app
        /// Checks the version and patch levels of the system against the policy.
        case system
        /// Checks the provisioning of the attestation key against the policy.
        case provisioning

        /// Whether the step checks the policy. All other steps check the attestation itself.
        package var isPolicy: Bool {
            switch self {
            case .securityLevel, .boot, .key, .app, .system, .provisioning: true
            default: false
            }
        }
    }

    /// The outcome of a step.
    public struct StepResult: Sendable {
        /// The step.
        public let step: Step
        /// The reason for the failure, or `nil` if the step passed.
        public let error: KeyAttestationError?
    }

    /// A likely cause of a failure.
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// The app runs on an emulator, or on a device with a software keystore.
        case emulatorOrSoftwareKeystore
        /// The app sent one certificate instead of `getCertificateChain()`, or did not call `setAttestationChallenge`.
        case chainNotSent
        /// The owner unlocked the bootloader, for development or to install a different system.
        case unlockedBootloader
        /// The owner installed a system such as GrapheneOS. To accept this system, add its boot key to the policy.
        case ownerInstalledSystem
        /// The app is a debug build, or Google Play signed the app with a key that the declaration does not list.
        case otherSigningKey
        /// The factory key, which many devices share, has leaked. The device needs remotely provisioned keys.
        case leakedFactoryKey
        /// The chain was verified weeks after the device generated the key.
        case staleChain
        /// The app passed the challenge's Base64 or hexadecimal text instead of its bytes.
        case challengeAsText
        /// The chain contains a different challenge, because of a replay or an error in the app.
        case otherChallenge
        /// An attested key issued the leaf: the key's holder forged the chain, or the app called `setAttestKeyAlias`.
        case forgedChain
        /// The key lacks `PURPOSE_SIGN`, or has a forbidden purpose such as `PURPOSE_ATTEST_KEY`.
        case otherPurpose
        /// The device no longer receives patches, or the user has not installed them.
        case oldPatches
    }

    /// The steps that ran, in order. Steps that depend on a rejected chain or an unreadable description are omitted.
    public internal(set) var results: [StepResult] = []
    /// The likely causes of the first failure.
    public internal(set) var causes: [Cause] = []
    /// The key description in the leaf, if it can be read. If the chain was rejected, anyone may have written the
    /// description.
    public internal(set) var unverifiedDescription: KeyDescription?
    /// How the attestation key came to the device, or `nil` if the chain was rejected.
    public internal(set) var provisioning: Provisioning?
    /// The information from the provisioning server, or `nil` if the chain does not contain it or was rejected.
    public internal(set) var provisioningInformation: ProvisioningInformation?

    /// The error that the verification throws, or `nil` if the verification succeeds.
    public var error: KeyAttestationError? { results.first { $0.error != nil }?.error }

    /// The first error of a step that checks the attestation, not the policy. `nil` if the chain, the challenge and the
    /// description are valid. Ignores ``KeyAttestationError/unsupportedLeafKey`` and RSA keys of an unsupported size,
    /// because the attestation of such a key can be valid.
    package var attestationError: KeyAttestationError? {
        results.first { result in
            switch result.error {
            case nil, .unsupportedLeafKey, .malformedRSAKey(.unsupportedModulusSize, certificate: 0): false
            default: !result.step.isPolicy
            }
        }?.error
    }
}

extension KeyAttestationVerifier {
    /// Runs all possible steps of ``verify(chain:challenge:at:revocation:)``, even after a failure, and reports each
    /// outcome.
    public func explain(
        chain: [some Collection<UInt8>], challenge: some Collection<UInt8>, at time: UnixTime,
        revocation: RevocationStatusList
    ) -> KeyAttestationReport {
        explain(Self.received(chain, challenge: challenge, time: time, revocation: revocation))
    }

    private func explain(_ received: ReceivedChain) -> KeyAttestationReport {
        var outcomes = EveryOutcome<KeyAttestationReport.Step, KeyAttestationError>()
        let found = takeSteps(of: received, by: &outcomes)
        var report = KeyAttestationReport()
        for (step, outcome) in outcomes.outcomes {
            switch outcome {
            case .passed: report.results.append(KeyAttestationReport.StepResult(step: step, error: nil))
            case .failed(let error, _): report.results.append(KeyAttestationReport.StepResult(step: step, error: error))
            case .notRun: break
            }
        }
        report.provisioning = found.chain?.provisioning
        report.provisioningInformation = found.provisioningInformation
        report.unverifiedDescription = found.description ?? Self.unverifiedDescription(in: received)
        report.causes = report.error.map { Self.causes(of: $0, report, challenge: received.challenge) } ?? []
        return report
    }

    private static func unverifiedDescription(in received: ReceivedChain) -> KeyDescription? {
        guard let leaf = (try? received.certificates.get())?.first.flatMap({ try? LeafCertificate($0) }) else {
            return nil
        }
        return leaf.keyDescription.flatMap { try? KeyDescription(decoding: $0) }
    }

    private static func causes(
        of error: KeyAttestationError, _ report: KeyAttestationReport, challenge: ArraySlice<UInt8>
    ) -> [KeyAttestationReport.Cause] {
        switch error {
        case .softwareRoot: return [.emulatorOrSoftwareKeystore]
        case .wrongCertificateCount(let count):
            return count < 2 ? [.chainNotSent] : count < 4 ? [.emulatorOrSoftwareKeystore] : [.forgedChain]
        case .descriptionInIssuer: return [.forgedChain]
        case .expired: return [.staleChain]
        case .revoked, .suspended: return report.provisioning == .factory ? [.leakedFactoryKey] : []
        case .securityLevelNotAllowed(.software): return [.emulatorOrSoftwareKeystore]
        case .deviceUnlocked, .bootStateNotAllowed: return [.unlockedBootloader]
        case .bootKeyNotAllowed: return [.ownerInstalledSystem]
        case .signingDigestMismatch: return [.otherSigningKey]
        case .purposeNotAllowed: return [.otherPurpose]
        case .patchLevelNotAllowed: return [.oldPatches]
        case .challengeMismatch:
            let found = report.unverifiedDescription?.attestationChallenge ?? []
            let isText =
                Base64.encode(challenge).elementsEqual(found) || Hex.encode(challenge).elementsEqual(found)
                || Base64.encode(challenge, as: .urlSafeUnpadded).elementsEqual(found)
            return [isText ? .challengeAsText : .otherChallenge]
        default: return []
        }
    }
}
