public import PureAttest

extension RelyingPartyRules {
    /// Decides whether a budget has room for a request: `RelyingParty.spendBudget(_:by:from:at:)`. The outcome contains
    /// the charged row and the new balance.
    ///
    /// `allowance` replaces the configured budget.
    public func spendBudget<Outcome>(
        _ units: Int64, keyID: [UInt8], account: AccountID?, from allowance: BudgetAllowance? = nil, at time: UnixTime,
        _ accept: @escaping (ChargedBudget) -> Outcome
    ) throws(Refusal) -> Decision<Outcome> {
        guard units == BudgetAmount.clamped(units) else { throw .malformedRequest }
        let allowance = allowance ?? self.allowance(keyID: keyID, account: account)
        let budget = allowance.budget
        let row = allowance.row(environment: verifier.environment, at: time)
        return .spendBudget(units, in: row, upTo: budget.limit, at: time) { spent in
            if let spent {
                let charged = ChargedBudget(units: units, balance: budget.balance(of: row, used: spent), row: row)
                return .accepted(accept(charged))
            }
            return .usedBudget(in: row) { used throws(Refusal) in
                let balance = budget.balance(of: row, used: used)
                // The wait is at least one second. It is at most one period, so the subtraction does not overflow.
                let wait = max(balance.resetsAt.secondsSince1970 - time.secondsSince1970, 1)
                throw .budgetSpent(balance, retryAfter: wait)
            }
        }
    }

    /// Asks for the balance of a session's budget: `RelyingParty.budgetBalance(of:from:at:)`. `allowance` replaces the
    /// configured budget.
    public func budgetBalance<Outcome>(
        keyID: [UInt8], account: AccountID?, from allowance: BudgetAllowance? = nil, at time: UnixTime,
        _ accept: @escaping (BudgetBalance) -> Outcome
    ) -> Decision<Outcome> {
        let allowance = allowance ?? self.allowance(keyID: keyID, account: account)
        let row = allowance.row(environment: verifier.environment, at: time)
        return .usedBudget(in: row) { used in .accepted(accept(allowance.budget.balance(of: row, used: used))) }
    }

    /// Settles a reservation: `RelyingParty.settle(_:used:)`. If `used` is `nil`, all reserved units stay charged.
    public func settle<Outcome>(
        _ row: BudgetPeriod, reserved: Int64, used: Int64?, _ accept: @escaping () -> Outcome
    ) -> Decision<Outcome> {
        guard let used, used >= 0, used != reserved else { return .accepted(accept()) }
        return .settleBudget(row, reserved: reserved, used: BudgetAmount.clamped(used)) { .accepted(accept()) }
    }

    /// If no budget is configured, the allowance permits no request.
    private func allowance(keyID: [UInt8], account: AccountID?) -> BudgetAllowance {
        BudgetAllowance(
            configuration.budget ?? Budget(days: 1, requests: 0, units: 0), keyID: keyID, account: account)
    }
}

/// The result of charging a request's maximum use to a budget.
public struct ChargedBudget: Hashable, Sendable {
    /// The reserved units.
    public let units: Int64
    /// The balance after this reservation.
    public let balance: BudgetBalance
    /// The row that was charged.
    public let row: BudgetPeriod
}
