import DebugSampling
import PureAttest
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

@Suite struct EnrolmentTests {
    private func ask(
        _ party: TestParty, _ number: Int, account: AccountID? = nil, clientAddress: ClientAddress? = nil,
        purpose: Challenge.Purpose = .attestation, at moment: UnixTime = now
    ) async -> Refusal? {
        await rejection {
            let keyID = [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] + [UInt8](repeating: 0, count: 30)
            _ = try party.issueChallenge(
                purpose: purpose, keyID: keyID, account: account, clientAddress: clientAddress, at: moment)
        }
    }

    private func party(_ change: (inout Enrolment) -> Void) -> TestParty {
        relyingParty {
            $0.limits.enrolmentsPerAccount = nil
            change(&$0.enrolment)
        }
    }

    /// Each process admits its share, so that together they admit exactly the configured rate in every second.
    @Test(arguments: [1, 4] as [UInt32])
    func theEnrolmentRateIsShared(_ processes: UInt32) async throws {
        let parties = (0..<processes).map { _ in
            party {
                $0.keysPerSecond = 40
                $0.processCount = processes
            }
        }
        var admitted: [Int] = []
        for second in 0..<5 as Range<Int64> {
            var count = 0
            for party in parties {
                for number in 0..<100 where await ask(party, number, at: time(second)) == nil { count += 1 }
            }
            admitted.append(count)
        }
        #expect(admitted == [40, 40, 40, 40, 40])
        #expect(await ask(parties[0], 0, at: time(4)) == .enrolmentDeferred(retryAfter: 1))
        #expect(await ask(parties[0], 0, purpose: .assertion, at: time(4)) == nil)
    }

