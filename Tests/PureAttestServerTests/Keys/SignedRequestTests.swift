import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import PureKeyAttestation
import PureKeyAttestationTesting
import PureSHA2
import Testing

@Suite struct SignedRequestTests {
    private func attempt(
        _ party: TestParty, _ client: Client, _ challenge: Challenge, _ assertion: [UInt8], _ signed: SignedContent
    ) async -> Refusal? {
        await client.refusal(of: assertion, challenge.value, by: party, signed: signed)
    }

    @Test func everyPartIsBound() async throws {
        let (party, client) = try await registered { $0.removeLimits() }
        let body = Array(#"{"to":"Bob","amount":5}"#.utf8)
        let good = SignedContent.request(method: "POST", path: "/transfer", query: "a=1", body: body)
        let others: [SignedContent] = [
            .request(method: "PUT", path: "/transfer", query: "a=1", body: body),
            .request(method: "post", path: "/transfer", query: "a=1", body: body),
            .request(method: "POST", path: "/transfer/", query: "a=1", body: body),
            .request(method: "POST", path: "/Transfer", query: "a=1", body: body),
            .request(method: "POST", path: "/transfe%72", query: "a=1", body: body),
            .request(method: "POST", path: "/transfer", query: "a=2", body: body),
            .request(method: "POST", path: "/transfer", query: "", body: body),
            .request(method: "POST", path: "/transfer", body: body),
            .request(method: "POST", path: "/transfer", query: "a=1", body: body + [0]),
            .request(method: "POST", path: "/transfer", query: "a=1", body: []),
            .request(method: "POST/", path: "transfer", query: "a=1", body: body),
            .challenge,
        ]
        for other in others {
            let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
            let assertion = try client.device.generateAssertion(
                client.name, challenge: challenge.value, signed: good)
            #expect(await attempt(party, client, challenge, assertion, other) == .verification(.invalidSignature))
            let next = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
            #expect(await attempt(party, client, next, assertion, good) == .verification(.invalidSignature))
            #expect(await attempt(party, client, challenge, assertion, good) == nil)
            #expect(await attempt(party, client, challenge, assertion, good) == .challengeConsumed)
        }
    }

    /// Question marks are signed, in the path and before the query. An empty query differs from an absent query.
    @Test func theTargetIsWhatWasSent() async throws {
        let (party, client) = try await registered { $0.removeLimits() }
        let accepted: [(sent: String, path: String, query: String?)] = [
            ("/a", "/a", nil), ("/a?", "/a", ""), ("/a?b=c?d", "/a", "b=c?d"), ("/a?b", "/a?b", nil),
            ("/\u{E9}", "/\u{E9}", nil),
        ]
        for (sent, path, query) in accepted {
            let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
            let assertion = try client.device.generateAssertion(
                client.name, challenge: challenge.value, signed: .request(method: "GET", path: sent, body: []))
            // The same character in a different Unicode normalization form is a different target.
            if sent == "/\u{E9}" {
                let other = SignedContent.request(method: "GET", path: "/e\u{301}", body: [])
                #expect(
                    await attempt(party, client, challenge, assertion, other) == .verification(.invalidSignature))
            }
            let signed = SignedContent.request(method: "GET", path: path, query: query, body: [])
            #expect(await attempt(party, client, challenge, assertion, signed) == nil)
        }
    }

    @Test func theSizeIsLimited() async throws {
        let (party, client) = try await registered()
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        let limit = party.configuration.maximumClientData
        for (path, body, step) in [
            (1, limit, .input), (limit, 0, .input), (1, limit - 5, .verification),
        ] as [(Int, Int, Refusal.Step)] {
            let signed = SignedContent.request(
                method: "POST", path: String(repeating: "/", count: path), body: [UInt8](repeating: 0, count: body))
            #expect(await attempt(party, client, challenge, [], signed)?.step == step)
        }
    }

    /// Rejects a copy of the challenge outside the signed bytes, a part of the challenge, and an empty challenge.
    @Test func theChallengeIsInTheSignedBytes() async throws {
        let party = relyingParty(android: androidKeys()) { $0.removeLimits() }
        let (phone, android) = (Client(), AndroidClient())
        try await phone.register(with: party)
        try await android.register(with: party)
        let androidKey = try #require(android.key)
        func attempts(
            signing bytes: ([UInt8]) -> [UInt8], sending: ([UInt8]) -> [UInt8] = { $0 },
            find: (@Sendable (ArraySlice<UInt8>) -> [UInt8]?)? = nil
        ) async throws -> [Refusal?] {
            let challenge = try party.issueChallenge(purpose: .assertion, keyID: phone.keyID, at: now).value
            let other = try android.challenge(from: party)
            return [
                await rejection {
                    _ = try await party.authenticate(
                        assertion: phone.assertion(bytes(challenge)), keyID: phone.keyID, challenge: sending(challenge),
                        signed: .clientData(bytes(challenge), challengeBy: find), at: now)
                },
                await rejection {
                    _ = try await party.authenticate(
                        signature: androidKey.sign(bytes(other)), keyID: android.keyID, challenge: sending(other),
                        signed: .clientData(bytes(other), challengeBy: find), at: now)
                },
            ]
        }
        let different: [Refusal?] = [.verification(.challengeMismatch), .keyAttestation(.signedChallengeMismatch)]
        #expect(try await attempts(signing: { $0 }) == [nil, nil])
        #expect(try await attempts(signing: { [0] + $0 }, find: { Array($0.dropFirst()) }) == [nil, nil])
        // The challenge is missing from the signed bytes, or is not where the verifier looks for it.
        #expect(try await attempts(signing: { _ in [1, 2, 3] }) == different)
        #expect(try await attempts(signing: { [0] + $0 }) == different)
        // The client signs only a prefix of the challenge. Then the verifier finds, or the client sends, only a prefix.
        #expect(try await attempts(signing: { $0.dropLast() }) == different)
        #expect(try await attempts(signing: { $0 }, find: { $0.dropLast() }) == different)
        for refusal in try await attempts(signing: { $0 }, sending: { $0.dropLast() }) {
            #expect(refusal == .malformedRequest)
        }
        // The client signs an empty challenge. Then the verifier finds one. Then the client signs and sends one.
        #expect(try await attempts(signing: { _ in [] }) == different)
        #expect(try await attempts(signing: { $0 }, find: { _ in [] }) == different)
        for refusal in try await attempts(signing: { _ in [] }, sending: { _ in [] }) {
            #expect(refusal == .malformedRequest)
        }
    }

    /// No relying party has checked a batch's challenges, so the verifier rejects empty ones, which prove no freshness.
    @Test func noChallengeIsNone() async throws {
        let (party, client) = try await registered()
        let key = try #require(party.store.key(client.keyID)?.key.appAttest)
        let request = SignedContent.request(method: "GET", path: "/", body: [])
        let item = AssertionToVerify(
            assertion: try client.device.generateAssertion(client.name, challenge: [], signed: request), challenge: [],
            signed: request, key: key, time: now)
        let verdict = try await party.verifier.verifyAssertions([item])[0]
        #expect(throws: PureAttestError.emptyChallenge) { try verdict.get() }
    }
}
