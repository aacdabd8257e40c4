public import PureAttest

extension RelyingParty {
    /// Takes a request and `units` from the budget of a session's key or account (``RelyingPartyConfiguration/budget``), or refuses.
    ///
    /// - Parameters:
    ///   - units: the most that the request can use, such as the limit that a language model is given; 0 to ``BudgetAmount/maximum``.
    ///     What it used is known afterwards: ``settle(_:used:)``.
    ///   - session: of this relying party; whether its key is revoked was looked at when it was verified.
    ///   - time: now.
    /// - Throws: ``Refusal/budgetSpent(_:retryAfter:)``, ``Refusal/malformedRequest``, or the store's error: then the units may be spent.
    public func spendBudget(
        _ units: Int64, by session: Session, at time: UnixTime
    ) async throws(Failure) -> BudgetReservation {
        try await spendBudget(units, keyID: session.keyID, account: session.account, at: time)
    }

    /// As the other, for a signed request.
    public func spendBudget<Signature>(
        _ units: Int64, by authentication: Authentication<Signature>, at time: UnixTime
    ) async throws(Failure) -> BudgetReservation {
        let record = authentication.record
        return try await spendBudget(units, keyID: record.key.keyID, account: record.account, at: time)
    }

    private func spendBudget(
        _ units: Int64, keyID: [UInt8], account: AccountID?, at time: UnixTime
    ) async throws(Failure) -> BudgetReservation {
        try await observed(.spendBudget, keyID: keyID, account: account, at: time) { _ throws(Failure) in
            guard units == BudgetAmount.clamped(units) else { throw .refused(.malformedRequest) }
            let budget = budget
            let row = budget.row(keyID: keyID, account: account, environment: verifier.environment, at: time)
            let spent = try await asked { () async throws(Store.Failure) in
                try await store.spendBudget(units, in: row, upTo: budget.limit, at: time)
            }
            if let spent {
                return BudgetReservation(units: units, balance: budget.balance(of: row, used: spent), row: row)
            }
            let used = try await asked { () async throws(Store.Failure) in try await store.usedBudget(in: row) }
            let balance = budget.balance(of: row, used: used)
            // At least a second, and at most a period, so that it does not overflow.
            let wait = max(balance.resetsAt.secondsSince1970 - time.secondsSince1970, 1)
            throw .refused(.budgetSpent(balance, retryAfter: wait))
        }
    }

    /// Says what a request used: the difference to what was reserved goes back to the budget, or is taken from it, in the period of the
    /// reservation. The budget may then be overdrawn, and the next request is refused.
    ///
    /// The first call for a reservation counts, and others do nothing: not even where the first one threw the store's error, as it may have
    /// taken effect. What is not given back stays spent.
    ///
    /// - Parameters:
    ///   - reservation: of the request.
    ///   - used: in units; `nil` if nobody knows: then all that was reserved. Less than 0 is nothing that anybody knows, and more than
    ///     ``BudgetAmount/maximum`` counts as that.
    public func settle(_ reservation: BudgetReservation, used: Int64?) async throws(Failure) {
        guard reservation.beginSettling(), let used, used >= 0, used != reservation.units else { return }
        try await asked { () async throws(Store.Failure) in
            try await store.settleBudget(
                reservation.row, reserved: reservation.units, used: BudgetAmount.clamped(used))
        }
    }

    /// What is left of a session's budget, and until when. Nothing is taken.
    public func budgetBalance(of session: Session, at time: UnixTime) async throws(Failure) -> BudgetBalance {
        let row = budget.row(
            keyID: session.keyID, account: session.account, environment: verifier.environment, at: time)
        let used = try await asked { () async throws(Store.Failure) in try await store.usedBudget(in: row) }
        return budget.balance(of: row, used: used)
    }

    /// Where none was configured nothing may be spent.
    private var budget: Budget { configuration.budget ?? Budget(days: 1, requests: 0, units: 0) }

    /// Deletes the rows of past periods, whichever relying party made them, once no clock of any process is in the period: an earlier
    /// deletion would begin it anew.
    func removePastBudgets(at time: UnixTime) async throws(Store.Failure) {
        try await store.removeBudgets(endedAt: time.minusClockMargin)
    }
}

extension UnixTime {
    /// The moment ``RelyingPartyConfiguration/clockMargin`` before this one, which has passed on the clocks of all processes; the first
    /// moment there is, instead of an earlier one.
    var minusClockMargin: UnixTime {
        let (difference, overflow) = secondsSince1970.subtractingReportingOverflow(
            RelyingPartyConfiguration.clockMargin)
        return UnixTime(secondsSince1970: overflow ? .min : difference)
    }
}