    @Test func paceAtItsEnds() {
        var enrolment = Enrolment()
        #expect(enrolment.limit == RateLimit(burst: 50, perMinute: 3_000))
        enrolment.processCount = 0
        #expect(enrolment.limit == RateLimit(burst: 50, perMinute: 3_000))
        enrolment.processCount = .max
        #expect(enrolment.limit == RateLimit(burst: 1, perMinute: 1))
        enrolment.keysPerSecond = .max
        #expect(enrolment.limit == RateLimit(burst: 1, perMinute: 60))
        enrolment.processCount = 1
        #expect(enrolment.limit == RateLimit(burst: .max, perMinute: .max))
        enrolment.keysPerSecond = 0
        #expect(enrolment.limit == RateLimit(burst: 1, perMinute: 1))
        enrolment.keysPerSecond = nil
        #expect(enrolment.limit == nil)
    }
    @Test func oneAccountDoesNotUseUpTheEnrolmentRate() async throws {
        let party = relyingParty {
            $0.limits.enrolmentsPerAccount = RateLimit(burst: 2, perMinute: 1)
            $0.enrolment.keysPerSecond = 4
        }
        for number in 0..<2 { #expect(await ask(party, number, account: AccountID("a")) == nil) }
        for number in 2..<50 {
            #expect(await ask(party, number, account: AccountID("a")) == .rateLimited(retryAfter: 60))
        }
        for number in 0..<2 { #expect(await ask(party, number, account: AccountID("b")) == nil) }
        #expect(await ask(party, 0, account: AccountID("c")) == .enrolmentDeferred(retryAfter: 1))
    }

    /// For requests without an account, the limit applies to the client address, whatever keys the requests name.
    @Test func oneAddressDoesNotUseUpTheEnrolmentRate() async throws {
        let party = relyingParty {
            $0.limits.enrolmentsPerClientAddress = RateLimit(burst: 2, perMinute: 1)
            $0.enrolment.keysPerSecond = 4
        }
        let addresses = (0..<4).map { ClientAddress(bytes: [$0]) }
        for number in 0..<2 { #expect(await ask(party, number, clientAddress: addresses[0]) == nil) }
        for number in 2..<50 {
            #expect(await ask(party, number, clientAddress: addresses[0]) == .enrolmentDeferred(retryAfter: 60))
        }
        #expect(await ask(party, 2, clientAddress: addresses[0], purpose: .assertion) == nil)
        // An account has its own allowance, whatever its client address.
        #expect(await ask(party, 0, account: AccountID("a"), clientAddress: addresses[0]) == nil)
        #expect(await ask(party, 0, clientAddress: addresses[1]) == nil)
        // A client that must wait because of the global rate keeps its own allowance.
        for _ in 0..<20 {
            #expect(await ask(party, 0, clientAddress: addresses[2]) == .enrolmentDeferred(retryAfter: 1))
        }
        for second in 1...2 as ClosedRange<Int64> {
            #expect(await ask(party, 0, clientAddress: addresses[2], at: time(second)) == nil)
        }
        #expect(await ask(party, 0, clientAddress: addresses[2], at: time(3)) == .enrolmentDeferred(retryAfter: 58))
    }
    @Test func theEnrolmentRateTakesNothingFromAccounts() async throws {
        let party = relyingParty {
            $0.limits.enrolmentsPerAccount = RateLimit(burst: 2, perMinute: 1)
            $0.enrolment.keysPerSecond = 1
        }
        #expect(await ask(party, 0, account: AccountID("a")) == nil)
        for number in 0..<20 {
            #expect(await ask(party, number, account: AccountID("b")) == .enrolmentDeferred(retryAfter: 1))
        }
        for second in 1...2 as ClosedRange<Int64> {
            #expect(await ask(party, 0, account: AccountID("b"), at: time(second)) == nil)
        }
        #expect(await ask(party, 0, account: AccountID("b"), at: time(3)) == .rateLimited(retryAfter: 58))
    }

    @Test func sharesGrow() async throws {
        let accounts = (0..<2_000).map { AccountID("user \($0)") }
        var before = Set<AccountID>()
        for perThousand in [0, 1, 100, 500, 999, 1_000, 2_000, .max] as [UInt32] {
            var enrolment = Enrolment()
            enrolment.rollout = .share(perThousand: perThousand)
            let admitted = Set(accounts.filter { enrolment.wait(for: $0.bytes, at: now) == nil })
            #expect(admitted.isSuperset(of: before))
            // Allows a deviation of five standard deviations. One standard deviation is at most √(2000 · ¼) ≈ 22.
            #expect(abs(admitted.count - 2 * Int(min(perThousand, 1_000))) <= 112)
            // If the share is 0 % or 100 %, the number of admitted accounts is exact.
            if perThousand == 0 { #expect(admitted.isEmpty) }
            if perThousand >= 1_000 { #expect(admitted.count == 2_000) }
            before = admitted
        }
        let party = party { $0.rollout = .share(perThousand: 0) }
        #expect(await ask(party, 1, account: accounts[0]) == .enrolmentDeferred(retryAfter: nil))
        #expect(await ask(party, 1) == .enrolmentDeferred(retryAfter: nil))
    }

    /// An account keeps its place in the roll-out, in every process and at any time, unless the roll-out is renamed.
    @Test func placesAreStable() {
        func admitted(_ name: String) -> [Int] {
            var enrolment = Enrolment()
            enrolment.rollout = .share(perThousand: 100)
            enrolment.rolloutName = name
            return (0..<100).filter { enrolment.wait(for: Array("user \($0)".utf8), at: now) == nil }
        }
        #expect(admitted("") == [10, 19, 20, 32, 35, 48, 53, 75, 76, 78, 79, 85, 92, 99])
        #expect(admitted("") != admitted("second") && admitted("second") == admitted("second"))
    }

    @Test func accountsEnrolEvenly() {
        var enrolment = Enrolment()
        enrolment.rollout = .gradual(from: now, until: time(1_000))
        let names = (0..<1_000).map { Array("user \($0)".utf8) }
        var before = 0
        let seconds = Array(stride(from: -10, through: 1_000, by: 10) as StrideThrough<Int64>)
        for second in debugSample(seconds, every: 10, from: 1, of: "moments of a roll-out") {
            let waits = names.map { enrolment.wait(for: $0, at: time(second)) }
            let count = waits.filter { $0 == nil }.count
            #expect(count >= before && abs(count - Int(max(second, 0))) <= 80)
            before = count
            for (name, wait) in zip(names, waits) {
                guard case .seconds(let seconds) = wait else { continue }
                #expect(seconds > 0 && enrolment.wait(for: name, at: time(second + seconds)) == nil)
                #expect(enrolment.wait(for: name, at: time(second + seconds - 1)) != nil)
            }
        }
        #expect(before == 1_000)
    }

    /// A device's place between start and end is fixed, so its wait is proportional to the roll-out's length.
    @Test func turnsScaleWithTheLength() {
        var enrolment = Enrolment()
        func turn(_ number: UInt8, in length: Int64) -> Int64? {
            enrolment.rollout = .gradual(from: now, until: time(length))
            guard case .seconds(let seconds) = enrolment.wait(for: [number], at: now) else { return nil }
            return seconds
        }
        for number in 0..<20 as Range<UInt8> {
            let place = turn(number, in: 1 << 32)
            #expect(place != nil)
            for bits in [1, 8, 27] { #expect(turn(number, in: 1 << (32 + bits)) == place.map { $0 << bits }) }
            #expect(turn(number, in: 1 << 20) == place.map { $0 >> 12 })
        }
        // In a roll-out of length zero, all devices wait until its end.
        for start in [now, time(10)] {
            enrolment.rollout = .gradual(from: start, until: now)
            for number in 0..<20 as Range<UInt8> {
                #expect(enrolment.wait(for: [number], at: time(-5)) == .seconds(5))
                #expect(enrolment.wait(for: [number], at: now) == nil)
            }
        }
    }

    @Test func rolloutsAtTheEndsOfTime() {
        var enrolment = Enrolment()
        let (first, last) = (UnixTime(secondsSince1970: .min), UnixTime(secondsSince1970: .max))
        for (start, end) in [(first, last), (last, first), (now, now), (last, last), (first, first), (time(1), now)] {
            enrolment.rollout = .gradual(from: start, until: end)
            for moment in [first, now, last] {
                for number in 0..<20 as Range<UInt8> {
                    let wait = enrolment.wait(for: [number], at: moment)
                    if moment >= end { #expect(wait == nil) }
                    if case .seconds(let seconds) = wait { #expect(seconds > 0) }
                }
            }
        }
    }

    @Test func clientsAreToldToWait() {
        for policy in [AnswerPolicy.precise, .uniform] {
            #expect(
                Refusal.enrolmentDeferred(retryAfter: 5).answer(policy)
                    == HTTPAnswer(status: 429, code: .enrolLater, retryAfter: 5))
            #expect(
                Refusal.enrolmentDeferred(retryAfter: nil).answer(policy)
                    == HTTPAnswer(status: 429, code: .enrolLater, retryAfter: nil))
        }
    }
}
