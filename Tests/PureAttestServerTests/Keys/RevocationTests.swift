import PureAttest
import PureAttestServer
import Testing

/// A denied token stays rejected until it expires, whatever the servers' clocks and configurations.
@Suite struct RevocationTests {
    private static let day = RelyingPartyConfiguration.maximumSessionLifetime
    private static let margin = RelyingPartyConfiguration.clockMargin
    /// The time in seconds for which a revoked key stays in the list of consumed tokens.
    private static let listing = day + RelyingPartyConfiguration.maximumChallengeLifetime + margin

    /// The session lifetime was a day when the session started, and 15 minutes when the key was revoked.
    @Test(arguments: [SessionUse.untilRevoked, .once])
    func outlivesSessionsOfAnyConfiguration(_ use: SessionUse) async throws {
        let (before, client) = try await registered { $0.sessionLifetime = Self.day }
        let token = before.session(from: try await client.authenticate(with: before)).token
        try await before.revoke(keyID: client.keyID, at: now)
        for moment in [1_200, Self.day - 1] {
            // This process has not yet denied the token.
            let after = relyingParty(store: before.store) { $0.sessionUse = use }
            // The clock of the process that removes expired entries may be ahead.
            try await after.removeExpired(at: time(moment + Self.margin))
            let refused = await rejection { _ = try await after.verifySession(token, at: time(moment)) }
            #expect(refused == .deniedToken, "\(moment)")
        }
    }

    /// If a key was revoked directly by SQL, or long ago, only the key's record shows the revocation.
    @Test func isReadFromTheKeyRecord() async throws {
        let (party, client) = try await registered { $0.sessionLifetime = Self.day }
        let token = party.session(from: try await client.authenticate(with: party)).token
        _ = try await party.verifySession(token, at: now)
        #expect(party.store.revokeKey(client.keyID, at: now) && party.store.count.consumed == 2)
        #expect(await rejection { _ = try await party.verifySession(token, at: now) } == .deniedToken)
        // A key can be revoked, and so listed, before its registration, which then creates a revoked record.
        let other = Client(makeDevice(seed: 8))
        #expect(try await !party.revoke(keyID: other.keyID, at: now))
        #expect(party.store.isConsumed(other.keyID))
        try await other.register(with: party)
        let session = party.session(from: try await other.authenticate(with: party, at: time(60)))
        _ = try await party.verifySession(session.token, at: time(60))
        #expect(try await party.revoke(keyID: other.keyID, at: time(Self.listing - 10)))
        let late = time(Self.day + 59)
        try await party.removeExpired(at: time(Self.listing))
        #expect(await rejection { _ = try await party.verifySession(session.token, at: late) } == .deniedToken)
    }

    /// If a key's record is lost, its sessions stay rejected: the list of consumed tokens contains the key until the
    /// key's sessions have expired.
    @Test func isListedForLostKeys() async throws {
        let (party, client) = try await registered { $0.sessionLifetime = Self.day }
        let token = party.session(from: try await client.authenticate(with: party, at: time(300))).token
        let restored = relyingParty()
        _ = try await restored.verifySession(token, at: time(300))
        #expect(try await !restored.revoke(keyID: client.keyID, at: now))
        try await restored.removeExpired(at: time(Self.listing - 1))
        let last = time(300 + Self.day - 1)
        #expect(await rejection { _ = try await restored.verifySession(token, at: last) } == .deniedToken)
        try await restored.removeExpired(at: time(Self.listing))
        #expect(restored.store.count.consumed == 0)
    }

    @Test func usedAndEndedTokensOutliveClocksAhead() async throws {
        let (party, client) = try await registered()
        let (used, ended) = (
            party.session(from: try await client.authenticate(with: party)),
            party.session(from: try await client.authenticate(with: party))
        )
        let once = relyingParty(store: party.store) { $0.sessionUse = .once }
        _ = try await once.verifySession(used.token, at: now)
        try await party.endSession(party.verifySession(ended.token, at: now))
        for seconds in [30, Self.margin] {
            try await party.removeExpired(at: time(899 + seconds))
            for token in [used, ended] {
                for (use, expected) in [(SessionUse.once, Refusal.tokenConsumed), (.untilRevoked, .deniedToken)] {
                    // This process has not yet denied the token, so it must query the store.
                    let process = relyingParty(store: party.store) { $0.sessionUse = use }
                    let refused = await rejection { _ = try await process.verifySession(token.token, at: time(899)) }
                    #expect(refused == expected)
                }
            }
        }
        try await party.removeExpired(at: time(900 + Self.margin))
        #expect(party.store.count.consumed == 0)
    }
}
