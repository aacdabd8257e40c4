import PureAttest
import Synchronization
import Testing

/// Apple's assertion step 6: the challenge is compared with the signed bytes.
@Suite struct SignedContentTests {
    private func verify(_ challenge: [UInt8], _ content: SignedContent) throws {
        var device = TestDevice()
        device.counter = 1
        _ = try device.verifier().verifyAssertion(
            device.assertion, challenge: challenge, signed: content, key: device.storedKey())
    }

    private let signed = TestDevice().challenge

    @Test func clientDataIsTheChallenge() throws {
        try verify(signed, .challenge)
        try verify(signed, .clientData(signed))
        for other in [Array(signed.dropLast()), signed + [0], [0], Array(signed.reversed())] {
            #expect(throws: PureAttestError.challengeMismatch) { try verify(other, .clientData(signed)) }
            // The signature does not cover the expected bytes.
            #expect(throws: PureAttestError.invalidSignature) { try verify(other, .challenge) }
        }
    }

    @Test func clientDataHoldTheChallenge() throws {
        let challenge = Array(signed.prefix(9))
        try verify(challenge, .clientData(signed) { Array($0.prefix(9)) })
        for other in [Array(signed.prefix(8)), Array(signed.prefix(10)), Array(signed[1...9]), []] {
            #expect(throws: PureAttestError.challengeMismatch) {
                try verify(challenge, .clientData(signed) { _ in other })
            }
        }
        #expect(throws: PureAttestError.challengeNotFound) { try verify([1], .clientData(signed) { _ in nil }) }
    }

    /// An empty challenge is rejected, although every content contains it, and although some signatures are valid.
    @Test func emptyChallengeIsRejected() throws {
        for content: SignedContent in [
            .challenge, .clientData(signed), .clientData([]), .clientData(signed) { _ in [] },
            .request(method: "", path: "", body: []), .request(method: [], target: [], body: []),
        ] {
            #expect(throws: PureAttestError.emptyChallenge) { try verify([], content) }
        }
    }

    @Test func closureSeesOnlySignedBytes() throws {
        let calls = Mutex(0)
        try verify(
            [1],
            .clientData(signed) { [signed] bytes in
                calls.withLock { $0 += 1 }
                #expect(bytes.elementsEqual(signed))
                return [1]
            })
        #expect(calls.withLock { $0 } == 1)
        #expect(throws: PureAttestError.invalidSignature) {
            try verify(
                [1],
                .clientData(signed + [0]) { _ in
                    Issue.record("called with unsigned bytes")
                    return [1]
                })
        }
    }

    @Test func checkedByCaller() throws {
        var device = TestDevice()
        device.counter = 1
        let verifier = AssertionVerifier(
            apps: [device.appID], environment: .production, launchPolicy: .reportOnly)
        let key = try device.storedKey()
        let verified = try verifier.verifyAssertion(device.assertion, clientDataCheckedByCaller: signed, key: key)
        #expect(verified.clientData.elementsEqual(signed))
        #expect(throws: PureAttestError.invalidSignature) {
            try verifier.verifyAssertion(device.assertion, clientDataCheckedByCaller: [], key: key)
        }
    }

    /// The comparison itself also rejects an empty challenge, although both verifiers reject it before the comparison.
    @Test func partsOfAContent() {
        #expect(SignedContent.challenge.fault(of: []) == .empty)
        #expect(SignedContent.clientData([]) { _ in [] }.fault(of: []) == .empty)
        #expect(SignedContent.challenge.byteCount == 0)
        #expect(SignedContent.clientData([1, 2]).byteCount == 2)
        #expect(SignedContent.request(method: "POST", path: "/a", body: [1, 2, 3]).byteCount == 9)
        #expect(!SignedContent.challenge.isComparedAsWhole)
        #expect(SignedContent.clientData([1]).isComparedAsWhole)
        #expect(!SignedContent.clientData([1]) { _ in nil }.isComparedAsWhole)
    }
}
