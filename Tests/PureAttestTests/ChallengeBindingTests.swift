import PureAttest
import Synchronization
import Testing

/// Apple's assertion step 6.
@Suite struct ChallengeBindingTests {
    private func verify(_ binding: ChallengeBinding, clientData: [UInt8]? = nil) throws {
        var device = TestDevice()
        device.counter = 1
        _ = try device.verifier().verifyAssertion(
            device.assertion, clientData: clientData ?? device.challenge, challenge: binding, key: device.storedKey())
    }

    private let signed = TestDevice().challenge

    @Test func clientDataIsTheChallenge() throws {
        try verify(.clientDataIs(signed))
        for other in [Array(signed.dropLast()), signed + [0], [0], Array(signed.reversed())] {
            #expect(throws: PureAttestError.challengeMismatch) { try verify(.clientDataIs(other)) }
        }
    }

    @Test func extractedChallenge() throws {
        try verify(.extracted(expected: Array(signed.prefix(9))) { Array($0.prefix(9)) })
        #expect(throws: PureAttestError.challengeMismatch) {
            try verify(.extracted(expected: Array(signed.prefix(9))) { Array($0.prefix(8)) })
        }
        #expect(throws: PureAttestError.challengeMismatch) { try verify(.extracted(expected: [1]) { _ in [] }) }
        #expect(throws: PureAttestError.challengeNotFound) { try verify(.extracted(expected: [1]) { _ in nil }) }
    }

    /// An empty challenge would be found everywhere: it is refused whatever is signed.
    @Test func emptyChallengeIsRefused() throws {
        #expect(throws: PureAttestError.emptyChallenge) { try verify(.clientDataIs([])) }
        #expect(throws: PureAttestError.emptyChallenge) { try verify(.extracted(expected: []) { _ in [] }) }
    }

    /// The closure runs on bytes that the key has signed, or not at all.
    @Test func closureSeesOnlySignedBytes() throws {
        let calls = Mutex(0)
        try verify(
            .extracted(expected: [1]) { [signed] bytes in
                calls.withLock { $0 += 1 }
                #expect(bytes.elementsEqual(signed))
                return [1]
            })
        #expect(calls.withLock { $0 } == 1)
        #expect(throws: PureAttestError.invalidSignature) {
            try verify(
                .extracted(expected: [1]) { _ in
                    Issue.record("called with unsigned bytes")
                    return [1]
                }, clientData: signed + [0])
        }
    }

    @Test func checkedByCaller() throws {
        try verify(.checkedByCaller)
        #expect(throws: PureAttestError.invalidSignature) { try verify(.checkedByCaller, clientData: []) }
    }
}
