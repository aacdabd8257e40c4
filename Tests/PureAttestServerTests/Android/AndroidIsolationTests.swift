import PureAttest
import PureKeyAttestation
import PureKeyAttestationTesting
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

/// Tests that environments, signers and keys are isolated from each other. Also tests revocation lists that are dated
/// in the future.
@Suite struct AndroidIsolationTests {
    /// Android keys name no environment, but a production service rejects keys that a development service registered.
    @Test(arguments: [Environment.production, .development])
    func nothingPassesToTheOtherEnvironment(_ environment: Environment) async throws {
        let other: Environment = environment == .production ? .development : .production
        let party = relyingParty(verifier: verifier(environment), android: androidKeys())
        let client = AndroidClient()
        let registration = try await client.register(with: party)
        #expect(registration.record.key.environment == environment)
        for store in [party.store, InMemoryStore()] {
            let opposite = relyingParty(store: store, verifier: verifier(other), android: androidKeys())
            for issued in [
                party.session(from: registration), party.session(from: try await client.authenticate(with: party)),
            ] {
                #expect(
                    await rejection { _ = try await opposite.verifySession(issued.token, at: now) }
                        == .tokenOfOtherAudience)
                _ = try await party.verifySession(issued.token, at: now)
            }
            #expect(
                await rejection { try await client.authenticate(with: opposite) }
                    == (store === party.store ? .keyOfOtherEnvironment(environment) : .unknownKey))
        }
        // A device registers a key only once. Here, `twin` has a copy of the software key, so it can register this key
        // again.
        let opposite = relyingParty(store: party.store, verifier: verifier(other), android: androidKeys())
        let twin = AndroidClient()
        #expect(
            await rejection { try await twin.register(with: opposite) }
                == .keyOfOtherEnvironment(environment))
        let stored = try RegisteredKey(serialized: registration.record.key.serialized)
        #expect(stored == registration.record.key && stored.environment == environment)
    }

    /// Anyone can build an app with any package name, so a session also requires the app's signing certificates.
    @Test func sessionsAreOfTheSameSigners() async throws {
        func party(_ digests: [[[UInt8]]]) -> TestParty {
            relyingParty(
                android: androidKeys(
                    apps: digests.map { AndroidApp(packageNameUTF8: androidApp.packageNameUTF8, signingDigests: $0) }))
        }
        let own = androidApp.signingDigests, debug = [[UInt8](repeating: 0xDB, count: 32)]
        let issuing = party([own])
        let client = AndroidClient()
        let token = issuing.session(from: try await client.register(with: issuing)).token
        for accepting in [[own], [own, own], [own + own]] {
            _ = try await party(accepting).verifySession(token, at: now)
        }
        for refusing in [[debug], [own, debug], [own + debug], [[]], []] {
            #expect(
                await rejection { _ = try await party(refusing).verifySession(token, at: now) } == .tokenOfOtherAudience
            )
        }
        let (both, reversed) = (party([own, debug + own]), party([own + debug, own]))
        let next = AndroidClient(seed: 2)
        let session = both.session(from: try await next.register(with: both))
        _ = try await reversed.verifySession(session.token, at: now)
    }

    @Test func aReplayTakesNothingFromTheKey() async throws {
        let (party, client) = try await registeredAndroid {
            $0.limits.authenticationsPerKey = RateLimit(burst: 2, perMinute: 1)
        }
        let challenge = try client.challenge(from: party)
        let signature = try #require(client.key).sign(challenge)
        for attempt in 0..<6 {
            let refused = await client.refusal(of: signature, challenge, by: party)
            #expect(refused == (attempt == 0 ? nil : .challengeConsumed))
        }
        try await client.authenticate(with: party)
        #expect(await rejection { try await client.authenticate(with: party) } == .rateLimited(retryAfter: 60))
    }

    /// An account that tries revoked keys or other accounts' keys must wait, as with App Attest.
    @Test func rejectedKeysCountAsFailures() async throws {
        let (party, client) = try await registeredAndroid(account: AccountID("user")) {
            $0.limits.failuresPerAccount = RateLimit(burst: 2, perMinute: 1)
        }
        for account in [AccountID("other"), AccountID("user")] {
            if account == AccountID("user") { try await party.revoke(keyID: client.keyID, at: now) }
            for attempt in 0..<3 {
                let refused = await rejection { try await client.authenticate(with: party, account: account) }
                let expected: Refusal = account == AccountID("user") ? .revokedKey : .keyOfOtherAccount
                #expect(refused == (attempt < 2 ? expected : .rateLimited(retryAfter: 60)))
            }
        }
    }

    /// A revocation list dated in the future is not used, and does not prevent updates with later lists.
    @Test func aListOfTheFutureIsNone() throws {
        let current = CurrentRevocationList(maximumAge: 100)
        func update(_ serial: String, _ fetchedAt: UnixTime) throws {
            try current.update(
                json: Array(#"{"entries":{"\#(serial)":{"status":"REVOKED"}}}"#.utf8), fetchedAt: fetchedAt)
        }
        try update("1", time(301))
        #expect(current.list(at: now) == nil)
        #expect(current.list(at: time(1))?.status(ofSerialNumber: [1]) == .revoked)
        // The current list is dated ahead, within the clock skew, so an earlier list does not replace it.
        try update("2", time(1))
        #expect(current.list(at: time(1))?.status(ofSerialNumber: [2]) == nil)
        // The current list is dated ahead by more than the clock skew, so any new list replaces it.
        try update("3", now)
        #expect(current.list(at: now)?.status(ofSerialNumber: [3]) == .revoked)
        #expect(current.list(at: time(100)) != nil && current.list(at: time(101)) == nil)
        try update("4", UnixTime(secondsSince1970: .max))
        #expect(current.list(at: now) == nil)
        try update("5", time(1))
        #expect(current.list(at: now)?.status(ofSerialNumber: [5]) == .revoked)
    }
}
