public import PureAttest

extension RelyingParty {
    /// Claims due receipts to send to Apple, at most `limit` (clamped to 1…1000), of this relying party's apps and
    /// environment. A claim applies to all processes and lasts ten minutes. Then the receipt is due again, unless
    /// ``storeAnswer(_:for:at:risk:)`` has stored an answer.
    public func claimDueReceipts(limit: Int, at time: UnixTime) async throws(Failure) -> [DueReceipt] {
        do {
            return try await store.claimDueReceipts(
                of: rules.receiptScope, at: time, until: time.adding(ReceiptTimes.claim),
                limit: min(max(limit, 1), 1_000)
            ).compactMap { DueReceipt(record: $0) }
        } catch { throw .store(error) }
    }

    /// Verifies and stores the receipt in Apple's answer, and schedules the next query.
    ///
    /// Calls `risk` with a new receipt before storing the receipt, so that you can read its
    /// `VerifiedReceipt.riskMetric`.
    ///
    /// - Returns: the new state of the receipt.
    /// - Throws: the reason why a new receipt is rejected, or the store's error. After a rejection, the old receipt is
    ///   due a day later.
    @discardableResult
    public func storeAnswer(
        _ answer: ReceiptRefreshAnswer, for due: DueReceipt, at time: UnixTime,
        risk: (VerifiedReceipt) -> Void = { _ in }
    ) async throws(Failure) -> ReceiptState {
        try await run(rules.storeAnswer(answer, for: due, at: time, risk: risk) { $0 })
    }
}
