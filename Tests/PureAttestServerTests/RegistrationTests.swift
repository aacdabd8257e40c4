import PureAttest
import PureAttestServer
import Testing

@Suite struct RegistrationTests {
    @Test func storesTheKey() async throws {
        let party = relyingParty()
        let client = Client()
        let registration = try await client.register(with: party, account: AccountID("user"))
        #expect(registration.isNew && registration.record.key.counter == 0)
        #expect(registration.record.account == AccountID("user") && registration.record.registeredAt == now)
        #expect(!registration.record.unverifiedReceipt.isEmpty)
        #expect(party.store.key(client.keyID) == registration.record)
        // Nothing of the challenge is left.
        #expect(party.store.count == (0, 1, 0))
    }

    @Test func challengesAreRandomAndBound() async throws {
        let party = relyingParty { $0.removeLimits() }
        var values = Set<[UInt8]>()
        for _ in 0..<1_000 {
            let challenge = try await party.issueChallenge(
                purpose: .assertion, keyID: [UInt8](repeating: 1, count: 32), account: AccountID("a"), at: now)
            #expect(challenge.value.count == 32 && challenge.id.count == 16)
            #expect(challenge.expiresAt == time(60) && challenge.account == AccountID("a"))
            values.insert(challenge.value)
            values.insert(challenge.id)
        }
        #expect(values.count == 2_000)
    }

    @Test(arguments: [(Int64.min, 1), (0, 1), (1, 1), (300, 300), (301, 300), (.max, 300)] as [(Int64, Int64)])
    func lifetimesAreLimited(_ configured: Int64, _ effective: Int64) async throws {
        let party = relyingParty { $0.challengeLifetime = configured }
        let challenge = try await party.issueChallenge(
            purpose: .assertion, keyID: [UInt8](repeating: 1, count: 32), at: now)
        #expect(challenge.expiresAt == time(effective))
    }

    @Test func refusesAChallengeForSomethingElse() async throws {
        let party = relyingParty { $0.removeLimits() }
        let (client, other) = (Client(), Client(makeDevice(seed: 8)))
        func attempt(_ challenge: Challenge, account: AccountID?, at time: UnixTime) async -> Refusal? {
            await refusal {
                _ = try await party.register(
                    attestation: [], keyID: client.keyID, challengeID: challenge.id, account: account, at: time)
            }
        }
        let user = AccountID("user")
        let late = try await party.issueChallenge(purpose: .attestation, keyID: client.keyID, at: now)
        #expect(await attempt(late, account: nil, at: time(60)) == .challengeExpired)
        let assertion = try await party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        #expect(await attempt(assertion, account: nil, at: now) == .challengeOfOtherPurpose)
        let ofOther = try await party.issueChallenge(purpose: .attestation, keyID: other.keyID, at: now)
        #expect(await attempt(ofOther, account: nil, at: now) == .challengeOfOtherKey)
        for (issued, used) in [(user, nil), (nil, user), (user, AccountID("User"))] as [(AccountID?, AccountID?)] {
            let challenge = try await party.issueChallenge(
                purpose: .attestation, keyID: client.keyID, account: issued, at: now)
            #expect(await attempt(challenge, account: used, at: now) == .challengeOfOtherAccount)
        }
        // Each was spent by the attempt.
        #expect(party.store.count.challenges == 0)
        #expect(await attempt(late, account: nil, at: now) == .challengeNotFound)
    }

    @Test func spendsTheChallengeOfAFailedAttempt() async throws {
        let party = relyingParty()
        let client = Client()
        let challenge = try await party.issueChallenge(purpose: .attestation, keyID: client.keyID, at: now)
        let attestation = try client.attestation(challenge.value)
        var damaged = attestation
        damaged[attestation.count - 1] ^= 1
        let failed = await refusal {
            _ = try await party.register(
                attestation: damaged, keyID: client.keyID, challengeID: challenge.id, at: now)
        }
        guard case .verification = failed else {
            Issue.record("\(String(describing: failed))")
            return
        }
        let again = await refusal {
            _ = try await party.register(
                attestation: attestation, keyID: client.keyID, challengeID: challenge.id, at: now)
        }
        #expect(again == .challengeNotFound)
        #expect(party.store.key(client.keyID) == nil)
    }

