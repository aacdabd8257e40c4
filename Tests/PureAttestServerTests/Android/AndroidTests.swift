import PureAttest
import PureKeyAttestation
import PureKeyAttestationTesting
import PureSHA2
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

/// Android and App Attest keys share a store and a session type, but no key passes as a key of the other platform.
@Suite struct AndroidTests {
    @Test func registersAndAuthenticates() async throws {
        let party = relyingParty(android: androidKeys())
        let client = AndroidClient()
        let registration = try await client.register(with: party, account: AccountID("user"))
        #expect(registration.isNew && registration.record.account == AccountID("user"))
        #expect(registration.record.receipt == [] && registration.record.receiptDueAt == nil)
        let der = try #require(registration.record.key.android).publicKey.derRepresentation
        #expect(client.keyID == [UInt8](SHA256.hash(data: der)) && registration.record.key.counter == nil)
        for second in 1...3 as ClosedRange<Int64> {
            let authentication = try await client.authenticate(
                with: party, account: AccountID("user"), at: time(second))
            #expect(authentication.record.lastUsedAt == time(second))
            #expect(party.store.key(client.keyID) == authentication.record)
        }
        #expect(try await party.keys(of: AccountID("user")).map(\.key.keyID) == [client.keyID])
        // Android keys have no receipt, so `claimDueReceipts` never returns them.
        #expect(try await party.claimDueReceipts(limit: 10, at: time(1_000_000)).isEmpty)
    }

    /// Android keys have no counter, so consuming each challenge prevents replay.
    @Test func aSignatureCountsOnce() async throws {
        let (party, client) = try await registeredAndroid()
        let challenge = try client.challenge(from: party)
        let signature = try #require(client.key).sign(challenge)
        func send() async throws {
            _ = try await party.authenticate(
                signature: signature, keyID: client.keyID, challenge: challenge, at: now)
        }
        try await send()
        #expect(await rejection { try await send() } == .challengeConsumed)
        let first = try party.issueChallenge(purpose: .attestation, keyID: client.handle, at: now).value
        let chain = client.device.generateKey(attestationChallenge: first).certificateChain
        func register() async throws -> Registration<VerifiedKeyAttestation> {
            try await party.register(keyAttestation: chain, handle: client.handle, challenge: first, at: now)
        }
        #expect(try await register().isNew)
        #expect(await rejection { _ = try await register() } == .challengeConsumed)
    }

    @Test func manyAtATimeCountOnce() async throws {
        let (party, client) = try await registeredAndroid { $0.removeLimits() }
        let challenge = try client.challenge(from: party)
        let (signature, keyID) = (try #require(client.key).sign(challenge), client.keyID)
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    (try? await party.authenticate(
                        signature: signature, keyID: keyID, challenge: challenge, at: now)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == 1)
    }

    /// On both platforms, each challenge is for one purpose and for one key or handle.
    @Test func challengesAreForOnePurpose() async throws {
        let party = relyingParty(android: androidKeys())
        let android = AndroidClient(), apple = Client()
        try await android.register(with: party)
        try await apple.register(with: party)
        func challenge(_ purpose: Challenge.Purpose, _ name: [UInt8]) throws -> [UInt8] {
            try party.issueChallenge(purpose: purpose, keyID: name, at: now).value
        }
        let toSign = try challenge(.assertion, android.handle)
        let chain = android.device.generateKey(attestationChallenge: toSign).certificateChain
        #expect(await android.refusal(of: chain, toSign, by: party) == .challengeOfOtherPurpose)
        let toAttest = try challenge(.attestation, android.keyID)
        let key = try #require(android.key)
        #expect(await android.refusal(of: key.sign(toAttest), toAttest, by: party) == .challengeOfOtherPurpose)
        let toAttestApple = try challenge(.attestation, apple.keyID)
        let assertion = try apple.assertion(toAttestApple)
        #expect(await apple.refusal(of: assertion, toAttestApple, by: party) == .challengeOfOtherPurpose)
        let fresh = Client(makeDevice(seed: 99))
        let toSignFresh = try challenge(.assertion, fresh.keyID)
        let ofFresh = try fresh.attestation(toSignFresh)
        #expect(await fresh.refusal(ofAttestation: ofFresh, toSignFresh, by: party) == .challengeOfOtherPurpose)
        // The platforms use the same challenge purposes, so only the key or handle distinguishes their challenges.
        let forHandle = try challenge(.attestation, android.handle)
        let other = Client(makeDevice(seed: 98))
        let ofOther = try other.attestation(forHandle)
        #expect(await other.refusal(ofAttestation: ofOther, forHandle, by: party) == .challengeOfOtherKey)
        let forApple = try challenge(.assertion, apple.keyID)
        #expect(await android.refusal(of: key.sign(forApple), forApple, by: party) == .challengeOfOtherKey)
        #expect(ChallengeFormat.byteCount <= 128)
    }

    /// If a handle equals an App Attest key identifier, the platform that registers first consumes the challenge.
    @Test func oneChallengeRegistersOneKey() async throws {
        let party = relyingParty(android: androidKeys())
        let apple = Client()
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: apple.keyID, at: now).value
        let chain = AndroidClient().device.generateKey(attestationChallenge: challenge).certificateChain
        let attestation = try apple.attestation(challenge)
        _ = try await party.register(keyAttestation: chain, handle: apple.keyID, challenge: challenge, at: now)
        #expect(await apple.refusal(ofAttestation: attestation, challenge, by: party) == .challengeConsumed)
    }

