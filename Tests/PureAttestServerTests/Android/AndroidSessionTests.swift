import PureAttest
import PureKeyAttestation
import PureKeyAttestationTesting
import PureSHA2
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

/// Sessions, signed requests and budgets of Android keys.
@Suite struct AndroidSessionTests {
    @Test func keysStayWithTheirAccounts() async throws {
        let (party, client) = try await registeredAndroid(account: AccountID("user"))
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
            #expect(session.platform == .android(level))
            #expect(session.keyID == client.keyID && session.account == AccountID("user"))
            #expect(session.bundleVersion == nil && session.validationCategory == nil)
            // Parties without Android or without this app reject the token. The token is no valid unattested token
            // either.
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
        let (party, client) = try await registeredAndroid()
        let challenge = try client.challenge(from: party)
        let signed = SignedContent.request(method: "POST", path: "/pay", body: [1, 2])
        let bytes = signed.clientData(challenge: challenge, keyID: client.keyID)
        let signature = try #require(client.key).sign(bytes)
        let other = SignedContent.request(method: "POST", path: "/pay", body: [1, 3])
        #expect(
            await client.refusal(of: signature, challenge, by: party, signed: other)
                == .keyAttestation(.invalidKeySignature))
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
        let (party, client) = try await registeredAndroid { $0.budget = Budget(days: 1, requests: 1, units: 10) }
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
