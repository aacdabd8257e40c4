@_spi(Steps) import PureBytes
public import PureDER
import PureX509

/// A step-by-step report of a verification, for operators. It proves nothing; only ``VerifiedKeyAttestation`` does.
public struct KeyAttestationReport: Sendable {
    /// A step of the verification.
    public enum Step: UInt8, Hashable, Sendable, CaseIterable {
        /// Order, signatures, roles and root of the certificates.
        case chain
        /// Validity periods of the certificates.
        case validity
        /// Serial numbers of the certificates, in the revocation list.
        case revocation
        /// The leaf's key description.
        case description
        /// The challenge in the description.
        case challenge
        /// The security level in the description, compared with the attestation certificate's level.
        case attestedLevel
        /// The leaf's key.
        case leafKey
        /// The provisioning server's statement about the device.
        case provisioningInformation
        /// Policy: security levels.
        case securityLevel
        /// Policy: boot state.
        case boot
        /// Policy: origin and purpose of the key.
        case key
        /// Policy: app.
        case app
        /// Policy: version and patches of the system.
        case system
        /// Policy: provisioning of the attestation key.
        case provisioning

        /// Whether the step checks the policy. The other steps check the attestation itself.
        public var isPolicy: Bool { rawValue >= Step.securityLevel.rawValue }
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
        /// An emulator, or a device with a software keystore.
        case emulatorOrSoftwareKeystore
        /// The app sent one certificate instead of `getCertificateChain()`, or did not call `setAttestationChallenge`.
        case chainNotSent
        /// The bootloader is unlocked, for development or for another system.
        case unlockedBootloader
        /// The owner installed another system, such as GrapheneOS. The policy can accept its boot key.
        case ownerInstalledSystem
        /// The app is a debug build, or Google Play signed it with a key that the declaration does not list.
        case otherSigningKey
        /// A factory key, which many devices share, was leaked. The device needs remotely provisioned keys.
        case leakedFactoryKey
        /// The chain was verified weeks after the device made the key.
        case staleChain
        /// The app passed the challenge's Base64 or hexadecimal text instead of its bytes.
        case challengeAsText
        /// The chain answers another challenge: a replay, or an error in the app.
        case otherChallenge
        /// An attested key issued the leaf. The key's holder forged the chain, or the app called `setAttestKeyAlias`.
        case forgedChain
        /// The key has another purpose, such as `PURPOSE_ATTEST_KEY`, or lacks `PURPOSE_SIGN`.
        case otherPurpose
        /// The device no longer receives patches, or the user has not installed them.
        case oldPatches
    }

    /// The steps that ran, in order. Steps that depend on a rejected chain or an unreadable description are omitted.
    public internal(set) var results: [StepResult] = []
    /// The likely causes of the first failure.
    public internal(set) var causes: [Cause] = []
    /// The leaf's description, if it is readable. Anyone may have written the description of a rejected chain.
    public internal(set) var unverifiedDescription: KeyDescription?
    /// How the attestation key came to the device, or `nil` if the chain failed.
    public internal(set) var provisioning: Provisioning?
    /// The provisioning server's statement, or `nil` if there is none or the chain failed.
    public internal(set) var provisioningInformation: ProvisioningInformation?

    /// The error that the verification throws, or `nil` if it succeeds.
    public var error: KeyAttestationError? { results.first { $0.error != nil }?.error }

    /// The first error of a step outside the policy, or `nil` if chain, challenge and description are valid. Ignores
    /// ``KeyAttestationError/unsupportedLeafKey``, because unsupported keys are attested in the same way.
    public var attestationError: KeyAttestationError? {
        results.first { !$0.step.isPolicy && $0.error != nil && $0.error != .unsupportedLeafKey }?.error
    }
}

extension KeyAttestationVerifier {
    /// Runs every step of ``verify(chain:challenge:at:revocation:)`` that can run, and reports the outcomes.
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
