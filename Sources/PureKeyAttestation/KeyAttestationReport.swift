@_spi(Steps) import PureBytes
public import PureDER
import PureX509

/// What a verification makes of a chain, step by step: for operators. It decides nothing; only ``VerifiedKeyAttestation`` is a proof.
public struct KeyAttestationReport: Sendable {
    /// A part of the verification.
    public enum Step: UInt8, Hashable, Sendable, CaseIterable {
        /// Order, signatures, roles and root of the certificates.
        case chain
        /// Their dates.
        case validity
        /// Their serial numbers, in the list.
        case revocation
        /// The leaf's key description.
        case description
        /// The challenge in it.
        case challenge
        /// The level that it claims, and that of the attestation certificate.
        case attestedLevel
        /// The leaf's key.
        case leafKey
        /// What the provisioning server said of the device.
        case provisioningInformation
        /// Policy: the levels.
        case securityLevel
        /// Policy: the boot.
        case boot
        /// Policy: origin and purpose of the key.
        case key
        /// Policy: the app.
        case app
        /// Policy: version and patches of the system.
        case system
        /// Policy: how the key that attests was provisioned.
        case provisioning

        /// Whether the step asks for what a policy asks for, and not for what makes an attestation.
        public var isPolicy: Bool { rawValue >= Step.securityLevel.rawValue }
    }

    /// The outcome of a step.
    public struct StepResult: Sendable {
        /// Which.
        public let step: Step
        /// Why it failed; `nil` if it passed.
        public let error: KeyAttestationError?
    }

    /// What is likely behind a refusal.
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// An emulator, or a device whose keystore is software.
        case emulatorOrSoftwareKeystore
        /// The app sent one certificate and not `getCertificateChain()`, or did not call `setAttestationChallenge`.
        case chainNotSent
        /// The bootloader is unlocked, for development or for another system.
        case unlockedBootloader
        /// A system that the owner installed, such as GrapheneOS: its key can be accepted.
        case ownerInstalledSystem
        /// A build for debugging, or one that Google Play signed with another key than is listed.
        case otherSigningKey
        /// A key of the factory that many devices share became known: the device needs remotely provisioned keys.
        case leakedFactoryKey
        /// The chain was kept for weeks before it was verified.
        case staleChain
        /// The challenge was attested as its Base64 or hexadecimal text.
        case challengeAsText
        /// The answer to another challenge: a replay, or a mistake of the app.
        case otherChallenge
        /// Somebody made a chain with an attested key: whoever holds the key, or an app that gave `setAttestKeyAlias`.
        case forgedChain
        /// The key is for another purpose, such as `PURPOSE_ATTEST_KEY`, or without `PURPOSE_SIGN`.
        case otherPurpose
        /// The device gets no patches any more, or the user has not installed them.
        case oldPatches
    }

    /// The steps that ran, in the order of the verification. Steps that need a refused chain, or a description that can't be read, are
    /// left out.
    public internal(set) var results: [StepResult] = []
    /// What is likely behind the first failure.
    public internal(set) var causes: [Cause] = []
    /// The leaf's description, as soon as it can be read: also where the chain failed, and then anybody wrote it.
    public internal(set) var unverifiedDescription: KeyDescription?
    /// How the key that attests came to the device; `nil` where the chain failed.
    public internal(set) var provisioning: Provisioning?
    /// What the provisioning server said; `nil` if nothing, or where the chain failed.
    public internal(set) var provisioningInformation: ProvisioningInformation?

    /// The error that a verification throws; `nil` if it would succeed.
    public var error: KeyAttestationError? { results.first { $0.error != nil }?.error }

    /// The first error of a step that is none of the policy's; `nil` if chain, challenge and description are as they must be. A leaf's
    /// key of a kind that is not known here (``KeyAttestationError/unsupportedLeafKey``) is attested as well as any.
    public var attestationError: KeyAttestationError? {
        results.first { !$0.step.isPolicy && $0.error != nil && $0.error != .unsupportedLeafKey }?.error
    }
}

extension KeyAttestationVerifier {
    /// Explains what ``verify(chain:challenge:at:revocation:)`` makes of a chain: every step that can run does.
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

    /// The description in the leaf of a chain that is refused.
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
