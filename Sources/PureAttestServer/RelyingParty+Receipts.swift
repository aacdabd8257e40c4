public import PureAttest

extension RelyingParty {
    /// Claims up to `limit` due receipts (clamped to 1…1000) to send to Apple. A claim lasts ten minutes, across all
    /// processes. If ``storeAnswer(_:for:at:risk:)`` does not store an answer by then, the receipt becomes due again.
    public func claimDueReceipts(limit: Int, at time: UnixTime) async throws(Failure) -> [DueReceipt] {
        do {
            return try await store.claimDueReceipts(
                at: time, until: time.adding(ReceiptTimes.claim), limit: min(max(limit, 1), 1_000)
            ).compactMap { DueReceipt(record: $0) }
        } catch { throw .store(error) }
    }

    /// Verifies and stores the receipt in Apple's answer, and schedules the next query.
    ///
    /// - Parameters:
    ///   - answer: Apple's answer.
    ///   - due: the receipt that was sent.
    ///   - time: now.
    ///   - risk: called with a new receipt, including its `VerifiedReceipt.riskMetric`, before it is stored.
    /// - Returns: the new state of the receipt.
    /// - Throws: why a new receipt is rejected, or the store's error. After a rejection the old receipt is kept, and
    ///   due again a day later.
    @discardableResult
    public func storeAnswer(
        _ answer: ReceiptRefreshAnswer, for due: DueReceipt, at time: UnixTime,
        risk: (VerifiedReceipt) -> Void = { _ in }
    ) async throws(Failure) -> ReceiptState {
        try await run(rules.storeAnswer(answer, for: due, at: time, risk: risk) { $0 })
    }
}
