import PureAttest
import PureAttestServer
import PureAttestTesting
import PureSHA2
import Testing

@testable import PureAttestServerCore

@Suite struct AuthenticationTests {
    @Test func advancesTheCounter() async throws {
        let (party, client) = try await registered()
        for counter in 1...5 as ClosedRange<UInt32> {
            let authentication = try await client.authenticate(with: party)
            #expect(authentication.signature.counter == counter && authentication.record.key.counter == counter)
            #expect(party.store.key(client.keyID) == authentication.record)
        }
        #expect(party.store.count == (keys: 1, consumed: 6))
    }

    @Test func tiesTheChallengeToTheSignedBytes() async throws {
        let (party, client) = try await registered { $0.removeLimits() }
        func attempt(_ clientData: (Challenge) -> [UInt8], _ signed: ([UInt8]) -> SignedContent) async -> Refusal? {
            await rejection {
                let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
                let clientData = clientData(challenge)
                _ = try await party.authenticate(
                    assertion: client.assertion(clientData), keyID: client.keyID, challenge: challenge.value,
                    signed: signed(clientData), at: now)
            }
        }
        let request = Array(" transfer 5 to Bob".utf8)
        // A client-defined format: the challenge bytes, followed by the request.
        func own(_ clientData: [UInt8]) -> SignedContent {
            .clientData(clientData) { signed in
                signed.count >= ChallengeFormat.byteCount ? [UInt8](signed.prefix(ChallengeFormat.byteCount)) : nil
            }
        }
        #expect(await attempt({ $0.value + request }, own) == nil)
        #expect(await attempt({ $0.value }, { _ in .challenge }) == nil)
        #expect(await attempt({ $0.value }, own) == nil)
        // The signature is genuine, but covers different bytes, or bytes that do not contain this challenge.
        #expect(await attempt({ $0.value + request }, { _ in .challenge }) == .verification(.invalidSignature))
        #expect(
            await attempt({ $0.value.reversed() + request }, own) == .verification(.challengeMismatch))
        #expect(await attempt({ _ in request }, own) == .verification(.challengeNotFound))
        #expect(
            await attempt({ _ in request }, { .clientData($0) { _ in nil } }) == .verification(.challengeNotFound))
        #expect(await attempt({ $0.value + request }, { own($0 + [0]) }) == .verification(.invalidSignature))
        #expect(await attempt({ _ in [UInt8](repeating: 0, count: 65_537) }, own) == .malformedRequest)
    }

    /// A key that must be attested again gets the same answer as an unknown key.
    @Test func rejectsKeysThatAreTooOld() async throws {
        let verifier = AppAttestVerifier(
            acceptedApps: [AcceptedApp(app, launchPolicy: .reportOnly, agePolicy: AgePolicy(maximumKeyAge: 86_400))],
            environment: .production
        ).trustingTestDevices(of: authority)
        let (party, client) = try await registered(verifier: verifier)
        _ = try await client.authenticate(with: party, at: time(86_400))
        let refusal = await rejection { _ = try await client.authenticate(with: party, at: time(86_401)) }
        #expect(refusal == .verification(.keyTooOld(attestedAt: now, at: time(86_401))))
        #expect(refusal?.answer(.precise).code == .unknownKey && refusal?.answer(.uniform).code == .refused)
    }

    @Test(arguments: [CounterPolicy.strict, .slidingWindow])
    func rejectsReplays(_ policy: CounterPolicy) async throws {
        let (party, client) = try await registered(verifier: verifier(counterPolicy: policy))
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        let assertion = try client.assertion(challenge.value)
        func replay(_ assertion: [UInt8], _ challenge: Challenge, at moment: UnixTime = now) async -> Refusal? {
            await client.refusal(of: assertion, challenge.value, by: party, at: moment)
        }
        #expect(await replay(assertion, challenge) == nil)
        #expect(await replay(assertion, challenge) == .challengeConsumed)
        #expect(await replay(try client.assertion(challenge.value), challenge) == .challengeConsumed)
        #expect(party.store.key(client.keyID)?.key.counter == 1)
        // The same assertion is invalid under a new challenge.
        let next = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        #expect(await replay(assertion, next) == .verification(.invalidSignature))
        // Consumed challenges are stored until they have expired on every clock.
        party.store.removeExpired(at: time(59 + RelyingPartyConfiguration.clockMargin))
        #expect(await replay(assertion, challenge, at: time(59)) == .challengeConsumed)
        party.store.removeExpired(at: time(60 + RelyingPartyConfiguration.clockMargin))
        #expect(party.store.count.consumed == 0)
        #expect(await replay(assertion, challenge, at: time(60)) == .challengeExpired)
        // If the store has lost its consumed challenges, the counter check still rejects the replay.
        let refused = await replay(assertion, challenge)
        #expect(
            policy == .strict
                ? refused == .verification(.counterNotIncreased(previous: 1, received: 1))
                : refused == .verification(.counterReplayed(1)))
    }

    @Test func failedAttemptsWriteNothing() async throws {
        let (party, client) = try await registered()
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        let assertion = try client.assertion(challenge.value)
        let before = party.store.count
        for index in assertion.indices {
            var damaged = assertion
            damaged[index] ^= 1
            #expect(await client.refusal(of: damaged, challenge.value, by: party) != nil)
        }
        #expect(party.store.count == before)
        _ = try await party.authenticate(
            assertion: assertion, keyID: client.keyID, challenge: challenge.value, at: time(7))
        #expect(party.store.key(client.keyID)?.lastUsedAt == time(7))
    }

    @Test func tellsUnknownFromRevoked() async throws {
        for policy in [AnswerPolicy.precise, .uniform] {
            let party = relyingParty { $0.answerPolicy = policy }
            let client = Client()
            let challenge = try party.issueChallenge(purpose: .attestation, keyID: client.keyID, at: now)
            _ = try client.attestation(challenge.value)  // the device now considers itself registered
            #expect(await rejection { _ = try await client.authenticate(with: party) } == .unknownKey)
            let other = Client(client.device)
            try await other.register(with: party)
            try await party.revoke(keyID: other.keyID, at: now)
            #expect(await rejection { _ = try await other.authenticate(with: party) } == .revokedKey)
        }
    }

    @Test func accountsAreTheKeys() async throws {
        let party = relyingParty()
        let client = Client()
        try await client.register(with: party, account: AccountID("user"))
        #expect(try await client.authenticate(with: party).record.account == AccountID("user"))
        #expect(try await client.authenticate(with: party, account: AccountID("user")).record.key.counter == 2)
        let other = await rejection { _ = try await client.authenticate(with: party, account: AccountID("other")) }
        #expect(other == .keyOfOtherAccount)
        // The account in the call must equal the account in the challenge, and then also the account of the key.
        let challenge = try party.issueChallenge(
            purpose: .assertion, keyID: client.keyID, account: AccountID("other"), at: now)
        for (account, expected) in [
            (nil, .challengeOfOtherAccount), (AccountID("user"), .challengeOfOtherAccount),
            (AccountID("other"), .keyOfOtherAccount),
        ] as [(AccountID?, Refusal)] {
            let assertion = try client.assertion(challenge.value)
            #expect(await client.refusal(of: assertion, challenge.value, by: party, account: account) == expected)
        }
    }

    @Test func ofManyWithOneChallengeOneWins() async throws {
        for _ in 0..<4 {
            let (party, client) = try await registered()
            let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
            let assertion = try client.assertion(challenge.value)
            let outcomes = await withTaskGroup(of: Refusal?.self) { group in
                for _ in 0..<32 {
                    group.addTask { await client.refusal(of: assertion, challenge.value, by: party) }
                }
                return await group.reduce(into: [Refusal?]()) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == nil }.count == 1)
            #expect(outcomes.filter { $0 == .challengeConsumed }.count == 31)
        }
    }

    /// The requests arrive concurrently. Each is accepted at most once, and the sliding window accepts all of them.
    @Test(arguments: [CounterPolicy.strict, .slidingWindow])
    func parallelAssertions(_ policy: CounterPolicy) async throws {
        let (party, client) = try await registered(verifier: verifier(counterPolicy: policy)) { $0.removeLimits() }
        var requests: [(challenge: Challenge, assertion: [UInt8])] = []
        for _ in 0..<48 {
            let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
            requests.append((challenge, try client.assertion(challenge.value)))
        }
        let counters = await withTaskGroup(of: UInt32?.self) { group in
            for request in requests.shuffled() {
                group.addTask {
                    try? await party.authenticate(
                        assertion: request.assertion, keyID: client.keyID, challenge: request.challenge.value, at: now
                    ).signature.counter
                }
            }
            return await group.reduce(into: [UInt32]()) { if let counter = $1 { $0.append(counter) } }
        }
        #expect(Set(counters).count == counters.count)
        // The assertion with the greatest counter is accepted, whatever the order of arrival.
        #expect(counters.contains(48) && party.store.key(client.keyID)?.key.counter == 48)
        if policy == .slidingWindow { #expect(counters.count == 48) }
    }

    /// The challenge is consumed and the counter is advanced if, and only if, the task reports success.
    @Test func cancellationLeavesAllOrNothing() async throws {
        let (party, client) = try await registered { $0.removeLimits() }
        for _ in 0..<50 {
            let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
            let assertion = try client.assertion(challenge.value)
            let task = Task {
                try await party.authenticate(
                    assertion: assertion, keyID: client.keyID, challenge: challenge.value, at: now)
            }
            task.cancel()
            let before = party.store.count.consumed
            let counter = try? await task.value.record.key.counter
            if let counter {
                #expect(party.store.key(client.keyID)?.key.counter == counter)
            } else {
                #expect(party.store.count.consumed == before)
            }
        }
    }
}