    @Test func keepsTheCounterAndTheAccountOfAKnownKey() async throws {
        // A device attests a key once; the same device from the same seed stands in for one that could do it again.
        let party = relyingParty()
        let client = Client()
        try await client.register(with: party, account: AccountID("first"))
        for _ in 0..<3 { _ = try await client.authenticate(with: party) }
        let twin = Client()
        #expect(twin.keyID == client.keyID)
        let again = try await twin.register(with: party, account: AccountID("first"))
        #expect(!again.isNew && again.record.key.counter == 3)
        let stolen = await refusal { try await Client().register(with: party, account: AccountID("second")) }
        #expect(stolen == .keyOfOtherAccount)
        let anonymous = await refusal { try await Client().register(with: party) }
        #expect(anonymous == .keyOfOtherAccount)
        #expect(party.store.key(client.keyID)?.key.counter == 3)
        try await party.revoke(keyID: client.keyID, at: now)
        let revoked = await refusal { try await Client().register(with: party, account: AccountID("first")) }
        #expect(revoked == .revokedKey)
    }

    @Test func keepsOlderKeysOfAnAccount() async throws {
        let party = relyingParty()
        let device = makeDevice()
        let (old, new) = (Client(device), Client(device))
        try await old.register(with: party, account: AccountID("user"))
        try await new.register(with: party, account: AccountID("user"))
        #expect(try await old.authenticate(with: party).record.key.counter == 1)
        #expect(try await new.authenticate(with: party).record.key.counter == 1)
    }

    @Test(arguments: [Environment.production, .development])
    func environmentsNeverMix(_ environment: Environment) async throws {
        let other: Environment = environment == .production ? .development : .production
        let store = InMemoryStore()
        let party = relyingParty(store: store, verifier: verifier(environment))
        let otherParty = relyingParty(store: store, verifier: verifier(other))
        let client = Client(makeDevice(environment))
        #expect(
            await refusal { try await client.register(with: otherParty) }
                == .verification(.environmentMismatch(environment)))
        let again = Client(client.device)
        try await again.register(with: party)
        #expect(
            await refusal { _ = try await again.authenticate(with: otherParty) }
                == .verification(.keyOfOtherEnvironment(environment)))
        // The second key of a device with the same seed is the same key: the stored one stays what it is.
        let twin = Client(Client(makeDevice(other)).device)
        #expect(twin.keyID == again.keyID)
        #expect(
            await refusal { try await twin.register(with: otherParty) }
                == .verification(.keyOfOtherEnvironment(environment)))
        #expect(store.key(twin.keyID)?.key.environment == environment)
        let session = party.session(from: try await again.authenticate(with: party))
        #expect(
            await refusal { _ = try await otherParty.verifySession(session.token, at: now) }
                == .tokenOfOtherEnvironment(environment))
    }

    @Test func refusesOversizedInputUnread() async throws {
        let party = relyingParty()
        let keyID = [UInt8](repeating: 1, count: 32)
        let challenge = try await party.issueChallenge(purpose: .attestation, keyID: keyID, at: now)
        for (attestation, keyID, id) in [
            (65_537, 32, challenge.id), (1, 31, challenge.id), (1, 33, challenge.id), (1, 32, challenge.id + [0]),
            (1, 32, []),
        ] {
            #expect(
                await refusal {
                    _ = try await party.register(
                        attestation: [UInt8](repeating: 0, count: attestation),
                        keyID: [UInt8](repeating: 1, count: keyID), challengeID: id, at: now)
                } == .malformedRequest)
        }
        // None of these touched the store.
        #expect(party.store.count.challenges == 1)
        #expect(
            await refusal { _ = try await party.issueChallenge(purpose: .assertion, keyID: [1], at: now) }
                == .malformedRequest)
    }
}

/// The refusal that `body` throws; `nil` if it returns.
func refusal(_ body: () async throws -> Void) async -> Refusal? {
    do {
        try await body()
        return nil
    } catch let error as AttestServerError<InMemoryStoreFull> {
        guard case .refused(let refusal) = error else {
            Issue.record("\(error)")
            return nil
        }
        return refusal
    } catch {
        Issue.record("\(error)")
        return nil
    }
}
