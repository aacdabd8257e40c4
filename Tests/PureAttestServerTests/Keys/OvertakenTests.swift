import DebugSampling
import PureAttest
import PureKeyAttestationTesting
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

/// Tests the codes of answers with status 409. A client re-signs after `overtaken`, and never after `consumed`.
@Suite struct OvertakenTests {
    private struct Delivery: Sendable {
        let challenge: [UInt8]
        let assertion: [UInt8]
    }

    private func sign(_ count: Int, _ client: Client, for party: TestParty) throws -> [Delivery] {
        try (0..<count).map { _ in
            let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now).value
            return Delivery(challenge: challenge, assertion: try client.assertion(challenge))
        }
    }

    /// Returns the code of the answer, or `nil` if the delivery was accepted.
    private func send(_ delivery: Delivery, _ client: Client, to party: TestParty) async -> HTTPAnswer.Code? {
        await client.refusal(of: delivery.assertion, delivery.challenge, by: party)?.answer(.precise).code
    }

    /// Delivers each request one to three times, concurrently and in any order. The server accepts each request at most
    /// once. After `overtaken`, the server never accepts the request; after `consumed`, it has accepted the request
    /// once.
    @Test(arguments: [CounterPolicy.strict, .slidingWindow])
    func wordsKeepTheirPromises(_ policy: CounterPolicy) async throws {
        var random = SystemRandomNumberGenerator()
        var seen: Set<HTTPAnswer.Code?> = []
        for _ in debugSample([1, 2], every: 2, of: "rounds of repeated requests") {
            let (party, client) = try await registered(verifier: verifier(counterPolicy: policy)) { $0.removeLimits() }
            let requests = try sign(80, client, for: party)
            let deliveries = requests.indices.flatMap { [Int](repeating: $0, count: $0 % 3 + 1) }.shuffled(
                using: &random)
            let answers = await withTaskGroup(of: (index: Int, word: HTTPAnswer.Code?).self) { group in
                for index in deliveries {
                    group.addTask { (index, await self.send(requests[index], client, to: party)) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == deliveries.count)
            for (index, request) in requests.enumerated() {
                let words = answers.filter { $0.index == index }.map(\.word)
                seen.formUnion(words)
                let accepted = words.filter { $0 == nil }.count
                #expect(accepted <= 1)
                #expect(words.allSatisfy { [nil, .consumed, .overtaken].contains($0) })
                #expect(!words.contains(.consumed) || accepted == 1)
                #expect(!words.contains(.overtaken) || accepted == 0)
                // Later deliveries of the same request get the same code.
                let later = await send(request, client, to: party)
                #expect(later == (accepted == 1 ? .consumed : .overtaken))
            }
            let next = try sign(1, client, for: party)[0]
            #expect(await send(next, client, to: party) == nil)
            for request in requests { #expect(await send(request, client, to: party) != nil) }
        }
        #expect(seen == [nil, .consumed, .overtaken])
    }

    /// The later of two requests arrives first. Only the strict policy answers the earlier one with `overtaken`.
    @Test func theWindowOvertakesLess() async throws {
        for (policy, expected) in [(CounterPolicy.strict, HTTPAnswer.Code.overtaken), (.slidingWindow, nil)] {
            let (party, client) = try await registered(verifier: verifier(counterPolicy: policy)) { $0.removeLimits() }
            let requests = try sign(2, client, for: party)
            #expect(await send(requests[1], client, to: party) == nil)
            #expect(await send(requests[0], client, to: party) == expected)
            #expect(await send(requests[0], client, to: party) == expected ?? .consumed)
            #expect(await send(requests[1], client, to: party) == .consumed)
        }
    }
    @Test func aRecordedAssertionIsNotOvertaken() async throws {
        let (party, client) = try await registered()
        let challenges = try (0..<2).map { _ in
            try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now).value
        }
        let bytes = [0] + challenges[0]
        let assertion = try client.assertion(bytes)
        let signed = SignedContent.clientData(bytes) { Array($0.dropFirst()) }
        var words: [HTTPAnswer.Code?] = []
        for challenge in challenges {
            words.append(
                await client.refusal(of: assertion, challenge, by: party, signed: signed)?.answer(.precise).code)
        }
        #expect(words == [nil, .refused])
    }

    /// The answer to a repeated registration states that the key is already registered.
    @Test func aRepeatedRegistrationIsConsumed() async throws {
        let (party, client) = (relyingParty(android: androidKeys()), Client())
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: client.keyID, at: now).value
        let attestation = try client.attestation(challenge)
        var words: [HTTPAnswer.Code?] = []
        for _ in 0..<2 {
            words.append(
                await client.refusal(ofAttestation: attestation, challenge, by: party)?.answer(.precise).code)
        }
        let android = AndroidClient()
        let handleChallenge = try party.issueChallenge(purpose: .attestation, keyID: android.handle, at: now).value
        for _ in 0..<2 {
            words.append(
                await rejection { try await android.register(with: party, challenge: handleChallenge) }?
                    .answer(.precise).code)
        }
        #expect(words == [nil, .consumed, nil, .consumed])
    }

    /// Without a counter, requests of Android keys are accepted in any order, and repeated ones get `consumed`.
    @Test func androidKeysOvertakeNothing() async throws {
        let (party, client) = try await registeredAndroid { $0.removeLimits() }
        let challenges = try (0..<8).map { _ in try client.challenge(from: party) }
        let key = try #require(client.key)
        for expected in [nil, .consumed] as [HTTPAnswer.Code?] {
            for challenge in challenges.reversed() {
                let refused = await client.refusal(of: key.sign(challenge), challenge, by: party)
                #expect(refused?.answer(.precise).code == expected)
            }
        }
    }
}
