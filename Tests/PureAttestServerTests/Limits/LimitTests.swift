import PureAttest
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

@Suite struct LimitTests {
    private func wait(_ limiter: RateLimiter, _ name: [UInt8], _ time: UnixTime) -> Int64? {
        limiter.admit(name, at: time)
    }

    @Test func bucketsFillAtTheirRate() {
        let limiter = RateLimiter(RateLimit(burst: 3, perMinute: 6), capacity: 10)
        for _ in 0..<3 { #expect(wait(limiter, [1], now) == nil) }
        #expect(wait(limiter, [1], now) == 10)
        #expect(wait(limiter, [2], now) == nil)
        #expect(wait(limiter, [1], time(9)) == 1)
        #expect(wait(limiter, [1], time(10)) == nil)
        #expect(wait(limiter, [1], time(10)) == 10)
        // Setting the clock back adds no allowance.
        #expect(wait(limiter, [1], time(-1_000)) == 10)
        #expect(wait(limiter, [1], time(10)) == 10)
        // A long pause refills the bucket only to the burst size, even at the first and last representable times.
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
        // Full buckets are removed to make room.
        #expect(wait(limiter, [2], time(120)) == nil)
        #expect(wait(limiter, [2], time(120)) == nil)
        #expect(wait(limiter, [3], time(120)) == nil)
    }

    private func drain(_ limiter: RateLimiter, _ name: [UInt8], _ time: UnixTime) {
        while wait(limiter, name, time) == nil {}
    }

    /// A single wrong clock must not block a name until the other clocks reach the wrong time.
    @Test(arguments: [100, 3_600, 1 << 40, -3_600] as [Int64])
    func oneWrongClockStarvesNobody(_ error: Int64) {
        let limiter = RateLimiter(RateLimit(burst: 3, perMinute: 6), capacity: 10)
        #expect(wait(limiter, [1], now) == nil)
        #expect(wait(limiter, [1], time(error)) == nil)
        drain(limiter, [1], now)
        drain(limiter, [2], now)
        for (seconds, expected) in [(0, 10), (9, 1), (10, nil), (10, 10)] as [(Int64, Int64?)] {
            for name in [[1], [2]] as [[UInt8]] { #expect(wait(limiter, name, time(seconds)) == expected) }
        }
        // A clock that lags by at most `LimiterClock.ordinaryLag` neither fills the bucket nor delays its refilling.
        #expect(wait(limiter, [1], time(-50)) == 10)
        #expect(wait(limiter, [1], time(10)) == 10)
        #expect(wait(limiter, [1], time(20)) == nil)
    }

    /// Two different clocks, a second or an hour apart, give no more allowance than one clock.
    @Test(arguments: [1, 2, 60, 61, 100, 3_600] as [Int64])
    func clocksInTurnGiveNothing(_ difference: Int64) {
        let limiter = RateLimiter(RateLimit(burst: 1, perMinute: 1), capacity: 10)
        _ = wait(limiter, [1], time(difference))
        drain(limiter, [1], now)
        drain(limiter, [1], time(difference))
        for _ in 0..<100 {
            #expect(wait(limiter, [1], now) != nil)
            #expect(wait(limiter, [1], time(difference)) != nil)
        }
        // While both clocks advance, they admit as many requests as one clock: two requests in two minutes.
        let admitted = (1...120 as ClosedRange<Int64>).reduce(into: 0) { admitted, second in
            for moment in [second, second + difference] where wait(limiter, [1], time(moment)) == nil { admitted += 1 }
        }
        #expect(admitted == 2)
    }

    /// A thread may read the clock before another thread and call the limiter after it, so times arrive out of order.
    @Test func secondsInAnyOrderGiveNothing() {
        let limiter = RateLimiter(RateLimit(burst: 1, perMinute: 1), capacity: 10)
        drain(limiter, [1], time(LimiterClock.ordinaryLag))
        for round in 0..<500 {
            let second = Int64(round * 7) % (LimiterClock.ordinaryLag + 1)
            #expect(wait(limiter, [1], time(second)) != nil)
        }
    }

    /// The search for full buckets takes time proportional to the capacity, so it runs only when the time has advanced
    /// by a second.
    @Test func fullBucketsAreLookedForWhenTimeMovesForward() {
        let limiter = RateLimiter(RateLimit(burst: 1_000, perMinute: 1), capacity: 20_000)
        for name in 0..<20_000 { _ = wait(limiter, [UInt8(name >> 8), UInt8(name & 0xFF)], now) }
        func duration(_ times: [UnixTime]) -> UInt64 {
            let start = threadProcessorTime()
            for time in times { _ = wait(limiter, [], time) }
            return threadProcessorTime() - start
        }
        let once = (1...3).map { duration([time($0)]) }.min() ?? 0
        for difference in [1, 61, 3_600] as [Int64] {
            let inTurn = (0..<200).map { time(3 + ($0.isMultiple(of: 2) ? 0 : difference)) }
            #expect(duration(inTurn) < once * 50)
        }
    }

    @Test func checkingTakesNothing() {
        let limiter = RateLimiter(RateLimit(burst: 1, perMinute: 1), capacity: 1)
        for name in 0..<100 as Range<UInt8> { #expect(limiter.check([name], at: now) == nil) }
        #expect(wait(limiter, [1], now) == nil)
        #expect(limiter.check([1], at: now) == 60)
        #expect(limiter.check([2], at: now) == nil)
        #expect(wait(limiter, [2], now) == nil)
        // The bucket that all other names share is now empty.
        #expect(limiter.check([3], at: now) == 60)
    }
    @Test(arguments: [SessionUse.untilRevoked, .once])
    func deniedTokensTakeNothingFromTheirKey(_ use: SessionUse) async throws {
        let (party, client) = try await registered {
            $0.sessionUse = use
            $0.limits.sessionRequestsPerKey = RateLimit(burst: 2, perMinute: 1)
        }
        func token() async throws -> [UInt8] { party.session(from: try await client.authenticate(with: party)).token }
        let (denied, good) = (try await token(), [try await token(), try await token()])
        if use == .once {
            _ = try await party.verifySession(denied, at: now)
        } else {
            try await party.endSession(party.verifySession(denied, at: now))
        }
        func verdict(_ token: [UInt8], _ seconds: Int64) async -> Refusal? {
            await rejection { _ = try await party.verifySession(token, at: time(seconds)) }
        }
        let denial: Refusal = use == .once ? .tokenConsumed : .deniedToken
        for _ in 0..<10 { #expect(await verdict(denied, 0) == denial) }
        #expect(await verdict(good[0], 0) == nil)
        // A rejection by the rate limit neither marks a token as denied nor consumes a single-use token.
        #expect(await verdict(good[1], 0) == .rateLimited(retryAfter: 60))
        #expect(await verdict(denied, 0) == denial)
        #expect(await verdict(good[1], 60) == nil)
        try await party.revoke(keyID: client.keyID, at: now)
        for _ in 0..<10 { #expect(await verdict(good[1], 120) == .deniedToken) }
    }

    @Test func requestsAreLimitedByKeyAndAccount() async throws {
        let party = relyingParty {
            $0.limits.authenticationsPerKey = RateLimit(burst: 2, perMinute: 1)
            $0.limits.enrolmentsPerAccount = RateLimit(burst: 1, perMinute: 1)
            $0.limits.sessionRequestsPerKey = RateLimit(burst: 2, perMinute: 2)
            $0.limits.unattestedRequestsPerClientAddress = RateLimit(burst: 2, perMinute: 3)
        }
        let device = makeDevice()
        let client = Client(device)
        try await client.register(with: party, account: AccountID("user"))
        let authentication = try await client.authenticate(with: party)
        // A request without a valid signature does not consume the allowance of the key that it names.
        let stranger = Client(makeDevice(seed: 9))
        try await stranger.register(with: relyingParty())
        for _ in 0..<10 {
            let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
            let assertion = try stranger.assertion(challenge.value)
            #expect(
                await client.refusal(of: assertion, challenge.value, by: party) == .verification(.invalidSignature))
        }
        _ = try await client.authenticate(with: party)
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        let assertion = try client.assertion(challenge.value)
        func third(_ seconds: Int64) async -> Refusal? {
            await client.refusal(of: assertion, challenge.value, by: party, at: time(seconds))
        }
        #expect(await third(0) == .rateLimited(retryAfter: 60))
        #expect(await third(59) == .rateLimited(retryAfter: 1))
        let second = await rejection { try await Client(device).register(with: party, account: AccountID("user")) }
        #expect(second == .rateLimited(retryAfter: 60))
        let token = party.session(from: authentication).token
        for _ in 0..<2 { _ = try await party.verifySession(token, at: now) }
        #expect(await rejection { _ = try await party.verifySession(token, at: now) } == .rateLimited(retryAfter: 30))
        _ = try await party.verifySession(token, at: time(30))
        let address = Array("192.0.2.1".utf8)
        let unattested = try party.unattestedSession(for: ClientAddress(bytes: address), at: now)
        _ = try party.verifyUnattestedSession(unattested.token, at: now)
        #expect(
            await rejection { _ = try party.verifyUnattestedSession(unattested.token, at: now) }
                == .rateLimited(retryAfter: 20))
        #expect(
            await rejection { _ = try party.unattestedSession(for: ClientAddress(bytes: address), at: now) }
                == .rateLimited(retryAfter: 20))
        _ = try party.unattestedSession(for: ClientAddress(bytes: Array("192.0.2.2".utf8)), at: now)
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
            (.refused(.deniedToken), 401, .refused),
            (.refused(.tokenConsumed), 409, .consumed),
            (.refused(.challengeConsumed), 409, .consumed),
            (.refused(.challengeNotIssued), 409, .replay),
            (.refused(.challengeExpired), 409, .replay),
            (.refused(.verification(.counterNotIncreased(previous: 2, received: 1))), 409, .overtaken),
            (.refused(.verification(.counterReplayed(1))), 409, .overtaken),
            (.refused(.verification(.challengeMismatch)), 401, .refused),
            (.refused(.contended), 429, .tooManyRequests),
            (.refused(.rateLimited(retryAfter: 7)), 429, .tooManyRequests),
            (.store(InMemoryStoreFull()), 503, .serverUnavailable),
        ]
        for (error, status, code) in cases {
            let precise = error.answer(.precise)
            #expect(precise.status == status && precise.code == code)
            let uniform = error.answer(.uniform)
            #expect(uniform == (status == 401 || status == 409 ? Refusal.revokedKey.answer(.precise) : precise))
        }
        #expect(Refusal.rateLimited(retryAfter: 7).answer(.uniform).retryAfter == 7)
        #expect(Refusal.contended.answer(.precise).retryAfter == 1)
    }
}
