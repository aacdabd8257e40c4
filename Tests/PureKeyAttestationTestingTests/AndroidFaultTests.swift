import DebugSampling
import Foundation
import PureKeyAttestation
import PureAttestTesting
import Testing
import VectorSupport

@testable import PureKeyAttestationTesting

extension AndroidCase {
    func rejection() -> KeyAttestationError? {
        do throws(KeyAttestationError) {
            let list = try RevocationStatusList(json: revocationList)
            let proof = try verifier.verify(chain: certificateChain, challenge: challenge, at: time, revocation: list)
            #expect(proof.key.provisioning == provisioning && proof.key.securityLevel == securityLevel)
            _ = try verifier.verifySignature(
                signature, challenge: requestChallenge, signed: .clientData(clientData), key: proof.key)
            return nil
        } catch {
            return error
        }
    }
}

struct AndroidFaultTests {
    private static let corpus = AndroidCorpus(seed: 7)

    private func device(_ provisioning: Provisioning, _ level: SecurityLevel) -> VirtualAndroidDevice {
        VirtualAndroidDevice(
            app: AndroidApp(packageName: "com.example.app", signingDigests: [[UInt8](repeating: 1, count: 32)]),
            authority: TestAndroidAuthority(seed: 3), provisioning: provisioning, securityLevel: level, seed: 4,
            time: AndroidCorpus.defaultTime)
    }

    /// In a debug build, creating a factory chain takes seconds, so the test runs fewer faults.
    @Test(arguments: [Provisioning.remote, .factory])
    func faults(_ provisioning: Provisioning) throws {
        for level in [SecurityLevel.trustedEnvironment, .strongBox] {
            let device = device(provisioning, level)
            let faults = debugSample(
                AndroidFault.allCases, every: provisioning == .remote ? 31 : 100, from: Int(level.rawValue) - 1,
                of: "faults of Android")
            for fault in faults {
                guard fault.applies(to: provisioning) else {
                    #expect(throws: AttestTestingError.faultDoesNotApply) {
                        try device.makeCase("", challenge: [1, 2], requestChallenge: [2], breaking: fault)
                    }
                    continue
                }
                let item = try device.makeCase(
                    "", challenge: Array("challenge".utf8), requestChallenge: [2], breaking: fault)
                #expect(item.rejection() == item.error, "\(fault)")
                #expect(item.error == fault.expectedError(provisioning), "\(fault)")
            }
        }
    }

    @Test func acceptedCases() {
        #expect(AndroidCorpus.acceptedKinds.count == 12)
        for kind in debugSample(AndroidCorpus.acceptedKinds, every: 5, from: 1, of: "accepted chains of Android") {
            let item = Self.corpus.acceptedCase(kind)
            #expect(item.rejection() == nil, "\(item.name)")
        }
        for kind in AndroidCorpus.kindsWithoutRoot {
            let item = Self.corpus.acceptedCase(kind, isWithoutRoot: true)
            #expect(item.certificateChain.count == (kind.provisioning == .remote ? 4 : 3))
            #expect(item.rejection() == nil, "\(item.name)")
        }
    }

    /// These faults concern the end of the chain, so they run in debug builds too.
    @Test func faultsWithoutRoot() throws {
        let faults = AndroidFault.allCases.filter { $0.id.contains("rootLeftOut") }
        #expect(faults.count == 6)
        for provisioning in [Provisioning.remote, .factory] {
            let device = device(provisioning, .trustedEnvironment)
            for fault in faults where fault.applies(to: provisioning) {
                let item = try device.makeCase("", challenge: [1], requestChallenge: [2], breaking: fault)
                #expect(item.rejection() == item.error, "\(fault), \(provisioning)")
            }
        }
    }

    /// A verifier that merges both lists accepts a purpose that only software enforces.
    @Test func purposeInSoftware() throws {
        let item = try device(.remote, .trustedEnvironment).makeCase(
            "", challenge: [1], requestChallenge: [2], breaking: .purposeInSoftware)
        #expect(item.rejection() == .purposeNotAllowed && item.error == .purposeNotAllowed)
    }

    @Test func everyRuleHasAFault() {
        #expect(AndroidFault.allCases.count == 125)
        #expect(Set(AndroidFault.allCases.map(\.rule)) == Set(AndroidRule.allCases.map(\.text)))
        #expect(Set(AndroidFault.allCases.map(\.severity)) == Set(FaultSeverity.allCases))
        for fault in AndroidFault.allCases { #expect(AndroidFault(id: fault.id) == fault) }
        #expect(AndroidFault(id: "android.nothing") == nil)
    }

    /// Only the server's own input or stored records can cause these errors. No device or revocation list can.
    private static let causedByTheServer: Set<String> = [
        "emptyChallenge", "malformedKeyRecord", "unsupportedKeyRecord", "challengeNotFound", "keyOfUnknownApp",
    ]

    /// Each error of the verifier has a fault that causes it, or is listed as an error without a fault.
    @Test func everyErrorIsMet() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/PureKeyAttestation/KeyAttestationError.swift")
        let declared = try String(contentsOf: source, encoding: .utf8)
            .matches(of: /\n    case ([a-zA-Z0-9]+)/).map { String($0.1) }
        #expect(declared.count > 50)
        let met = Set(
            AndroidFault.allCases.flatMap { fault in
                [Provisioning.remote, .factory].filter { fault.applies(to: $0) }
                    .compactMap { VectorSupport.caseName(of: fault.expectedError($0)) }
            })
        for name in declared {
            #expect(met.contains(name) != Self.causedByTheServer.contains(name), "\(name)")
        }
    }

    @Test func theSameSeedGivesTheSameBytes() throws {
        let (a, b) = (
            AndroidCorpus(seed: 5).faultyCase(.challengeOther), AndroidCorpus(seed: 5).faultyCase(.challengeOther)
        )
        #expect(a.certificateChain == b.certificateChain && a.signature == b.signature)
        #expect(AndroidCorpus(seed: 6).faultyCase(.challengeOther).certificateChain != a.certificateChain)
        #expect(throws: AttestTestingError.invalidInput) {
            try device(.remote, .strongBox).makeCase("", challenge: [], requestChallenge: [1])
        }
        #expect(throws: AttestTestingError.invalidInput) {
            try device(.remote, .strongBox).makeCase("", challenge: [1], requestChallenge: [])
        }
    }
}
