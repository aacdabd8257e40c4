import PureBytes
import PureDER
@testable import PureAttestTesting
@testable import PureKeyAttestationTesting
import RSATestKeys
import ReferenceModel
import Testing

@testable import PureKeyAttestation

/// Tests the causes in reports. For every rule, ``ChainDraft/rejection(_:apps:at:)`` compares reports with verdicts.
struct ReportTests {
    private func report(
        _ draft: ChainDraft, challenge: [UInt8] = Array("challenge".utf8),
        revocation: RevocationStatusList = .notChecked
    ) -> KeyAttestationReport {
        ChainDraft.verifier().explain(
            chain: draft.certificates, challenge: challenge, at: ChainDraft.time, revocation: revocation)
    }

    @Test func everyStepRuns() {
        let report = report(.remote)
        #expect(report.results.map(\.step) == KeyAttestationReport.Step.allCases)
        #expect(report.results.allSatisfy { $0.error == nil })
        #expect(report.error == nil)
        #expect(report.causes == [])
        #expect(report.provisioning == .remote)
        #expect(report.provisioningInformation?.certificatesIssued == 64)
        #expect(report.unverifiedDescription?.attestationVersion == 300)
    }

    @Test func tellsPoliciesFromTheAttestation() {
        var draft = ChainDraft.factory
        draft.description.setHardware(704, KeyDescriptionDraft.rootOfTrust(locked: [1, 1, 0]))
        draft.description.setHardware(706, KeyDescriptionDraft.enumerated(0))
        #expect(
            report(draft).attestationError
                == .malformedAuthorization(706, .unexpectedTag(expected: .integer, found: .enumerated)))
        draft.description.setHardware(706, [2, 1, 0])
        let report = report(draft)
        #expect(report.error == .deviceUnlocked)
        #expect(report.attestationError == nil)
        #expect(report.results.compactMap(\.error) == [.deviceUnlocked, .patchLevelNotAllowed(0)])
        #expect(report.causes == [.unlockedBootloader])
    }

    /// The attestation of a key that this library does not support can be valid.
    @Test func unsupportedKeysAreNoFaultOfTheAttestation() {
        var draft = ChainDraft.factory
        draft.links[0].keyInfo = rsaPublicKeyInfo(modulus: Array(TestKey.bits2048.n.bigEndianBytes.suffix(128)))
        let report = report(draft)
        #expect(report.error == .malformedRSAKey(.unsupportedModulusSize, certificate: 0))
        #expect(report.attestationError == nil)
    }

    @Test func causesAreSentences() {
        let causes: [KeyAttestationReport.Cause] = [
            .emulatorOrSoftwareKeystore, .chainNotSent, .unlockedBootloader, .ownerInstalledSystem, .otherSigningKey,
            .leakedFactoryKey, .staleChain, .challengeAsText, .otherChallenge, .forgedChain, .otherPurpose, .oldPatches,
        ]
        #expect(Set(causes.map { "\($0)" }).count == causes.count)
        #expect(causes.allSatisfy { "\($0)".contains(" ") })
    }

    @Test func namesCauses() throws {
        func causes(_ change: (inout ChainDraft) -> Void) -> [KeyAttestationReport.Cause] {
            var draft = ChainDraft.factory
            change(&draft)
            return report(draft).causes
        }
        #expect(causes { $0.links = [$0.links[0]] } == [.chainNotSent])
        #expect(causes { $0.links = [] } == [.chainNotSent])
        #expect(causes { $0.links.removeLast(2) } == [.emulatorOrSoftwareKeystore])
        #expect(causes { $0.links.remove(at: 2) } == [.emulatorOrSoftwareKeystore])
        #expect(causes { $0.links += $0.links } == [.forgedChain])
        #expect(
            causes { $0.description.setHardware(704, KeyDescriptionDraft.rootOfTrust(state: 2)) } == [
                .unlockedBootloader
            ])
        #expect(
            causes { $0.description.setHardware(704, KeyDescriptionDraft.rootOfTrust(state: 1)) } == [
                .ownerInstalledSystem
            ]
        )
        #expect(
            causes { $0.description.keyMintSecurityLevel = KeyDescriptionDraft.enumerated(0) } == [
                .emulatorOrSoftwareKeystore
            ])
        #expect(causes { $0.description.setHardware(1, nil) } == [.otherPurpose])
        #expect(causes { $0.description.setHardware(706, nil) } == [.oldPatches])
        #expect(causes { $0.description.challenge = [1] } == [.otherChallenge])
        let challenge = Array("challenge".utf8)
        for text in [Base64.encode(challenge), Hex.encode(challenge), Base64.encode(challenge, as: .urlSafeUnpadded)] {
            #expect(causes { $0.description.challenge = text } == [.challengeAsText])
        }
        #expect(
            causes {
                $0.description.software[1].1 = KeyDescriptionDraft.application(digests: [[1]])
            } == [.otherSigningKey])
        let list = try RevocationStatusList(json: Array(#"{"entries":{"404":{"status":"REVOKED"}}}"#.utf8))
        #expect(report(.factory, revocation: list).causes == [.leakedFactoryKey])
        #expect(report(.remote, revocation: list).causes == [])
        #expect(report(.remote, revocation: list).error == .revoked(certificate: 1))
        var late = ChainDraft.remote
        late.links[1].notAfter = UnixTime(secondsSince1970: 1_775_000_000)
        #expect(report(late).causes == [.staleChain])
        late.links[1].extensions.append(ExtensionDraft(.keyDescription, [0x30, 0]))
        #expect(report(late).causes == [.forgedChain])
        let software = try GenuineChain("marlin/sdk29/TEE_EC_NONE")
        let ofSoftware = ChainDraft.verifier().explain(
            chain: software.certificates, challenge: challenge, at: ChainDraft.time, revocation: .notChecked)
        #expect(ofSoftware.causes == [.emulatorOrSoftwareKeystore])
        #expect(ofSoftware.error == .softwareRoot)
        #expect(ofSoftware.provisioning == nil)
        // The key description is unverified, so anyone may have written it.
        #expect(ofSoftware.unverifiedDescription?.attestationSecurityLevel == .software)
    }
}
