import PureAttest
import Synchronization
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

@Suite struct ClientAddressTests {
    @Test func addressesAreNormalised() throws {
        let same: [[String]] = [
            ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:192.0.2.1"],
            [
                "2001:db8::1", "2001:0DB8:0:0:1:2:3:4", "2001:db8::", "2001:db8:0:0::9", "2001:db8::192.0.2.1",
            ],
            ["2001:db8:0:1::1", "2001:db8:0:1:ffff::"], ["192.0.2.2"],
            // These addresses resemble IPv4-mapped addresses, but are not such addresses. They are in one IPv6 network.
            ["::1", "::", "::192.0.2.1", "::ff:192.0.2.1", "::ff00:192.0.2.1", "::1:ffff:192.0.2.1"],
            ["1::ffff:192.0.2.1", "1::"],
            ["1::2:3:4:5:6:7", "1:0:2:3::"],
            ["fe80::1%en0", "fe80::2%1", "FE80::3", "fe80::4%a.b-c:1", "fe80::5%!", "fe80::6%~"],
            ["febf::1%1", "febf::1"],
            ["1:2:3:4:5:6:7:8", "1:2:3:4::", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:1.2.3.4"], ["0.0.0.0"],
            // The longest accepted text.
            ["255.255.255.255", "0000:0000:0000:0000:0000:ffff:255.255.255.255"],
        ]
        var seen = Set<ClientAddress>()
        for group in same {
            let addresses = try group.map { try #require(ClientAddress(ipAddress: $0), "\($0)") }
            #expect(Set(addresses).count == 1, "\(group)")
            #expect(seen.insert(addresses[0]).inserted, "\(group)")
        }
        // The name of an IPv4 address has 5 bytes. The name of an IPv6 address contains its first 64 bits, in 9 bytes.
        #expect(Set(seen.map(\.bytes.count)) == [5, 9])
        #expect(ClientAddress(ipAddress: "192.0.2.1")?.bytes == [4, 192, 0, 2, 1])
        #expect(ClientAddress(ipAddress: "2001:db8::1")?.bytes == [6, 0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0])
    }

    @Test func otherTextsAreNone() {
        for text in [
            "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "1.2.3.-4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4:80",
            "1..2.3", "1..2.3.4", ".1.2.3.4", "1.2.3.4.",
            ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8",
            "12345::",
            "g::", "[::1]", "::1]", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:", ":1:2:3:4:5:6:7:8",
            "1.2.3.4::", "::1.2.3.4:5", "::1.2.3", "::+1",
            "1:2:3:4:5:6:7:1.2.3.4", "example.com", "１.2.3.4", String(repeating: "1:", count: 10_000), "%eth0",
            // Only a link-local address has a zone, and a zone must be a plain name.
            "2001:db8::1%eth0", "1.2.3.4%eth0", "::1%lo", "fec0::1%1", "::ffff:1.2.3.4%1", "fe80::1%", "fe80::1%a%b",
            "fe80::1%\u{600}", "fe80::1%e\u{301}", "fe80::1% ", "fe80::1%\u{0}", "fe80::1%\u{7F}", "2080::1%eth0",
            // These texts contain a combining character or a format character.
            "1.2.3.4\u{600}", "\u{600}1.2.3.4", "1.2\u{301}.3.4", "1:\u{200D}:2", "fe80:\u{301}:1", "a\u{301}::1",
            "::\u{FF11}", "1.2.3.4\r\n", "1.2.3.4\u{110BD}%1",
        ] { #expect(ClientAddress(ipAddress: text) == nil, "\(text.prefix(40))") }
    }

    /// The limiters store the names of client addresses, so these names must be short and distinct.
    @Test func namesAreBounded() {
        let lengths = [0, 1, 63, 64, 65, 96, 1_000, 1_000_000]
        let addresses = lengths.map { ClientAddress(bytes: repeatElement(7 as UInt8, count: $0)) }
        #expect(Set(addresses).count == lengths.count)
        #expect(addresses.map(\.bytes.count) == [0, 1, 63, 64, 96, 96, 96, 96])
        // If a shortened name is itself used as input, the resulting name differs.
        #expect(ClientAddress(bytes: addresses[4].bytes) != addresses[4])
    }

    /// New key identifiers do not help a client to exceed its limit.
    @Test func requestsAreCountedByClientAddress() async throws {
        let party = relyingParty { $0.limits.requestsPerClientAddress = RateLimit(burst: 3, perMinute: 6) }
        let address = try #require(ClientAddress(ipAddress: "2001:db8::1"))
        let neighbour = try #require(ClientAddress(ipAddress: "2001:db8:0:0:9::1"))
        let stranger = try #require(ClientAddress(ipAddress: "192.0.2.1"))
        func ask(_ clientAddress: ClientAddress?, _ key: UInt8) async -> Refusal? {
            await rejection {
                _ = try party.issueChallenge(
                    purpose: .assertion, keyID: [UInt8](repeating: key, count: 32), clientAddress: clientAddress,
                    at: now)
            }
        }
        #expect(await ask(address, 1) == nil)
        #expect(await ask(neighbour, 2) == nil)
        let client = Client()
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        func authenticate() async -> Refusal? {
            await rejection {
                _ = try await party.authenticate(
                    assertion: [], keyID: client.keyID, challenge: challenge.value, clientAddress: address, at: now)
            }
        }
        #expect(await authenticate() == .unknownKey)
        #expect(await authenticate() == .rateLimited(retryAfter: 10))
        #expect(
            await rejection {
                _ = try await party.register(
                    attestation: [], keyID: client.keyID, challenge: challenge.value, clientAddress: neighbour, at: now)
            } == .rateLimited(retryAfter: 10))
        #expect(await ask(address, 3) == .rateLimited(retryAfter: 10))
        #expect(await ask(stranger, 3) == nil)
        #expect(await ask(nil, 3) == nil)
    }

    /// After failures, an account must wait whichever key it names. Other accounts do not have to wait.
    @Test func accountsWhoseObjectsFailWait() async throws {
        let party = relyingParty { $0.limits.failuresPerAccount = RateLimit(burst: 2, perMinute: 1) }
        let (account, other) = (AccountID("user"), AccountID("other"))
        let client = Client()
        try await client.register(with: party, account: account)
        func fail(_ account: AccountID, _ seconds: Int64 = 0) async -> Refusal? {
            await rejection {
                let challenge = try party.issueChallenge(
                    purpose: .assertion, keyID: client.keyID, account: account, at: time(seconds))
                _ = try await party.authenticate(
                    assertion: client.assertion([1]), keyID: client.keyID, challenge: challenge.value, account: account,
                    at: time(seconds))
            }
        }
        // Successful verifications consume no allowance.
        for _ in 0..<5 { _ = try await client.authenticate(with: party, account: account) }
        for _ in 0..<2 { #expect(await fail(account) == .verification(.invalidSignature)) }
        #expect(await fail(account) == .rateLimited(retryAfter: 60))
        #expect(
            await rejection { _ = try await client.authenticate(with: party, account: account) }
                == .rateLimited(retryAfter: 60))
        #expect(await fail(other) == .verification(.invalidSignature))
        #expect(await fail(account, 60) == .verification(.invalidSignature))
        // Failed attestations count too.
        let fresh = Client(makeDevice(seed: 8))
        let challenge = try party.issueChallenge(
            purpose: .attestation, keyID: fresh.keyID, account: other, at: time(60))
        // After a minute, the account can fail twice again.
        for expected in [Refusal.Step.verification, .verification, .limits] {
            let refused = await fresh.refusal(
                ofAttestation: [0], challenge.value, by: party, account: other, at: time(60))
            #expect(refused?.step == expected)
        }
    }

    /// If a later assertion has already been accepted, rejecting the earlier assertion is no failure of the account.
    @Test(arguments: [CounterPolicy.strict, .slidingWindow])
    func overtakenRequestsAreNoFailures(_ policy: CounterPolicy) async throws {
        let party = relyingParty(verifier: verifier(counterPolicy: policy)) {
            $0.limits.failuresPerAccount = RateLimit(burst: 1, perMinute: 1)
        }
        let (account, client) = (AccountID("user"), Client())
        try await client.register(with: party, account: account)
        let requests = try (0..<80).map { _ in
            let challenge = try party.issueChallenge(
                purpose: .assertion, keyID: client.keyID, account: account, at: now)
            return (challenge.value, try client.assertion(challenge.value))
        }
        func send(_ index: Int) async -> Refusal? {
            await client.refusal(of: requests[index].1, requests[index].0, by: party, account: account)
        }
        #expect(await send(79) == nil)
        for index in 0..<3 {
            #expect(await send(index) == .verification(.counterNotIncreased(previous: 80, received: UInt32(index) + 1)))
        }
        #expect(await send(79) == .challengeConsumed)
        _ = try await client.authenticate(with: party, account: account)
    }

    /// Anyone can send a recorded signature with a new challenge, so this rejection counts as a failure.
    @Test func aRecordedSignatureWithANewChallengeIsAFailure() async throws {
        let party = relyingParty { $0.limits.failuresPerAccount = RateLimit(burst: 1, perMinute: 1) }
        let (account, client) = (AccountID("user"), Client())
        try await client.register(with: party, account: account)
        func challenge() throws -> [UInt8] {
            try party.issueChallenge(purpose: .assertion, keyID: client.keyID, account: account, at: now).value
        }
        let first = try challenge()
        let bytes = [0] + first
        let assertion = try client.assertion(bytes)
        let signed = SignedContent.clientData(bytes) { Array($0.dropFirst()) }
        func send(_ challenge: [UInt8]) async -> Refusal? {
            await client.refusal(of: assertion, challenge, by: party, signed: signed, account: account)
        }
        #expect(await send(first) == nil)
        #expect(await send(try challenge()) == .verification(.challengeMismatch))
        guard case .rateLimited = await send(try challenge()) else { Issue.record("no back-off"); return }
    }

    /// The failure limit is reached equally fast, whether the key is unknown or registered.
    @Test func uniformExcessTellsNoKeys() async throws {
        let party = relyingParty {
            $0.answerPolicy = .uniform
            $0.limits.failuresPerAccount = RateLimit(burst: 2, perMinute: 1)
        }
        let (known, unknown) = (Client(), Client(makeDevice(seed: 8)))
        try await known.register(with: party)
        func answers(_ client: Client, to account: AccountID) async throws -> [HTTPAnswer?] {
            var answers: [HTTPAnswer?] = []
            for _ in 0..<4 {
                let challenge = try party.issueChallenge(
                    purpose: .assertion, keyID: client.keyID, account: account, at: now)
                answers.append(
                    await client.refusal(of: [0], challenge.value, by: party, account: account)?.answer(.uniform))
            }
            return answers
        }
        let ofKnown = try await answers(known, to: AccountID("first"))
        #expect(ofKnown.map { $0?.status } == [401, 401, 429, 429])
        #expect(try await answers(unknown, to: AccountID("second")) == ofKnown)
    }

    /// Each failure is counted before the next waiting request is verified.
    @Test func accountsThatFailInParallelWait() async throws {
        let store = InMemoryStore()
        let client = Client()
        try await client.register(with: relyingParty(store: store), account: AccountID("user"))
        let requests = 200
        let party = relyingParty(store: gathering(store, readers: requests)) {
            $0.limits.failuresPerAccount = RateLimit(burst: 2, perMinute: 1)
        }
        let challenge = try party.issueChallenge(
            purpose: .assertion, keyID: client.keyID, account: AccountID("user"), at: now)
        let steps = await withTaskGroup(of: Refusal.Step?.self) { group in
            for _ in 0..<requests {
                group.addTask {
                    await rejection {
                        _ = try await party.authenticate(
                            assertion: [0], keyID: client.keyID, challenge: challenge.value, account: AccountID("user"),
                            at: now)
                    }?.step
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // When the allowance runs out, at most one request per thread is still being verified.
        let verified = steps.filter { $0 == .verification }.count
        #expect(verified >= 2 && verified < requests / 2)
        #expect(steps.filter { $0 == .limits }.count == requests - verified)
    }
}

/// Returns a store that, like a slow database, delays calls until `readers` calls are waiting.
private func gathering(_ store: InMemoryStore, readers: Int) -> ObservedStore {
    let arrived = Counter()
    return ObservedStore(store) {
        arrived.add()
        while arrived.count < readers { await Task.yield() }
    }
}