    /// The calls for one platform treat a key of the other platform as unknown, whatever the key signs.
    @Test(arguments: [AnswerPolicy.precise, .uniform])
    func platformsDoNotMix(_ answers: AnswerPolicy) async throws {
        let party = relyingParty(android: androidKeys()) { $0.answerPolicy = answers }
        let android = AndroidClient(), apple = Client()
        try await android.register(with: party)
        try await apple.register(with: party)
        let forAndroid = try party.issueChallenge(purpose: .assertion, keyID: android.keyID, at: now).value
        #expect(
            await rejection {
                _ = try await party.authenticate(
                    assertion: apple.assertion(forAndroid), keyID: android.keyID, challenge: forAndroid, at: now)
            } == .unknownKey)
        let forApple = try party.issueChallenge(purpose: .assertion, keyID: apple.keyID, at: now).value
        #expect(
            await rejection {
                _ = try await party.authenticate(
                    signature: android.key?.sign(forApple) ?? [], keyID: apple.keyID, challenge: forApple, at: now)
            } == .unknownKey)
    }

    @Test func handlesAndAccountsBind() async throws {
        let party = relyingParty(android: androidKeys())
        let client = AndroidClient()
        let challenge = try party.issueChallenge(
            purpose: .attestation, keyID: client.handle, account: AccountID("user"), at: now
        ).value
        let chain = client.device.generateKey(attestationChallenge: challenge).certificateChain
        func register(_ handle: [UInt8], _ account: String?) async throws {
            _ = try await party.register(
                keyAttestation: chain, handle: handle, challenge: challenge, account: account.map { AccountID($0) },
                at: now)
        }
        let other = [UInt8](repeating: 8, count: 32)
        #expect(await rejection { try await register(other, "user") } == .challengeOfOtherKey)
        #expect(await rejection { try await register(client.handle, "other") } == .challengeOfOtherAccount)
        #expect(await rejection { try await register(client.handle, nil) } == .challengeOfOtherAccount)
        #expect(await rejection { try await register([7], "user") } == .malformedRequest)
        try await register(client.handle, "user")
    }

    @Test func rejectsInvalidChainsAndSignatures() async throws {
        let party = relyingParty(android: androidKeys())
        let client = AndroidClient()
        // The certificate chain names a different app, or contains a different challenge.
        let other = AndroidClient(app: AndroidApp(packageName: "com.example.other", signingDigests: [[1]]))
        #expect(
            await rejection { try await other.register(with: party) } == .keyAttestation(.packageNotAllowed))
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: client.handle, at: now).value
        let chain = client.device.generateKey(attestationChallenge: [1]).certificateChain
        #expect(await client.refusal(of: chain, challenge, by: party) == .keyAttestation(.challengeMismatch))
        #expect(await client.refusal(of: chain + chain, challenge, by: party) == .malformedRequest)
        try await client.register(with: party)
        let next = try client.challenge(from: party)
        for signature in [[], [UInt8](repeating: 0, count: 513), try #require(client.key).sign([1])] {
            let refused = await client.refusal(of: signature, next, by: party)
            #expect(refused == (signature.count > 512 ? .malformedRequest : .keyAttestation(.invalidKeySignature)))
        }
    }

    /// Without a current revocation list, no key can be registered, but registered keys still authenticate.
    @Test func wantsARevocationList() async throws {
        let client = AndroidClient()
        let store = InMemoryStore()
        let current = CurrentRevocationList(maximumAge: 100)
        let party = relyingParty(
            store: store,
            android: AndroidVerification(
                verifier: .trustingTestDevices(of: androidAuthority, apps: [androidApp]), revocationList: current))
        #expect(await rejection { try await client.register(with: party) } == .revocationListMissing)
        #expect(Refusal.revocationListMissing.answer(.uniform).status == 503)
        try current.update(json: Array(#"{"entries":{}}"#.utf8), fetchedAt: now)
        // A list that arrives late and is older than the current list is ignored.
        try current.update(json: Array(#"{"entries":{"707":{"status":"REVOKED"}}}"#.utf8), fetchedAt: time(-1))
        #expect(throws: KeyAttestationError.self) { try current.update(json: [0x7B], fetchedAt: time(5)) }
        try await client.register(with: party, at: time(100))
        #expect(await rejection { try await client.register(with: party, at: time(101)) } == .revocationListMissing)
        try await client.authenticate(with: party, at: time(101))
        // Revokes the certificate of the device.
        try current.update(json: Array(#"{"entries":{"107":{"status":"REVOKED"}}}"#.utf8), fetchedAt: time(101))
        #expect(
            await rejection { try await client.register(with: party, at: time(102)) }
                == .keyAttestation(.revoked(certificate: 1)))
    }

    @Test func revokedKeysAreRejected() async throws {
        let (party, client) = try await registeredAndroid()
        let session = party.session(from: try await client.authenticate(with: party))
        _ = try await party.verifySession(session.token, at: now)
        try await party.revoke(keyID: client.keyID, at: now)
        #expect(await rejection { try await client.authenticate(with: party) } == .revokedKey)
        #expect(await rejection { _ = try await party.verifySession(session.token, at: now) } == .deniedToken)
    }
}
