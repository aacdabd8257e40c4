import PureAttestServer
import Testing

/// Tests the answers to errors whose static type is `any Error`.
@Suite struct AnswerTests {
    @Test(arguments: [AnswerPolicy.precise, .uniform]) func aCallsErrorIsAnsweredAsTheConfigurationSays(
        policy: AnswerPolicy
    ) {
        let party = relyingParty { $0.answerPolicy = policy }
        var thrown: (any Error)?
        // A key identifier that is not 32 bytes long is a client error, not a server failure.
        do { _ = try party.issueChallenge(purpose: .assertion, keyID: [1, 2, 3], at: now) } catch { thrown = error }
        #expect(thrown.flatMap(party.answer) == Refusal.malformedRequest.answer(.precise))
        let unknown: any Error = Refusal.unknownKey
        #expect(party.answer(to: unknown)?.code == (policy == .precise ? .unknownKey : .refused))
        #expect(party.answer(to: CancellationError()) == nil)
    }

    @Test func aStoreThatIsOutOfOrderIsAnswered() async {
        let party = relyingParty(store: InMemoryStore(keys: 1, consumed: 9))
        var thrown: (any Error)?
        do { for seed in 1...2 { try await Client(makeDevice(seed: UInt64(seed))).register(with: party) } } catch {
            thrown = error
        }
        #expect(thrown.flatMap(party.answer)?.status == 503)
    }
}
