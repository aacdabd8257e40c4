public import PureAttest

/// A receipt to send to Apple, and its key.
public struct DueReceipt: Hashable, Sendable {
    /// The key's record, with the receipt.
    public let record: KeyRecord
    /// The App Attest key.
    let key: AttestedKey

    /// Returns `nil` for an Android key, which has no receipts.
    init?(record: KeyRecord) {
        guard let key = record.key.appAttest else { return nil }
        (self.record, self.key) = (record, key)
    }

    /// Creates the query to Apple for this receipt.
    ///
    /// - Parameters:
    ///   - teamID: ten characters; the token's issuer.
    ///   - keyID: the identifier of the DeviceCheck key, ten characters.
    ///   - time: now.
    /// - Throws: as `ReceiptRefresh.init(receipt:environment:teamID:keyID:at:)`.
    public func refresh(teamID: String, keyID: String, at time: UnixTime) throws(PureAttestError) -> ReceiptRefresh {
        try ReceiptRefresh(
            receipt: record.receipt, environment: key.environment, teamID: teamID, keyID: keyID, at: time)
    }
}

/// The state of a key's receipt.
public enum ReceiptState: Hashable, Sendable {
    /// Apple has no newer receipt before this time.
    case notYetDue(until: UnixTime)
    /// Ask Apple again from this time on. Apple was unreachable, or did not accept the query.
    case due(from: UnixTime)
    /// Apple no longer accepts the receipt. The device gets a new receipt only with a new key.
    case renewalRequired
    /// Apple has no data on the key (404), because the 30 days for which Apple keeps counts have passed. The store
    /// keeps the receipt. Send the receipt again at this time.
    case gone(askAgainAt: UnixTime)
}

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
        let tomorrow = time.adding(ReceiptTimes.day)
        switch answer {
        case .receipt(let bytes):
            let verified: VerifiedReceipt
            do {
                verified = try verifier.receipt(bytes, of: due.key).verify(at: time)
            } catch {
                try await keep(due, askAgainAt: tomorrow)
                throw .refused(.verification(error))
            }
            risk(verified)
            // A receipt without a time is due a day later. The next query waits at least the length of a claim, so that
            // no answer causes a busy loop.
            let next = max(verified.payload.notBefore ?? tomorrow, time.adding(ReceiptTimes.claim))
            try await replace(due, by: bytes, askAgainAt: next)
            return .notYetDue(until: next)
        case .notYet:
            try await keep(due, askAgainAt: tomorrow)
            return .notYetDue(until: tomorrow)
        case .invalidReceipt:
            try await keep(due, askAgainAt: nil)
            return .renewalRequired
        case .notFound:
            let later = time.adding(ReceiptTimes.gone)
            try await keep(due, askAgainAt: later)
            return .gone(askAgainAt: later)
        case .unauthorized, .tooManyRequests, .serverError, .unknownStatus, .malformedBody:
            // The claim expires by itself.
            return .due(from: due.record.receiptDueAt ?? time)
        @unknown default: return .due(from: due.record.receiptDueAt ?? time)
        }
    }

    private func keep(_ due: DueReceipt, askAgainAt next: UnixTime?) async throws(Failure) {
        try await replace(due, by: due.record.receipt, askAgainAt: next)
    }

    /// Has no effect if another call replaced the receipt meanwhile.
    private func replace(_ due: DueReceipt, by receipt: [UInt8], askAgainAt next: UnixTime?) async throws(Failure) {
        do {
            _ = try await store.replaceReceipt(
                of: due.record.key.keyID, from: due.record.receipt, to: receipt, dueAt: next)
        } catch { throw .store(error) }
    }
}

/// Times in seconds. We chose them, because Apple specifies no times.
private enum ReceiptTimes {
    /// Ten minutes. This is ample for one query, and a crashed process's receipts do not wait too long.
    static let claim: Int64 = 600
    static let day: Int64 = 86_400
    /// A week. Apple has data on the key again only after the key's device attests or signs again.
    static let gone: Int64 = 604_800
}
