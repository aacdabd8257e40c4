public import PureAttest

extension RelyingParty {
    /// Claims up to `limit` due receipts (clamped to 1…1000) to send to Apple. A claim applies to all processes and
    /// lasts ten minutes. A receipt becomes due again unless ``storeAnswer(_:for:at:risk:)`` stores an answer before
    /// its claim ends.
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
    ///   - risk: called with a new receipt before the receipt is stored, so that you can read its
    ///     `VerifiedReceipt.riskMetric`.
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
