import PureAttest
import Testing

@testable import PureAttestServer

@Suite struct LimitTests {
    private func wait(_ limiter: RateLimiter, _ name: [UInt8], _ time: UnixTime) -> Int64? {
        do {
            try limiter.admit(name, at: time)
            return nil
        } catch {
            guard case .rateLimited(let seconds) = error else { return -1 }
            return seconds
        }
    }

    @Test func bucketsFillAtTheirRate() {
        let limiter = RateLimiter(RateLimit(burst: 3, perMinute: 6), capacity: 10)
        for _ in 0..<3 { #expect(wait(limiter, [1], now) == nil) }
        #expect(wait(limiter, [1], now) == 10)
        #expect(wait(limiter, [2], now) == nil)
        #expect(wait(limiter, [1], time(9)) == 1)
        #expect(wait(limiter, [1], time(10)) == nil)
        #expect(wait(limiter, [1], time(10)) == 10)
        // A clock that was set back gives nothing.
        #expect(wait(limiter, [1], time(-1_000)) == 10)
        #expect(wait(limiter, [1], time(10)) == 10)
        // A long pause gives the burst and no more, at the ends of time too.
        for _ in 0..<3 { #expect(wait(limiter, [1], UnixTime(secondsSince1970: .max)) == nil) }
        #expect(wait(limiter, [1], UnixTime(secondsSince1970: .max)) == 10)
        #expect(wait(limiter, [3], UnixTime(secondsSince1970: .min)) == nil)
        #expect(wait(limiter, [3], UnixTime(secondsSince1970: .max)) == nil)
        let widest = RateLimiter(RateLimit(burst: .max, perMinute: .max), capacity: 1)
        for second in 0..<10 { #expect(wait(widest, [1], time(Int64(second))) == nil) }
    }

    @Test func manyNamesShareOneBucketAndResetNone() {
        let limiter = RateLimiter(RateLimit(burst: 2, perMinute: 1), capacity: 100)
        for _ in 0..<2 { #expect(wait(limiter, [0], now) == nil) }
        let admitted = (1...10_000).filter { wait(limiter, [1, UInt8($0 >> 8), UInt8($0 & 0xFF)], now) == nil }
        #expect(admitted.count == 99 + 2)
        #expect(wait(limiter, [0], now) == 60)
        // Full buckets are forgotten, and there is room again.
        #expect(wait(limiter, [2], time(120)) == nil)
        #expect(wait(limiter, [2], time(120)) == nil)
        #expect(wait(limiter, [3], time(120)) == nil)
    }

    @Test func requestsAreLimitedByKeyAndAccount() async throws {
        let party = relyingParty {
            $0.limits.challenges = RateLimit(burst: 3, perMinute: 1)
            $0.limits.registrations = RateLimit(burst: 1, perMinute: 1)
            $0.limits.requests = RateLimit(burst: 2, perMinute: 2)
            $0.limits.unattested = RateLimit(burst: 2, perMinute: 3)
        }
        let device = makeDevice()
        let client = Client(device)
        try await client.register(with: party, account: AccountID("user"))
        let authentication = try await client.authenticate(with: party)
        // Registration and authentication took two of the key's challenges, and one of the account's.
        _ = try await party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        #expect(
            await refusal { _ = try await client.authenticate(with: party) } == .rateLimited(retryAfter: 60))
        let second = await refusal { try await Client(device).register(with: party, account: AccountID("user")) }
        #expect(second == .rateLimited(retryAfter: 60))
        let token = party.session(from: authentication).token
        for _ in 0..<2 { _ = try await party.verifySession(token, at: now) }
        #expect(await refusal { _ = try await party.verifySession(token, at: now) } == .rateLimited(retryAfter: 30))
        _ = try await party.verifySession(token, at: time(30))
        // The unattested tier has its own allowance.
        let source = Array("192.0.2.1".utf8)
        let unattested = try party.unattestedSession(for: source, at: now)
        _ = try party.verifyUnattestedSession(unattested.token, at: now)
        #expect(
            await refusal { _ = try party.verifyUnattestedSession(unattested.token, at: now) }
                == .rateLimited(retryAfter: 20))
        #expect(
            await refusal { _ = try party.unattestedSession(for: source, at: now) } == .rateLimited(retryAfter: 20))
        _ = try party.unattestedSession(for: Array("192.0.2.2".utf8), at: now)
    }

    @Test func aFloodOfChallengesIsBounded() async throws {
        let store = InMemoryStore(capacity: InMemoryStore.Capacity(challenges: 100))
        let party = relyingParty(store: store)
        var last: Challenge?
        for i in 0..<5_000 {
            let keyID = [UInt8(i >> 8), UInt8(i & 0xFF)] + [UInt8](repeating: 0, count: 30)
            last = try await party.issueChallenge(purpose: .assertion, keyID: keyID, at: now)
            // Some are answered at once, which leaves holes.
            if i.isMultiple(of: 3), let last { _ = store.consumeChallenge(last.id) }
            #expect(store.count.challenges <= 100)
        }
        let newest = try #require(last)
        #expect(store.consumeChallenge(newest.id) == newest)
        // Expired ones leave by themselves.
        _ = try await party.issueChallenge(purpose: .assertion, keyID: [UInt8](repeating: 1, count: 32), at: time(60))
        #expect(store.count.challenges == 1)
    }
}

@Suite struct HTTPAnswerTests {
    @Test func statusesAndWords() {
        typealias Failure = AttestServerError<InMemoryStoreFull>
        let cases: [(Failure, Int, HTTPAnswer.Code)] = [
            (.refused(.unknownKey), 401, .unknownKey),
            (.refused(.verification(.invalidSignature)), 401, .refused),
            (.refused(.revokedKey), 401, .refused),
            (.refused(.malformedRequest), 401, .refused),
            (.refused(.expiredToken), 401, .refused),
            (.refused(.challengeNotFound), 409, .replay),
            (.refused(.challengeExpired), 409, .replay),
            (.refused(.verification(.counterNotIncreased(previous: 2, received: 1))), 409, .replay),
            (.refused(.verification(.counterReplayed(1))), 409, .replay),
            (.refused(.contended), 429, .tooManyRequests),
            (.refused(.rateLimited(retryAfter: 7)), 429, .tooManyRequests),
            (.store(InMemoryStoreFull()), 503, .serverUnavailable),
        ]
        for (error, status, code) in cases {
            let precise = error.answer(.precise)
            #expect(precise.status == status && precise.code == code)
            let uniform = error.answer(.uniform)
            #expect(uniform == (status == 401 || status == 409 ? HTTPAnswer.refusedAnswer : precise))
        }
        #expect(Refusal.rateLimited(retryAfter: 7).answer(.uniform).retryAfter == 7)
    }
}

extension HTTPAnswer {
    fileprivate static var refusedAnswer: HTTPAnswer { Refusal.revokedKey.answer(.precise) }
}
