import PureBytes
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

    /// What came of a step.
    public struct Result: Sendable {
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
        case systemOfTheOwner
        /// A build for debugging, or one that Google Play signed with another key than is listed.
        case otherSigningKey
        /// A key of the factory that many devices share became known: the device needs remotely provisioned keys.
        case leakedFactoryKey
        /// The chain was kept for weeks before it was verified.
        case chainOfLongAgo
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

    /// The steps that ran, in order. Where the chain or the description fails, no other follows.
    public internal(set) var results: [Result] = []
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

    /// Runs a step; `nil` if it fails.
    mutating func run<T>(_ step: Step, _ body: () throws(KeyAttestationError) -> T) -> T? {
        do {
            let value = try body()
            results.append(Result(step: step, error: nil))
            return value
        } catch {
            results.append(Result(step: step, error: error))
            return nil
        }
    }
}

extension KeyAttestationVerifier {
    /// Explains what ``verify(chain:challenge:at:revocation:)`` makes of a chain: every step that can run does.
    public func explain(
        chain: [some Collection<UInt8>], challenge: some Collection<UInt8>, at time: UnixTime,
        revocation: RevocationStatusList
    ) -> KeyAttestationReport {
        var report = KeyAttestationReport()
        let challenge = ArraySlice(challenge)
        let encoded = try? Self.slices(chain)
        if let first = encoded?.first, let leaf = try? LeafCertificate(first) {
            report.unverifiedDescription = try? Self.description(of: leaf)
        }
        let chain = report.run(.chain) { () throws(KeyAttestationError) in
            try AttestationChain(try Self.slices(chain), roots: roots)
        }
        if let chain { explain(chain, challenge: challenge, at: time, revocation, &report) }
        report.causes = report.error.map { Self.causes(of: $0, report, challenge: challenge) } ?? []
        return report
    }

    private func explain(
        _ chain: AttestationChain, challenge: ArraySlice<UInt8>, at time: UnixTime, _ revocation: RevocationStatusList,
        _ report: inout KeyAttestationReport
    ) {
        report.provisioning = chain.provisioning
        _ = report.run(.validity) { () throws(KeyAttestationError) in try chain.checkValidity(at: time) }
        _ = report.run(.revocation) { () throws(KeyAttestationError) in try chain.checkRevocation(revocation) }
        let read = report.run(.description) { () throws(KeyAttestationError) in
            try Self.description(of: chain.leaf)
        }
        guard let description = read else { return }
        _ = report.run(.challenge) { () throws(KeyAttestationError) in
            try Self.checkChallenge(description, is: challenge)
        }
        _ = report.run(.attestedLevel) { () throws(KeyAttestationError) in
            try Self.checkLevel(description, of: chain)
        }
        _ = report.run(.leafKey) { () throws(KeyAttestationError) in
            try AndroidPublicKey(ofLeaf: chain.leaf, description)
        }
        let information = report.run(.provisioningInformation) { () throws(KeyAttestationError) in
            try ProvisioningInformation(of: chain.attestation)
        }
        report.provisioningInformation = information ?? nil
        _ = report.run(.securityLevel) { () throws(KeyAttestationError) in
            try policy.checkSecurityLevel(description)
        }
        _ = report.run(.boot) { () throws(KeyAttestationError) in try policy.checkBoot(description) }
        _ = report.run(.key) { () throws(KeyAttestationError) in try policy.checkKey(description) }
        _ = report.run(.app) { () throws(KeyAttestationError) in try checkApp(description) }
        _ = report.run(.system) { () throws(KeyAttestationError) in try policy.checkSystem(description, at: time) }
        _ = report.run(.provisioning) { () throws(KeyAttestationError) in
            try policy.checkProvisioning(chain.provisioning, information ?? nil)
        }
    }

    private static func causes(
        of error: KeyAttestationError, _ report: KeyAttestationReport, challenge: ArraySlice<UInt8>
    ) -> [KeyAttestationReport.Cause] {
        switch error {
        case .softwareRoot: return [.emulatorOrSoftwareKeystore]
        case .wrongCertificateCount(let count):
            return count < 2 ? [.chainNotSent] : count < 4 ? [.emulatorOrSoftwareKeystore] : [.forgedChain]
        case .descriptionInIssuer: return [.forgedChain]
        case .expired: return [.chainOfLongAgo]
        case .revoked, .suspended: return report.provisioning == .factory ? [.leakedFactoryKey] : []
        case .securityLevelNotAllowed(.software): return [.emulatorOrSoftwareKeystore]
        case .deviceUnlocked, .bootStateNotAllowed: return [.unlockedBootloader]
        case .bootKeyNotAllowed: return [.systemOfTheOwner]
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
