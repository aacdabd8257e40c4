public import PureAttest

extension RelyingParty {
    /// Charges one request and `units` to the budget of a session's key or account
    /// (``/PureAttestServerCore/RelyingPartyConfiguration/budget``).
    ///
    /// - Parameters:
    ///   - units: the maximum number of units that the request can use, such as the token limit of a language model;
    ///     from 0 to ``/PureAttestServerCore/BudgetAmount/maximum``. Report the actual use with ``settle(_:used:)``.
    ///   - session: a session of this relying party. This call does not check whether the session's key is revoked, so
    ///     verify the session first.
    ///   - allowance: the allowance of the session's purchase, which replaces the configured budget. Obtain it in each
    ///     request from `Purchases.allowance(of:at:)` of `PureAttestPurchases`.
    ///   - time: now.
    /// - Throws: ``/PureAttestServerCore/Refusal/budgetSpent(_:retryAfter:)``,
    ///   ``/PureAttestServerCore/Refusal/malformedRequest``, or the store's error. After a store error, the units may
    ///   already be charged.
    public func spendBudget(
        _ units: Int64, by session: Session, from allowance: BudgetAllowance? = nil, at time: UnixTime
    ) async throws(Failure) -> BudgetReservation {
        try await spendBudget(units, keyID: session.keyID, account: session.account, from: allowance, at: time)
    }

    /// Charges a signed request and `units` to the budget of its key or account.
    public func spendBudget<Signature>(
        _ units: Int64, by authentication: Authentication<Signature>, from allowance: BudgetAllowance? = nil,
        at time: UnixTime
    ) async throws(Failure) -> BudgetReservation {
        let record = authentication.record
        return try await spendBudget(
            units, keyID: record.key.keyID, account: record.account, from: allowance, at: time)
    }

    private func spendBudget(
        _ units: Int64, keyID: [UInt8], account: AccountID?, from allowance: BudgetAllowance?, at time: UnixTime
    ) async throws(Failure) -> BudgetReservation {
        let charged = try await decide(.spendBudget, keyID: keyID, account: account, at: time) { () throws(Refusal) in
            try rules.spendBudget(units, keyID: keyID, account: account, from: allowance, at: time) { $0 }
        }
        return BudgetReservation(charged)
    }

    /// Records the units that a request used. Credits unused units, or charges additional units, in the reservation's
    /// period. An additional charge may overdraw the budget. While the budget is overdrawn, it rejects all requests of
    /// the period.
    ///
    /// Only the first call for a reservation has an effect. A repeated call does nothing, even after a store error,
    /// because the first call may have taken effect. Units that are not credited stay charged.
    ///
    /// Values of `used` above ``/PureAttestServerCore/BudgetAmount/maximum`` are clamped to it. If `used` is `nil` or
    /// negative, all reserved units stay charged.
    public func settle(_ reservation: BudgetReservation, used: Int64?) async throws(Failure) {
        guard reservation.beginSettling() else { return }
        try await run(rules.settle(reservation.row, reserved: reservation.units, used: used) {})
    }

    /// Returns the balance of a session's budget without charging it.
    public func budgetBalance(
        of session: Session, from allowance: BudgetAllowance? = nil, at time: UnixTime
    ) async throws(Failure) -> BudgetBalance {
        try await run(
            rules.budgetBalance(keyID: session.keyID, account: session.account, from: allowance, at: time) { $0 })
    }
}
