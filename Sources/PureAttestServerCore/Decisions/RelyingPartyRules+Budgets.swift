public import PureAttest

extension RelyingPartyRules {
    /// Decides on a request of a key or its account: `RelyingParty.spendBudget(_:by:at:)`. Accepts with the row that was
    /// charged and the balance after it.
    public func spendBudget(
        _ units: Int64, keyID: [UInt8], account: AccountID?, at time: UnixTime
    ) throws(Refusal) -> Decision<ChargedBudget> {
        guard units == BudgetAmount.clamped(units) else { throw .malformedRequest }
        let budget = budget
        let row = budget.row(keyID: keyID, account: account, environment: verifier.environment, at: time)
        return .spendBudget(units, in: row, upTo: budget.limit, at: time) { spent in
            if let spent {
                return .accepted(
                    ChargedBudget(units: units, balance: budget.balance(of: row, used: spent), row: row))
            }
            return .usedBudget(in: row) { used throws(Refusal) in
                let balance = budget.balance(of: row, used: used)
                // The wait is at least a second. It is at most a period, so the subtraction does not overflow.
                let wait = max(balance.resetsAt.secondsSince1970 - time.secondsSince1970, 1)
                throw .budgetSpent(balance, retryAfter: wait)
            }
        }
    }

    /// Asks for the balance of a session's budget: `RelyingParty.budgetBalance(of:at:)`.
    public func budgetBalance(of session: Session, at time: UnixTime) -> Decision<BudgetBalance> {
        let budget = budget
        let row = budget.row(
            keyID: session.keyID, account: session.account, environment: verifier.environment, at: time)
        return .usedBudget(in: row) { used in .accepted(budget.balance(of: row, used: used)) }
    }

    /// Returns the units to settle a reservation with; `nil` if all reserved units stay charged.
    public static func settledUnits(of used: Int64?, reserved: Int64) -> Int64? {
        guard let used, used >= 0, used != reserved else { return nil }
        return BudgetAmount.clamped(used)
    }

    /// The configured budget. If no budget is configured, a budget with no allowance.
    private var budget: Budget { configuration.budget ?? Budget(days: 1, requests: 0, units: 0) }
}

/// A budget that was charged the most that a request can use.
public struct ChargedBudget: Hashable, Sendable {
    /// The units that are reserved.
    public let units: Int64
    /// The balance after this reservation.
    public let balance: BudgetBalance
    /// The row that was charged.
    public let row: BudgetPeriod
}
