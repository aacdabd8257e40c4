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
        let party = relyingParty(android: androidKeys())
        let client = AndroidClient()
        try await client.register(with: party)
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
        let party = relyingParty(android: androidKeys()) { $0.removeLimits() }
        let client = AndroidClient()
        try await client.register(with: party)
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
        #expect(
            await rejection {
                _ = try await party.register(
                    keyAttestation: chain, handle: android.handle, challenge: toSign, at: now)
            } == .challengeOfOtherPurpose)
        let toAttest = try challenge(.attestation, android.keyID)
        #expect(
            await rejection {
                _ = try await party.authenticate(
                    signature: android.key?.sign(toAttest) ?? [], keyID: android.keyID, challenge: toAttest, at: now)
            } == .challengeOfOtherPurpose)
        let toAttestApple = try challenge(.attestation, apple.keyID)
        #expect(
            await rejection {
                _ = try await party.authenticate(
                    assertion: apple.assertion(toAttestApple), keyID: apple.keyID, challenge: toAttestApple, at: now)
            } == .challengeOfOtherPurpose)
        let fresh = Client(makeDevice(seed: 99))
        let toSignFresh = try challenge(.assertion, fresh.keyID)
        #expect(
            await rejection {
                _ = try await party.register(
                    attestation: fresh.attestation(toSignFresh), keyID: fresh.keyID, challenge: toSignFresh, at: now)
            } == .challengeOfOtherPurpose)
        // The platforms use the same challenge purposes, so only the key or handle distinguishes their challenges.
        let forHandle = try challenge(.attestation, android.handle)
        let other = Client(makeDevice(seed: 98))
        #expect(
            await rejection {
                _ = try await party.register(
                    attestation: other.attestation(forHandle), keyID: other.keyID, challenge: forHandle, at: now)
            } == .challengeOfOtherKey)
        let forApple = try challenge(.assertion, apple.keyID)
        #expect(
            await rejection {
                _ = try await party.authenticate(
                    signature: android.key?.sign(forApple) ?? [], keyID: android.keyID, challenge: forApple, at: now)
            } == .challengeOfOtherKey)
        #expect(Challenge.valueByteCount <= 128)
    }

    /// If a handle equals an App Attest key identifier, the platform that registers first consumes the challenge.
    @Test func oneChallengeRegistersOneKey() async throws {
        let party = relyingParty(android: androidKeys())
        let apple = Client()
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: apple.keyID, at: now).value
        let chain = AndroidClient().device.generateKey(attestationChallenge: challenge).certificateChain
        let attestation = try apple.attestation(challenge)
        _ = try await party.register(keyAttestation: chain, handle: apple.keyID, challenge: challenge, at: now)
        #expect(
            await rejection {
                _ = try await party.register(
                    attestation: attestation, keyID: apple.keyID, challenge: challenge, at: now)
            } == .challengeConsumed)
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
        #expect(
            await rejection {
                _ = try await party.register(
                    keyAttestation: chain, handle: client.handle, challenge: challenge, at: now)
            } == .keyAttestation(.challengeMismatch))
        #expect(
            await rejection {
                _ = try await party.register(
                    keyAttestation: chain + chain, handle: client.handle, challenge: challenge, at: now)
            } == .malformedRequest)
        try await client.register(with: party)
        let next = try client.challenge(from: party)
        for signature in [[], [UInt8](repeating: 0, count: 513), try #require(client.key).sign([1])] {
            let refused = await rejection {
                _ = try await party.authenticate(
                    signature: signature, keyID: client.keyID, challenge: next, at: now)
            }
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
        let party = relyingParty(android: androidKeys())
        let client = AndroidClient()
        try await client.register(with: party)
        let session = party.session(from: try await client.authenticate(with: party))
        _ = try await party.verifySession(session.token, at: now)
        try await party.revoke(keyID: client.keyID, at: now)
        #expect(await rejection { try await client.authenticate(with: party) } == .revokedKey)
        #expect(await rejection { _ = try await party.verifySession(session.token, at: now) } == .deniedToken)
    }

    @Test func keysStayWithTheirAccounts() async throws {
        let party = relyingParty(android: androidKeys())
        let client = AndroidClient()
        try await client.register(with: party, account: AccountID("user"))
        #expect(
            await rejection { try await client.authenticate(with: party, account: AccountID("other")) }
                == .keyOfOtherAccount)
        #expect(try await client.authenticate(with: party).record.account == AccountID("user"))
    }

    @Test(arguments: [SecurityLevel.trustedEnvironment, .strongBox])
    func sessionsSayWhoVouched(_ level: SecurityLevel) async throws {
        let party = relyingParty(android: androidKeys())
        let client = AndroidClient(level: level)
        let registration = try await client.register(with: party, account: AccountID("user"))
        for issued in [
            party.session(from: registration),
            party.session(from: try await client.authenticate(with: party, account: AccountID("user"))),
        ] {
            let session = try await party.verifySession(issued.token, at: now)
            #expect(session.platform == .android(level) && session.environment == nil)
            #expect(session.keyID == client.keyID && session.account == AccountID("user"))
            #expect(session.bundleVersion == nil && session.validationCategory == nil)
            // The token is rejected by parties without Android or without this app, and as an unattested token.
            let without = relyingParty(store: party.store)
            #expect(
                await rejection { _ = try await without.verifySession(issued.token, at: now) } == .androidNotAccepted)
            let other = AndroidApp(packageName: "com.example.other", signingDigests: androidApp.signingDigests)
            let ofOther = relyingParty(store: party.store, android: androidKeys(apps: [other]))
            #expect(
                await rejection { _ = try await ofOther.verifySession(issued.token, at: now) } == .tokenOfOtherAudience)
            #expect(
                await rejection { _ = try party.verifyUnattestedSession(issued.token, at: now) } == .invalidToken)
            let strict = relyingParty(
                store: party.store,
                android: androidKeys(policy: KeyAttestationPolicy(minimumSecurityLevel: .strongBox)))
            let refused = await rejection { _ = try await strict.verifySession(issued.token, at: now) }
            #expect(
                refused
                    == (level == .strongBox ? nil : .keyAttestation(.securityLevelNotAllowed(.trustedEnvironment))))
        }
    }

    @Test func applesSessionsStay() async throws {
        let (party, client) = try await registered()
        let session = party.session(from: try await client.authenticate(with: party))
        let both = relyingParty(store: party.store, android: androidKeys())
        #expect(try await both.verifySession(session.token, at: now).platform == .appAttest(.production))
    }

    @Test func challengesAreForOneSetOfApps() async throws {
        let other = AndroidApp(packageName: "com.example.other", signingDigests: androidApp.signingDigests)
        let parties = [
            relyingParty(), relyingParty(android: androidKeys()), relyingParty(android: androidKeys(apps: [other])),
            relyingParty(android: androidKeys(apps: [])),
            relyingParty(android: androidKeys(apps: [androidApp, other])),
        ]
        let keyID = [UInt8](repeating: 3, count: 32)
        for (i, issuing) in parties.enumerated() {
            let value = try issuing.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
            for (j, opening) in parties.enumerated() {
                let refused = await rejection {
                    _ = try await opening.authenticate(
                        assertion: [], keyID: keyID, challenge: value, at: now)
                }
                #expect(refused == (i == j ? .unknownKey : .challengeNotIssued))
            }
        }
        let same = relyingParty(android: androidKeys(apps: [other, androidApp]))
        let value = try parties[4].issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
        #expect(
            await rejection {
                _ = try await same.authenticate(assertion: [], keyID: keyID, challenge: value, at: now)
            } == .unknownKey)
    }

    @Test func withoutAndroidNothingOfItWorks() async throws {
        let party = relyingParty()
        let client = AndroidClient()
        #expect(
            await rejection {
                _ = try await party.register(keyAttestation: [], handle: client.handle, challenge: [], at: now)
            } == .androidNotAccepted)
        #expect(
            await rejection {
                _ = try await party.authenticate(signature: [], keyID: client.keyID, challenge: [], at: now)
            } == .androidNotAccepted)
    }

    @Test func signsRequests() async throws {
        let party = relyingParty(android: androidKeys())
        let client = AndroidClient()
        try await client.register(with: party)
        let challenge = try client.challenge(from: party)
        let signed = SignedContent.request(method: "POST", path: "/pay", body: [1, 2])
        let bytes = signed.clientData(challenge: challenge, keyID: client.keyID)
        let signature = try #require(client.key).sign(bytes)
        #expect(
            await rejection {
                _ = try await party.authenticate(
                    signature: signature, keyID: client.keyID, challenge: challenge,
                    signed: .request(method: "POST", path: "/pay", body: [1, 3]), at: now)
            } == .keyAttestation(.invalidKeySignature))
        let authentication = try await party.authenticate(
            signature: signature, keyID: client.keyID, challenge: challenge, signed: signed, at: now)
        #expect(Array(authentication.signature.clientData) == bytes)

        let next = try client.challenge(from: party)
        let own = Array("{".utf8) + next + Array("}".utf8)
        let ownSignature = try #require(client.key).sign(own)
        func send(_ find: @escaping @Sendable (ArraySlice<UInt8>) -> [UInt8]?) async throws {
            _ = try await party.authenticate(
                signature: ownSignature, keyID: client.keyID, challenge: next,
                signed: .clientData(own, challengeBy: find), at: now)
        }
        #expect(await rejection { try await send { _ in nil } } == .keyAttestation(.challengeNotFound))
        #expect(await rejection { try await send { _ in [1] } } == .keyAttestation(.signedChallengeMismatch))
        try await send { Array($0.dropFirst().dropLast()) }
    }

    /// Under uniform answers, a request with an unknown key costs a signature verification and counts as a failure.
    @Test func unknownKeysLookLikeOthers() async throws {
        let party = relyingParty(android: androidKeys()) {
            $0.answerPolicy = .uniform
            $0.limits.failuresPerAccount = RateLimit(burst: 2, perMinute: 1)
        }
        let keyID = [UInt8](repeating: 1, count: 32)
        for attempt in 0..<3 {
            let challenge = try party.issueChallenge(
                purpose: .assertion, keyID: keyID, account: AccountID("user"), at: now
            ).value
            let refused = await rejection {
                _ = try await party.authenticate(
                    signature: [1], keyID: keyID, challenge: challenge, account: AccountID("user"), at: now)
            }
            #expect(attempt < 2 ? refused == .unknownKey : refused != .unknownKey)
        }
    }

    @Test func enrolmentIsPaced() async throws {
        let party = relyingParty(android: androidKeys()) {
            $0.limits.enrolmentsPerAccount = RateLimit(burst: 1, perMinute: 1)
        }
        func ask() throws {
            _ = try party.issueChallenge(
                purpose: .attestation, keyID: [UInt8](repeating: 2, count: 32), account: AccountID("user"), at: now)
        }
        try ask()
        #expect(await rejection { try ask() } == .rateLimited(retryAfter: 60))
    }

    @Test func budgetsAreEnforced() async throws {
        let party = relyingParty(android: androidKeys()) { $0.budget = Budget(days: 1, requests: 1, units: 10) }
        let client = AndroidClient()
        try await client.register(with: party)
        let authentication = try await client.authenticate(with: party)
        _ = try await party.spendBudget(5, by: authentication, at: now)
        await #expect(throws: (any Error).self) { _ = try await party.spendBudget(5, by: authentication, at: now) }
    }

    /// The first byte of a record names its platform. Truncated records and later versions are rejected.
    @Test func recordsAreOfOnePlatform() async throws {
        let party = relyingParty(android: androidKeys())
        let keys = [
            try await AndroidClient().register(with: party).record.key,
            try await Client().register(with: party).record.key,
        ]
        for key in keys {
            let bytes = key.serialized
            #expect(try RegisteredKey(serialized: bytes) == key && bytes.count <= RegisteredKey.maximumRecordSize)
        }
        #expect(RegisteredKey.maximumRecordSize == 1_025)
        let android = keys[0].serialized
        #expect(android[0] == 0xA1)
        let attested = try #require(keys[0].android)
        #expect(RegisteredKey.android(attested, .development).serialized == [0xA2] + android.dropFirst())
        for count in 0..<android.count {
            #expect(throws: RegisteredKeyError.self) { try RegisteredKey(serialized: android.prefix(count)) }
        }
        #expect(keys[1].serialized == keys[1].appAttest?.serialized)
        var later = keys[0].serialized
        later[1] = 9
        #expect(throws: RegisteredKeyError.android(.unsupportedKeyRecord(version: 9))) {
            try RegisteredKey(serialized: later)
        }
        #expect(throws: RegisteredKeyError.appAttest(.unsupportedKeyRecord(version: 9))) {
            try RegisteredKey(serialized: [9])
        }
        #expect(throws: PureAttestError.self) { try AttestedKey(serialized: keys[0].serialized) }
    }
}
