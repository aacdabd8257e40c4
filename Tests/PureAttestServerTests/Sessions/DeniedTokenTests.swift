import DebugSampling
import PureAttest
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

/// A denied token causes one store look-up, however often a client presents it.
@Suite struct DeniedTokenTests {
    private typealias Party = RelyingParty<ObservedStore>

    private static let presentations = debugSample(
        Array(0..<10_000), every: 10, of: "presentations of a denied token"
    ).count

    private func party(
        on store: InMemoryStore, _ calls: Counter, _ use: SessionUse, names: Int = 65_536,
        _ environment: Environment = .production
    ) -> Party {
        relyingParty(store: ObservedStore(store) { calls.add() }, verifier: verifier(environment)) {
            $0.sessionUse = use
            $0.removeLimits()
            $0.limits.capacity = names
        }
    }

    private func tokens(_ count: Int, of client: Client, from issuer: TestParty) async throws -> [[UInt8]] {
        var tokens: [[UInt8]] = []
        for _ in 0..<count { tokens.append(issuer.session(from: try await client.authenticate(with: issuer)).token) }
        return tokens
    }

    /// The limiter rejects the excess of concurrent requests without consuming the tokens of these requests.
    @Test func excessAtTheSameTimeConsumesNoToken() async throws {
        let (issuer, client) = try await registered { $0.removeLimits() }
        let tokens = try await tokens(8, of: client, from: issuer)
        func party(_ limit: RateLimit?) -> Party {
            // The delay makes all requests wait in the store before the store answers the first request.
            let store = ObservedStore(issuer.store) { try? await Task.sleep(for: .milliseconds(50)) }
            return relyingParty(store: store) {
                $0.sessionUse = .once
                $0.removeLimits()
                $0.limits.sessionRequestsPerKey = limit
            }
        }
        func accepted(by party: Party) async -> Int {
            await withTaskGroup(of: Bool.self) { group in
                for token in tokens {
                    group.addTask { await rejection { _ = try await party.verifySession(token, at: now) } == nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(await accepted(by: party(RateLimit(burst: 1, perMinute: 1))) == 1)
        #expect(await accepted(by: party(nil)) == 7)
    }

    enum Denial: CaseIterable { case ended, consumed, revoked }

    @Test(arguments: Denial.allCases) func aDeniedTokenIsLookedUpOnce(_ denial: Denial) async throws {
        let (issuer, client) = try await registered { $0.removeLimits() }
        let tokens = try await tokens(2, of: client, from: issuer)
        let calls = Counter()
        let party = party(on: issuer.store, calls, denial == .consumed ? .once : .untilRevoked)
        switch denial {
        case .ended: try await party.endSession(party.verifySession(tokens[0], at: now))
        case .consumed: _ = try await party.verifySession(tokens[0], at: now)
        case .revoked: try await party.revoke(keyID: client.keyID, at: now)
        }
        let expected: Refusal = denial == .consumed ? .tokenConsumed : .deniedToken
        let before = calls.count
        var refusals: [Refusal?] = [await rejection { _ = try await party.verifySession(tokens[0], at: now) }]
        // One look-up reads the key's record and, unless the key is revoked, the list of tokens.
        let once = calls.count
        #expect(once - before == (denial == .revoked ? 1 : 2))
        for _ in 1..<Self.presentations {
            refusals.append(await rejection { _ = try await party.verifySession(tokens[0], at: now) })
        }
        #expect(calls.count == once)
        #expect(refusals.count == Self.presentations && refusals.allSatisfy { $0 == expected })
        // A different token of the same key is looked up, and still works unless the key is revoked.
        let other = await rejection { _ = try await party.verifySession(tokens[1], at: now) }
        #expect(other == (denial == .revoked ? .deniedToken : nil) && calls.count > once)
    }

    /// Processes may have different rules, so each process looks tokens up itself.
    @Test func relyingPartiesRememberForThemselves() async throws {
        let (issuer, client) = try await registered { $0.removeLimits() }
        let token = try await tokens(1, of: client, from: issuer)[0]
        let (calls, othersCalls) = (Counter(), Counter())
        let party = party(on: issuer.store, calls, .once)
        let other = self.party(on: issuer.store, othersCalls, .once)
        _ = try await party.verifySession(token, at: now)
        for _ in 0..<3 {
            for party in [party, other] {
                #expect(await rejection { _ = try await party.verifySession(token, at: now) } == .tokenConsumed)
            }
        }
        #expect(calls.count == 4 && othersCalls.count == 2)
        let stateless = self.party(on: issuer.store, othersCalls, .untilExpiry)
        _ = try await stateless.verifySession(token, at: now)
    }

    /// Only unexpired tokens of this relying party are remembered. An expired token is rejected as expired.
    @Test func onlyTokensOfThisRelyingPartyAreRemembered() async throws {
        let (issuer, client) = try await registered { $0.removeLimits() }
        let token = try await tokens(1, of: client, from: issuer)[0]
        try await issuer.endSession(issuer.verifySession(token, at: now))
        let calls = Counter()
        let development = party(on: issuer.store, calls, .untilRevoked, .development)
        let party = self.party(on: issuer.store, calls, .untilRevoked)
        var forged = token
        forged[token.count - 2] ^= 1
        for _ in 0..<3 {
            #expect(
                await rejection { _ = try await development.verifySession(token, at: now) }
                    == .tokenOfOtherEnvironment(.production))
            #expect(await rejection { _ = try await party.verifySession(forged, at: now) } == .invalidToken)
        }
        #expect(calls.count == 0 && party.denied.count == 0 && development.denied.count == 0)
        #expect(await rejection { _ = try await party.verifySession(token, at: now) } == .deniedToken)
        #expect(party.denied.count == 1)
        #expect(await rejection { _ = try await party.verifySession(token, at: time(900)) } == .expiredToken)
    }

    /// When the table of denied tokens is full, further tokens are still denied but use no more memory.
    @Test func memoryIsBounded() async throws {
        let (issuer, client) = try await registered { $0.removeLimits() }
        let tokens = try await tokens(20, of: client, from: issuer)
        for token in tokens { try await issuer.endSession(issuer.verifySession(token, at: now)) }
        let calls = Counter()
        let party = party(on: issuer.store, calls, .untilRevoked, names: 8)
        for round in 1...3 {
            for token in tokens {
                #expect(await rejection { _ = try await party.verifySession(token, at: now) } == .deniedToken)
                #expect(party.denied.count <= 8)
            }
            #expect(calls.count <= 2 * 20 * round)
        }
        // A token that was forgotten because of many other denied tokens is looked up once more and remembered again.
        let before = calls.count
        for _ in 0..<10 { _ = await rejection { _ = try await party.verifySession(tokens[0], at: now) } }
        #expect(calls.count - before <= 2)
    }
    @Test func expiredTokensMakeRoom() {
        let denied = DeniedTokens(capacity: 4)
        let ends: [Int64] = [10, 100, 10, 100, 100, 100, 100]
        func insert(_ id: UInt8, _ refusal: Refusal, at moment: UnixTime) {
            denied.insert([id], until: time(ends[Int(id)]), refusal, at: moment)
        }
        for id in 0..<4 as Range<UInt8> { insert(id, .deniedToken, at: now) }
        insert(4, .tokenConsumed, at: time(10))
        let refusals = (0..<7 as Range<UInt8>).map { denied.refusal(of: [$0]) }
        #expect(refusals == [nil, .deniedToken, nil, .deniedToken, .tokenConsumed, nil, nil])
        insert(5, .deniedToken, at: time(10))
        #expect(denied.count == 4)
        // The table is full of unexpired entries, so it is cleared and then contains only the new entry.
        insert(6, .deniedToken, at: time(10))
        #expect(denied.count == 1 && denied.refusal(of: [6]) == .deniedToken)
        #expect(DeniedTokens(capacity: 0).count == 0)
    }
}
