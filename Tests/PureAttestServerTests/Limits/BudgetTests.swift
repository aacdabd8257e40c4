import PureAttest
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

@Suite struct BudgetTests {
    private func session(_ budget: Budget?, _ client: Client = Client()) async throws -> (TestParty, Session) {
        let party = relyingParty { $0.budget = budget }
        let registration = try await client.register(with: party)
        return (party, try await party.verifySession(party.session(from: registration).token, at: now))
    }

    private func rejection(_ party: TestParty, _ units: Int64, _ session: Session, at time: UnixTime = now) async
        -> Refusal?
    {
        await PureAttestServerTests.rejection { _ = try await party.spendBudget(units, by: session, at: time) }
    }

    @Test func everyRequestAndUnitCanBeUsed() async throws {
        let (party, session) = try await session(Budget(days: 1, requests: 3, units: 100))
        let end = at(1_789_473_600 / day * day + day)
        let first = try await party.spendBudget(60, by: session, at: now)
        #expect(
            first.units == 60 && first.balance == BudgetBalance(remaining: .init(requests: 2, units: 40), resetsAt: end)
        )
        let left = BudgetBalance(remaining: BudgetAmount(requests: 2, units: 40), resetsAt: end)
        #expect(await rejection(party, 41, session) == .budgetSpent(left, retryAfter: day / 2))
        #expect(try await party.budgetBalance(of: session, at: now) == left)
        #expect(try await party.spendBudget(40, by: session, at: now).balance.remaining == .init(requests: 1, units: 0))
        #expect(try await party.spendBudget(0, by: session, at: now).balance.remaining == .init(requests: 0, units: 0))
        guard case .budgetSpent(let nothing, _) = await rejection(party, 0, session) else { Issue.record(); return }
        #expect(nothing.remaining == .init(requests: 0, units: 0))
        let other = try await Client(makeDevice(seed: 8)).register(with: party)
        let othersSession = try await party.verifySession(party.session(from: other).token, at: now)
        #expect(try await party.spendBudget(100, by: othersSession, at: now).balance.remaining.units == 0)
    }

    @Test func withoutABudgetEveryUseIsRejected() async throws {
        let (party, session) = try await session(nil)
        for units in [0, 1] as [Int64] {
            guard case .budgetSpent = await rejection(party, units, session) else { Issue.record(); return }
        }
    }

    @Test func invalidUnitsAreRejected() async throws {
        let (party, session) = try await session(Budget(days: 1, requests: 9, units: .max))
        for units in [-1, .min, BudgetAmount.maximum + 1, .max] as [Int64] {
            #expect(await rejection(party, units, session) == .malformedRequest)
        }
        let balance = try await party.budgetBalance(of: session, at: now)
        #expect(balance.remaining == BudgetAmount(requests: 9, units: BudgetAmount.maximum))
        #expect(try await party.spendBudget(BudgetAmount.maximum, by: session, at: now).balance.remaining.units == 0)
    }

    @Test func settlingGivesBackOrTakesMore() async throws {
        let (party, session) = try await session(Budget(days: 1, requests: 9, units: 100))
        func left() async throws -> Int64 { try await party.budgetBalance(of: session, at: now).remaining.units }
        let small = try await party.spendBudget(60, by: session, at: now)
        try await party.settle(small, used: 10)
        #expect(try await left() == 90)
        // A reservation is settled once; later calls change nothing.
        try await party.settle(small, used: 0)
        try await party.settle(small, used: 90)
        #expect(try await left() == 90)
        let large = try await party.spendBudget(50, by: session, at: now)
        try await party.settle(large, used: 400)
        #expect(try await left() == 0)
        guard case .budgetSpent = await rejection(party, 0, session) else { Issue.record(); return }
        #expect(party.store.usedBudget(in: large.row) == BudgetAmount(requests: 2, units: 410))
    }

    @Test(arguments: [nil, -1, .min, 60] as [Int64?]) func anUnknownUseKeepsTheReservation(used: Int64?) async throws {
        let (party, session) = try await session(Budget(days: 1, requests: 9, units: 100))
        let reservation = try await party.spendBudget(60, by: session, at: now)
        try await party.settle(reservation, used: used)
        try await party.settle(reservation, used: 0)
        #expect(try await party.budgetBalance(of: session, at: now).remaining.units == 40)
    }

    @Test func theLargestUseOverflowsNothing() async throws {
        let (party, session) = try await session(Budget(days: 1, requests: 9, units: 100))
        for _ in 0..<4 {
            let reservation = try? await party.spendBudget(0, by: session, at: now)
            if let reservation { try await party.settle(reservation, used: .max) }
        }
        #expect(try await party.budgetBalance(of: session, at: now).remaining == BudgetAmount(requests: 8, units: 0))
    }

    /// The next period begins with the whole budget. A reservation is settled in the period in which it was made.
    @Test func aPeriodEndsWithItsLastSecond() async throws {
        for days in [1, 7, 30] as [Int64] {
            let (party, session) = try await session(Budget(days: days, requests: 1, units: 10))
            let length = days * day
            let start = now.secondsSince1970 / length * length
            let (first, last, next) = (at(start), at(start + length - 1), at(start + length))
            let reservation = try await party.spendBudget(10, by: session, at: first)
            #expect(reservation.balance.resetsAt == next)
            let nothing = BudgetBalance(remaining: .init(requests: 0, units: 0), resetsAt: next)
            #expect(await rejection(party, 1, session, at: first) == .budgetSpent(nothing, retryAfter: length))
            #expect(await rejection(party, 1, session, at: last) == .budgetSpent(nothing, retryAfter: 1))
            #expect(try await party.spendBudget(4, by: session, at: next).balance.remaining.units == 6)
            try await party.settle(reservation, used: 3)
            #expect(try await party.budgetBalance(of: session, at: last).remaining.units == 7)
            #expect(try await party.budgetBalance(of: session, at: next).remaining.units == 6)
        }
    }

    @Test func daysAreCountedAtTheEndsOfTime() {
        let budget = Budget(days: 1, requests: 1, units: 1)
        let times: [Int64] = [-86_401, -86_400, -1, 0, 86_399, 86_400]
        #expect(times.map { budget.periodEnd(at: at($0)) } == [-86_400, 0, 0, 86_400, 86_400, 172_800].map(at))
        for days in [1, 2, 3_660] as [Int64] {
            let budget = Budget(days: days, requests: 1, units: 1)
            for time in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
                let end = budget.periodEnd(at: at(time)).secondsSince1970
                #expect(end > time || time == .max || end == .max)
                #expect(end == .max || end.subtractingReportingOverflow(time).partialValue <= days * day)
            }
        }
    }

    @Test func extremeTimesDoNotTrap() async throws {
        let (party, session) = try await session(Budget(days: 3_660, requests: 1, units: 1))
        for time in [Int64.min, .max] {
            _ = try await party.spendBudget(1, by: session, at: at(time))
            guard case .budgetSpent(_, let wait) = await rejection(party, 1, session, at: at(time)) else {
                Issue.record()
                return
            }
            #expect(wait >= 1 && wait <= 3_660 * day)
            try await party.removeExpired(at: at(time))
        }
    }

    @Test func configuredNumbersAreKeptInRange() {
        let least = Budget(days: .min, requests: .min, units: -1)
        #expect(least.days == 1 && least.limit == BudgetAmount(requests: 0, units: 0) && least.holder == .key)
        let most = Budget(days: .max, requests: .max, units: BudgetAmount.maximum + 1, of: .account)
        #expect(most.days == 3_660 && most.limit.requests == BudgetAmount.maximum && most.holder == .account)
        #expect(most.limit.units == BudgetAmount.maximum)
    }

    /// By default, each key has its own budget. No key identifier can be confused with an account identifier.
    @Test func aBudgetIsTheKeysOrTheAccounts() async throws {
        for (holder, shared) in [(Budget.Holder.key, false), (.account, true)] {
            let party = relyingParty { $0.budget = Budget(days: 1, requests: 9, units: 10, of: holder) }
            let account = AccountID("user")
            var sessions: [Session] = []
            for seed in [7, 8] as [UInt64] {
                let registration = try await Client(makeDevice(seed: seed)).register(with: party, account: account)
                sessions.append(try await party.verifySession(party.session(from: registration).token, at: now))
            }
            _ = try await party.spendBudget(10, by: sessions[0], at: now)
            #expect(try await party.budgetBalance(of: sessions[1], at: now).remaining.units == (shared ? 0 : 10))
        }
        let budget = Budget(days: 1, requests: 1, units: 1, of: .account)
        let keyID = [UInt8](repeating: 7, count: 32)
        func row(_ budget: Budget, _ account: AccountID?) -> BudgetPeriod {
            BudgetAllowance(budget, keyID: keyID, account: account).row(environment: .production, at: now)
        }
        #expect(row(budget, nil) != row(budget, AccountID(bytes: keyID)))
        #expect(row(budget, nil) == row(Budget(days: 1, requests: 1, units: 1), AccountID("user")))
    }

    @Test func aSignedRequestUsesTheSameBudget() async throws {
        let client = Client()
        let (party, session) = try await session(Budget(days: 1, requests: 2, units: 10), client)
        _ = try await party.spendBudget(4, by: session, at: now)
        let authentication = try await client.authenticate(with: party)
        #expect(
            try await party.spendBudget(6, by: authentication, at: now).balance.remaining
                == .init(requests: 0, units: 0))
    }

    /// No session can use a revoked key's budget. Revoking the key does not give back the units that it has used.
    @Test func aRevokedKeyUsesNothing() async throws {
        let client = Client()
        let (party, session) = try await session(Budget(days: 1, requests: 2, units: 10), client)
        _ = try await party.spendBudget(4, by: session, at: now)
        let token = party.session(from: try await client.authenticate(with: party)).token
        try await party.revoke(keyID: client.keyID, at: now)
        await #expect(throws: TestParty.Failure.refused(.deniedToken)) { try await party.verifySession(token, at: now) }
        #expect(try await party.budgetBalance(of: session, at: now).remaining.units == 6)
    }

    /// If a server's clock lags by less than the clock skew, the store still contains this server's period.
    @Test func pastPeriodsAreForgottenOnceNoClockIsInThem() async throws {
        let (party, session) = try await session(Budget(days: 1, requests: 1, units: 1))
        let next = now.secondsSince1970 / day * day + day
        _ = try await party.spendBudget(1, by: session, at: at(next - 1))
        _ = try await party.spendBudget(1, by: session, at: at(next))
        func isUsedUp(_ seconds: Int64) async throws -> Bool {
            try await party.budgetBalance(of: session, at: at(seconds)).remaining.requests == 0
        }
        try await party.removeExpired(at: at(next + RelyingPartyConfiguration.clockMargin - 1))
        for seconds in [next - 1, next] { #expect(try await isUsedUp(seconds)) }
        try await party.removeExpired(at: at(next + RelyingPartyConfiguration.clockMargin))
        #expect(try await !isUsedUp(next - 1))
        #expect(try await isUsedUp(next))
    }

    @Test func ofRacingRequestsTheLastAllowanceIsOnes() async throws {
        let (party, session) = try await session(Budget(days: 1, requests: 100, units: 10))
        let winners = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask { (try? await party.spendBudget(10, by: session, at: now)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(winners == 1)
    }

    @Test func theAnswerSaysWhatIsLeftAndWhen() async throws {
        let (party, session) = try await session(Budget(days: 1, requests: 1, units: 10))
        let refusal = try #require(await rejection(party, 11, session))
        for policy in [AnswerPolicy.precise, .uniform] {
            let answer = refusal.answer(policy)
            #expect(answer.status == 429 && answer.code == .budgetSpent && answer.retryAfter == day / 2)
            #expect(answer.balance?.remaining == BudgetAmount(requests: 1, units: 10))
        }
        #expect(refusal.step == .limits)
        #expect(refusal.description == "budget exceeded: 1 requests and 10 units left; it renews in 43200 s")
        #expect(Refusal.rateLimited(retryAfter: 1).answer(.precise).balance == nil)
    }

    /// A full store rejects new budgets. It removes only periods, of any length, that have ended on every clock.
    @Test func aFullStoreForgetsNoCurrentBudget() throws {
        let store = InMemoryStore(keys: 1)
        let limit = BudgetAmount(requests: 5, units: 5)
        let margin = RelyingPartyConfiguration.clockMargin
        func row(_ days: Int64, at time: Int64) -> BudgetPeriod {
            BudgetAllowance(Budget(days: days, requests: 5, units: 5), keyID: [1], account: nil).row(
                environment: .production, at: at(time))
        }
        let (short, long) = (row(1, at: 0), row(30, at: 0))
        func use(_ row: BudgetPeriod, at time: Int64) throws -> BudgetAmount? {
            try store.spendBudget(1, in: row, upTo: limit, at: at(time))
        }
        #expect(try use(short, at: 0) != nil && use(long, at: 0) != nil)
        // There is room for new periods only after the day has ended on every clock. Existing rows stay usable.
        for time in [0, day, day + margin - 1] {
            #expect(throws: InMemoryStoreFull()) { try use(row(1, at: day), at: time) }
        }
        #expect(try use(short, at: day - 1) == BudgetAmount(requests: 2, units: 2))
        #expect(try use(row(1, at: day), at: day + margin) == BudgetAmount(requests: 1, units: 1))
        #expect(store.usedBudget(in: short).requests == 0)
        #expect(store.usedBudget(in: long).requests == 1)
        #expect(throws: InMemoryStoreFull()) { try use(row(1, at: 2 * day), at: 2 * day) }
    }

    @Test func aStoreThatIsOutOfOrderGivesNothingBack() async throws {
        let party = relyingParty(store: BrokenStore(.throwsAlways)) {
            $0.budget = Budget(days: 1, requests: 1, units: 1)
        }
        let (_, session) = try await session(nil)
        let failure = AttestServerError<BrokenStore.OutOfOrder>.store(BrokenStore.OutOfOrder())
        await #expect(throws: failure) { try await party.spendBudget(1, by: session, at: now) }
        await #expect(throws: failure) { try await party.budgetBalance(of: session, at: now) }
        let balance = BudgetBalance(remaining: BudgetAmount(requests: 0, units: 0), resetsAt: now)
        let reservation = BudgetReservation(
            ChargedBudget(units: 1, balance: balance, row: BudgetPeriod(holder: [1], end: now)))
        await #expect(throws: failure) { try await party.settle(reservation, used: 0) }
        // The failed call may have taken effect, so a second call could give the allowance back twice.
        try await party.settle(reservation, used: 0)
    }
}
