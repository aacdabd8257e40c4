import DebugSampling
import PureAttest
import Testing

@testable import PureAttestServer

@Suite struct BatchTests {
    /// The pattern of valid and invalid assertions has a period that does not divide the length of any chunk.
    @Test(arguments: [0, 1, 15, 16, 17, 100])
    func verdictsAreInOrder(_ count: Int) async throws {
        let party = relyingParty()
        let client = Client()
        let key = try #require(try await client.register(with: party).record.key.appAttest)
        var assertions: [AssertionToVerify] = []
        for i in 0..<count {
            let challenge = Array("challenge \(i)".utf8)
            assertions.append(
                AssertionToVerify(
                    assertion: try client.assertion(challenge), challenge: i % 7 == 3 ? [0] : challenge, key: key))
        }
        for tasks in debugSample([.min, 0, 1, 3, 64, .max], every: 3, from: count, of: "numbers of tasks") {
            let verdicts = try await verifier().verifyAssertions(assertions, tasks: tasks)
            #expect(verdicts.count == count)
            for (i, verdict) in verdicts.enumerated() {
                switch verdict {
                case .success(let verified): #expect(i % 7 != 3 && verified.counter == UInt32(i + 1))
                case .failure(let error): #expect(i % 7 == 3 && error == .invalidSignature)
                }
            }
        }
    }

    @Test func attestations() async throws {
        let device = makeDevice()
        var attestations: [AttestationToVerify] = []
        for i in 0..<20 {
            let client = Client(device)
            attestations.append(
                AttestationToVerify(
                    attestation: try client.attestation([UInt8(i)]), keyID: client.keyID,
                    challenge: i == 5 ? [99] : [UInt8(i)], time: now))
        }
        let verdicts = try await verifier().verifyAttestations(attestations)
        #expect(verdicts.count == 20)
        for (i, verdict) in verdicts.enumerated() {
            switch verdict {
            case .success(let verified): #expect(i != 5 && verified.key.keyID == attestations[i].keyID)
            case .failure(let error): #expect(i == 5 && error == .nonceMismatch)
            }
        }
    }

    @Test(arguments: [1, 64])
    func stopsWhenCancelled(_ tasks: Int) async throws {
        let party = relyingParty()
        let client = Client()
        let key = try #require(try await client.register(with: party).record.key.appAttest)
        let assertion = AssertionToVerify(assertion: try client.assertion([1]), challenge: [1], key: key)
        let task = Task {
            // Without cancellation, the verification takes seconds.
            try await verifier().verifyAssertions(
                [AssertionToVerify](repeating: assertion, count: 200_000), tasks: tasks)
        }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [Int.min, -1, 0, 1, 64, .max])
    func seesThatItIsCancelled(_ tasks: Int) async throws {
        let client = Client()
        let key = try #require(try await client.register(with: relyingParty()).record.key.appAttest)
        let assertion = AssertionToVerify(assertion: try client.assertion([1]), challenge: [1], key: key)
        for count in [0, 1, 100_000] {
            let assertions = [AssertionToVerify](repeating: assertion, count: count)
            await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.cancelAll()
                    group.addTask { _ = try await verifier().verifyAssertions(assertions, tasks: tasks) }
                    try await group.waitForAll()
                }
            }
        }
    }
}
