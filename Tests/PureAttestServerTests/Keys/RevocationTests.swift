import PureAttest
import PureAttestServer
import Testing

/// A rejected token stays rejected until its end, under any clocks and configurations.
@Suite struct RevocationTests {
    private static let day = RelyingPartyConfiguration.maximumSessionLifetime
    private static let margin = RelyingPartyConfiguration.clockMargin
    /// How long a revoked key is listed.
    private static let listing = day + RelyingPartyConfiguration.maximumChallengeLifetime + margin

    /// The lifetime was a day at the session's start, and a quarter of an hour at the key's revocation.
    @Test(arguments: [SessionUse.untilRevoked, .once])
    func outlivesSessionsOfAnyConfiguration(_ use: SessionUse) async throws {
        let (before, client) = try await registered { $0.sessionLifetime = Self.day }
        let token = before.session(from: try await client.authenticate(with: before)).token
        try await before.revoke(keyID: client.keyID, at: now)
        for moment in [1_200, Self.day - 1] {
            // A process that has seen no denial yet.
            let after = relyingParty(store: before.store) { $0.sessionUse = use }
            // By a process whose clock is ahead, too.
            try await after.removeExpired(at: time(moment + Self.margin))
            let refused = await rejection { _ = try await after.verifySession(token, at: time(moment)) }
            #expect(refused == .deniedToken, "\(moment)")
        }
    }

    /// After a revocation by SQL, or long ago, only the key's record shows it.
    @Test func isReadFromTheKeyRecord() async throws {
        let (party, client) = try await registered { $0.sessionLifetime = Self.day }
        let token = party.session(from: try await client.authenticate(with: party)).token
        _ = try await party.verifySession(token, at: now)
        #expect(party.store.revokeKey(client.keyID, at: now) && party.store.count.consumed == 2)
        #expect(await rejection { _ = try await party.verifySession(token, at: now) } == .deniedToken)
        // Revoked before its registration, a key is listed; once registered, its record is revoked.
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

    /// The list rejects sessions of lost keys until all possible sessions have ended.
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
                    // No denial seen yet, so it must ask the store.
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
