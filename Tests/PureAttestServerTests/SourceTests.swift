import PureAttest
import Testing

@testable import PureAttestServer

@Suite struct ClientSourceTests {
    @Test func addressesAreNormalised() throws {
        let same: [[String]] = [
            ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:192.0.2.1"],
            [
                "2001:db8::1", "2001:0DB8:0:0:1:2:3:4", "2001:db8::", "2001:db8:0:0::9", "2001:db8::192.0.2.1",
                "2001:db8::1%eth0",
            ],
            ["2001:db8:0:1::1", "2001:db8:0:1:ffff::"], ["192.0.2.2"], ["::1", "::", "::192.0.2.1"],
            ["fe80::1%en0", "fe80::2%1"],
            ["1:2:3:4:5:6:7:8", "1:2:3:4::", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:1.2.3.4"], ["0.0.0.0"],
            ["255.255.255.255"],
        ]
        var seen = Set<ClientSource>()
        for group in same {
            let sources = try group.map { try #require(ClientSource(ipAddress: $0), "\($0)") }
            #expect(Set(sources).count == 1, "\(group)")
            #expect(seen.insert(sources[0]).inserted, "\(group)")
        }
        // Sixty-four bits of IPv6 and an IPv4 address have different lengths.
        #expect(Set(seen.map(\.bytes.count)) == [5, 9])
    }

    @Test func otherTextsAreNone() {
        for text in [
            "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "1.2.3.-4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4:80",
            "1..2.3",
            ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8",
            "12345::",
            "g::", "[::1]", "::1]", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7", "1.2.3.4::", "::1.2.3.4:5", "::1.2.3", "::+1",
            "1:2:3:4:5:6:7:1.2.3.4", "example.com", "１.2.3.4", String(repeating: "1:", count: 10_000), "%eth0",
        ] { #expect(ClientSource(ipAddress: text) == nil, "\(text.prefix(40))") }
    }

    /// Whoever brings fresh key identifiers is counted all the same.
    @Test func requestsAreCountedBySource() async throws {
        let party = relyingParty { $0.limits.sources = RateLimit(burst: 3, perMinute: 6) }
        let source = try #require(ClientSource(ipAddress: "2001:db8::1"))
        let neighbour = try #require(ClientSource(ipAddress: "2001:db8:0:0:9::1"))
        let stranger = try #require(ClientSource(ipAddress: "192.0.2.1"))
        func ask(_ source: ClientSource?, _ key: UInt8) async -> Refusal? {
            await refusal {
                _ = try party.issueChallenge(
                    purpose: .assertion, keyID: [UInt8](repeating: key, count: 32), source: source, at: now)
            }
        }
        #expect(await ask(source, 1) == nil)
        #expect(await ask(neighbour, 2) == nil)
        let client = Client()
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        func authenticate() async -> Refusal? {
            await refusal {
                _ = try await party.authenticate(
                    assertion: [], keyID: client.keyID, challenge: challenge.value, source: source, at: now)
            }
        }
        #expect(await authenticate() == .unknownKey)
        #expect(await authenticate() == .rateLimited(retryAfter: 10))
        #expect(
            await refusal {
                _ = try await party.register(
                    attestation: [], keyID: client.keyID, challenge: challenge.value, source: neighbour, at: now)
            } == .rateLimited(retryAfter: 10))
        #expect(await ask(source, 3) == .rateLimited(retryAfter: 10))
        #expect(await ask(stranger, 3) == nil)
        #expect(await ask(nil, 3) == nil)
    }

    /// An account whose objects do not verify waits, whatever keys it names, and nobody else does.
    @Test func accountsWhoseObjectsFailWait() async throws {
        let party = relyingParty { $0.limits.failures = RateLimit(burst: 2, perMinute: 1) }
        let (account, other) = (AccountID("user"), AccountID("other"))
        let client = Client()
        try await client.register(with: party, account: account)
        func fail(_ account: AccountID, _ seconds: Int64 = 0) async -> Refusal? {
            await refusal {
                let challenge = try party.issueChallenge(
                    purpose: .assertion, keyID: client.keyID, account: account, at: time(seconds))
                _ = try await party.authenticate(
                    assertion: client.assertion([1]), keyID: client.keyID, challenge: challenge.value, account: account,
                    at: time(seconds))
            }
        }
        // What verifies takes nothing.
        for _ in 0..<5 { _ = try await client.authenticate(with: party, account: account) }
        for _ in 0..<2 { #expect(await fail(account) == .verification(.invalidSignature)) }
        #expect(await fail(account) == .rateLimited(retryAfter: 60))
        #expect(
            await refusal { _ = try await client.authenticate(with: party, account: account) }
                == .rateLimited(retryAfter: 60))
        #expect(await fail(other) == .verification(.invalidSignature))
        #expect(await fail(account, 60) == .verification(.invalidSignature))
        // Attestations count among them.
        let fresh = Client(makeDevice(seed: 8))
        let challenge = try party.issueChallenge(
            purpose: .attestation, keyID: fresh.keyID, account: other, at: time(60))
        // After a minute it has both again.
        for expected in [Refusal.Step.verification, .verification, .limits] {
            let refused = await refusal {
                _ = try await party.register(
                    attestation: [0], keyID: fresh.keyID, challenge: challenge.value, account: other, at: time(60))
            }
            #expect(refused?.step == expected)
        }
    }
}
