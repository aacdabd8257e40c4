import DebugSampling
import PureAttest
import Testing

@testable import PureAttestTesting

/// A corpus contains every fault. For each case, a correct verifier gives the verdict that the corpus states.
@Suite struct CorpusTests {
    @Test func verdicts() throws {
        let corpus = Corpus(seed: 11)
        let authority = TestCertificateAuthority(seed: 11)
        let all = Fault.allCases
        #expect(all.count == 97 + 68 + 39 + 54 && Set(all.map(\.id)).count == all.count)
        let faults = debugSample(all, every: 31, of: "faults of the corpus")
        // A debug build generates only the cases that it tests.
        let cases = faults.count == all.count ? corpus.cases : corpus.acceptedCases + faults.map(corpus.faultyCase)
        #expect(cases.count == 20 + faults.count)
        #expect(Set(cases.map(\.name)).count == cases.count)
        for item in cases.suffix(faults.count) + debugSample(Array(cases.prefix(20)), every: 9, of: "accepted cases") {
            let verifier = AppAttestVerifier(acceptedApps: [item.acceptedApp], environment: item.environment)
                .trustingTestDevices(of: authority)
            #expect(item.attestationRoot == authority.attestationRoot && item.receiptRoot == authority.receiptRoot)
            var verdict: PureAttestError?
            do throws(PureAttestError) {
                let verified = try verifier.verifyAttestation(
                    item.attestation, keyID: item.keyID, challenge: item.challenge, at: item.time)
                var key = verified.key
                #expect(key.keyID == item.keyID && key.publicKeyX963 == item.publicKeyX963)
                verdict = item.receiptVerdict.error
                _ = try verified.unverifiedReceipt.verify(at: item.time)
                #expect(verdict == nil, "\(item.name)")
                for assertion in item.assertions {
                    #expect(key.counter == assertion.previousCounter)
                    verdict = assertion.verdict.error
                    key =
                        try verifier.verifyAssertion(
                            assertion.assertion, challenge: assertion.challenge,
                            signed: .clientData(assertion.clientData), key: key, at: assertion.time
                        ).key
                    #expect(verdict == nil && key.counter == assertion.counter, "\(item.name)")
                }
                #expect(item.verdict.error == nil && item.assertions.allSatisfy { $0.verdict.error == nil })
            } catch {
                #expect(error == verdict ?? item.verdict.error, "\(item.name)")
            }
        }
    }

    @Test func identifiers() {
        for fault in Fault.allCases {
            #expect(Fault(id: fault.id) == fault && !fault.rule.isEmpty)
        }
        #expect(Set(Fault.allCases.map(\.id)).count == Fault.allCases.count)
        #expect(Fault(id: "nonceMismatch") == nil)
        #expect(Fault.attestation(.nonceMismatch).id == "attestation.nonceMismatch")
    }
}
