import PureAttest
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

/// Relying parties with different environments or period lengths share one store.
@Suite struct SharedBudgetTests {
    private func party<Store: RelyingPartyStore>(
        on store: Store, _ environment: Environment, days: Int64?
    ) -> RelyingParty<Store> {
        relyingParty(store: store, verifier: verifier(environment)) {
            $0.budget = days.map { Budget(days: $0, requests: 100, units: 1_000, of: .account) }
        }
    }

    /// Returns a session of `account`, from any relying party, because the issuer does not matter for the budget.
    private func session(of account: String) async throws -> Session {
        let party = relyingParty()
        let registration = try await Client().register(with: party, account: AccountID(account))
        return try await party.verifySession(party.session(from: registration).token, at: now)
    }

    /// Tries once per second, `times` times, to use 250 units, and returns the number of units used.
    private func use<Store: RelyingPartyStore>(
        _ party: RelyingParty<Store>, _ session: Session, times: Int = 8, at time: Int64, then: () async throws -> Void
    ) async throws -> Int64 {
        var used: Int64 = 0
        for attempt in 0..<times {
            do {
                _ = try await party.spendBudget(250, by: session, at: at(time + Int64(attempt)))
                used += 250
            } catch {
                guard case .refused(.budgetSpent) = error else { throw error }
            }
            try await then()
        }
        return used
    }

    private func partiesAreApart<Store: RelyingPartyStore>(on store: Store) async throws {
        let session = try await session(of: "user")
        // The start lies inside a period of 30 days, in which several periods of the other parties end.
        let start = now.secondsSince1970 / (30 * day) * 30 * day + 3 * day
        let production = party(on: store, .production, days: 30)
        let others = [
            party(on: store, .development, days: 1), party(on: store, .production, days: 7),
            party(on: store, .development, days: nil),
        ]
        var time = start
        let used = try await use(production, session, times: 20, at: start) {
            time += day
            for other in others { try await other.removeExpired(at: at(time)) }
        }
        #expect(used == 1_000)
        for (other, days) in zip(others, [1, 7] as [Int64]) {
            let balance = try await other.budgetBalance(of: session, at: at(start))
            #expect(balance.remaining == BudgetAmount(requests: 100, units: 1_000), "\(days)")
        }
        // After the period, any party that removes expired entries deletes the row, even a party without a budget.
        let end = start + 27 * day
        func left() async throws -> Int64 {
            try await production.budgetBalance(of: session, at: at(end - 1)).remaining.units
        }
        let margin = RelyingPartyConfiguration.clockMargin
        for other in others { try await other.removeExpired(at: at(end + margin - 1)) }
        #expect(try await left() == 0)
        try await others[2].removeExpired(at: at(end + margin))
        #expect(try await left() == 1_000)
    }

    @Test func partiesOnOneStoreDeleteNoBudgetsOfOthers() async throws {
        try await partiesAreApart(on: InMemoryStore())
        try await partiesAreApart(on: PythonSQLiteStore())
    }

    /// A changed period length deletes no periods, so the former balance returns together with the former length.
    @Test func aChangedLengthKeepsWhatWasUsed() async throws {
        let store = InMemoryStore()
        let session = try await session(of: "user")
        let start = now.secondsSince1970 / (30 * day) * 30 * day
        for (days, used) in [(30, 1_000), (1, 1_000), (30, 0), (7, 1_000), (1, 0), (30, 0)] as [(Int64, Int64)] {
            let party = party(on: store, .production, days: days)
            let got = try await use(party, session, at: start) {
                try await party.removeExpired(at: at(start + 60))
            }
            #expect(got == used, "\(days) days")
        }
    }

    @Test func aFullStoreDropsNoLivePeriodOfAnotherParty() async throws {
        let store = InMemoryStore(keys: 2)
        let start = now.secondsSince1970 / (30 * day) * 30 * day
        let production = party(on: store, .production, days: 30)
        let sessions = [try await session(of: "user"), try await session(of: "other")]
        _ = try await production.spendBudget(1_000, by: sessions[0], at: at(start))
        let development = party(on: store, .development, days: 1)
        for index in 0..<29 as Range<Int64> {
            for session in sessions {
                _ = try await development.spendBudget(1, by: session, at: at(start + index * day + 400))
            }
            #expect(
                try await production.budgetBalance(of: sessions[0], at: at(start)).remaining.units == 0, "day \(index)")
        }
    }

    @Test func aRowNamesKindEnvironmentLengthAndHolder() {
        let keyID = [UInt8](repeating: 7, count: 32)
        let time = at(now.secondsSince1970 / day * day)
        func row(_ days: Int64, _ holder: Budget.Holder, _ environment: Environment) -> BudgetPeriod {
            let budget = Budget(days: days, requests: 1, units: 1, of: holder)
            return BudgetAllowance(budget, keyID: keyID, account: AccountID("user"))
                .row(environment: environment, at: time)
        }
        #expect(
            row(1, .key, .production) == BudgetPeriod(holder: [1, 1, 0, 1] + keyID, end: time.adding(day)))
        #expect(row(3_660, .account, .development).holder == [2, 2, 14, 76] + Array("user".utf8))
        let ofPurchase = BudgetAllowance(Budget(days: 1, requests: 1, units: 1, of: .account), purchase: [9])
        #expect(ofPurchase.row(environment: .production, at: time).holder == [3, 1, 0, 1, 9])
        let rows = ([1, 7, 30, 256] as [Int64]).flatMap { days in
            Budget.Holder.allCases.flatMap { holder in
                [Environment.production, .development].map { row(days, holder, $0).holder }
            }
        }
        #expect(Set(rows).count == 16)
    }
}
