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
        #expect(!registration.record.receipt.isEmpty)
        #expect(party.store.key(client.keyID) == registration.record)
        #expect(registration.record.receiptDueAt == now && registration.record.lastUsedAt == nil)
        #expect(party.store.count == (1, 1))
    }

    /// A failed attempt writes nothing, so the client can repeat the registration.
    @Test func consumesTheChallengeOnSuccess() async throws {
        let party = relyingParty()
        let client = Client()
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: client.keyID, at: now)
        let attestation = try client.attestation(challenge.value)
        var damaged = attestation
        damaged[attestation.count - 1] ^= 1
        func attempt(_ attestation: [UInt8]) async -> Refusal? {
            await client.refusal(ofAttestation: attestation, challenge.value, by: party)
        }
        guard case .verification = await attempt(damaged) else {
            Issue.record("a damaged attestation was accepted")
            return
        }
        #expect(party.store.count == (0, 0))
        #expect(await attempt(attestation) == nil)
        #expect(party.store.count == (1, 1))
        #expect(await attempt(attestation) == .challengeConsumed)
    }

    @Test func ofManyWithOneChallengeOneRegisters() async throws {
        let party = relyingParty()
        let client = Client()
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: client.keyID, at: now)
        let attestation = try client.attestation(challenge.value)
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for _ in 0..<16 {
                group.addTask { await client.refusal(ofAttestation: attestation, challenge.value, by: party) }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == nil }.count == 1)
        #expect(outcomes.filter { $0 == .challengeConsumed }.count == 15)
    }

    @Test func keepsTheCounterAndTheAccountOfAKnownKey() async throws {
        // A device attests a key only once, so a second device with the same seed repeats the registration.
        let party = relyingParty()
        let client = Client()
        try await client.register(with: party, account: AccountID("first"))
        for _ in 0..<3 { _ = try await client.authenticate(with: party) }
        let twin = Client()
        #expect(twin.keyID == client.keyID)
        let again = try await twin.register(with: party, account: AccountID("first"))
        #expect(!again.isNew && again.record.key.counter == 3)
        let stolen = await rejection { try await Client().register(with: party, account: AccountID("second")) }
        #expect(stolen == .keyOfOtherAccount)
        let anonymous = await rejection { try await Client().register(with: party) }
        #expect(anonymous == .keyOfOtherAccount)
        #expect(party.store.key(client.keyID)?.key.counter == 3)
        try await party.revoke(keyID: client.keyID, at: now)
        let revoked = await rejection { try await Client().register(with: party, account: AccountID("first")) }
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
            await rejection { try await client.register(with: otherParty) }
                == .verification(.environmentMismatch(environment)))
        let again = Client(client.device)
        try await again.register(with: party)
        #expect(
            await rejection { _ = try await again.authenticate(with: otherParty) }
                == .verification(.keyOfOtherEnvironment(environment)))
        // The same seed produces the same key, whose stored record stays unchanged.
        let twin = Client(Client(makeDevice(other)).device)
        #expect(twin.keyID == again.keyID)
        #expect(
            await rejection { try await twin.register(with: otherParty) } == .keyOfOtherEnvironment(environment))
        #expect(store.key(twin.keyID)?.key.appAttest?.environment == environment)
        let session = party.session(from: try await again.authenticate(with: party))
        #expect(
            await rejection { _ = try await otherParty.verifySession(session.token, at: now) }
                == .tokenOfOtherEnvironment(environment))
    }

    @Test func rejectsOversizedInputUnread() async throws {
        let party = relyingParty()
        let keyID = [UInt8](repeating: 1, count: 32)
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: keyID, at: now).value
        for (attestation, keyID, challenge) in [
            (65_537, 32, challenge), (1, 31, challenge), (1, 33, challenge), (1, 32, challenge + [0]),
            (1, 32, Array(challenge.dropLast())), (1, 32, []),
        ] {
            #expect(
                await rejection {
                    _ = try await party.register(
                        attestation: [UInt8](repeating: 0, count: attestation),
                        keyID: [UInt8](repeating: 1, count: keyID), challenge: challenge, at: now)
                } == .malformedRequest)
        }
        #expect(
            await rejection { _ = try party.issueChallenge(purpose: .assertion, keyID: [1], at: now) }
                == .malformedRequest)
    }
}

func rejection(_ body: () async throws -> Void) async -> Refusal? {
    do {
        try await body()
        return nil
    } catch let error as AttestServerError<InMemoryStoreFull> {
        guard case .refused(let refusal) = error else {
            Issue.record("\(error)")
            return nil
        }
        return refusal
    } catch let refusal as Refusal {
        return refusal
    } catch {
        Issue.record("\(error)")
        return nil
    }
}
