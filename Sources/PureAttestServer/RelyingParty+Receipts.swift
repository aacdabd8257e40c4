public import PureAttest

/// A receipt that Apple is to be asked about, and the key that it is of.
public struct DueReceipt: Hashable, Sendable {
    /// The key's record, with the receipt.
    public let record: KeyRecord
    /// The key, which is Apple's.
    let key: AttestedKey

    /// `nil` of a record of the other platform, for which nobody writes receipts.
    init?(record: KeyRecord) {
        guard let key = record.key.appAttest else { return nil }
        (self.record, self.key) = (record, key)
    }

    /// The query to Apple for this receipt.
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

/// How it stands with a key's receipt.
public enum ReceiptState: Hashable, Sendable {
    /// Apple has no newer one before this moment.
    case notYetDue(until: UnixTime)
    /// Apple can be asked from this moment on: it was out of reach, or did not take the query.
    case due(from: UnixTime)
    /// Apple accepts it no more: only a new key of the device brings another.
    case renewalRequired
    /// Apple has nothing on the key (404): the 30 days for which it keeps what it counts have passed. The receipt is kept, to be asked
    /// about again at this moment.
    case gone(askAgainAt: UnixTime)
}

extension RelyingParty {
    /// The receipts to ask Apple about, at most 1000, and none of them twice within ten minutes, in whatever process: one that is not
    /// answered for by ``storeAnswer(_:for:at:risk:)`` comes back after that.
    public func claimDueReceipts(limit: Int, at time: UnixTime) async throws(Failure) -> [DueReceipt] {
        do {
            return try await store.claimDueReceipts(
                at: time, until: time.advanced(by: ReceiptTimes.claim), limit: min(max(limit, 1), 1_000)
            ).compactMap { DueReceipt(record: $0) }
        } catch { throw .store(error) }
    }

    /// Stores what Apple answered for a receipt: a new one, once it is verified, and in any case when to ask again.
    ///
    /// - Parameters:
    ///   - answer: what Apple answered.
    ///   - due: the receipt that it was asked about.
    ///   - time: now.
    ///   - risk: is given a new receipt, with its `VerifiedReceipt.riskMetric`, before it is stored.
    /// - Returns: how it stands with the receipt now.
    /// - Throws: why a new receipt is refused, and the old one is kept and due again a day later; or the store's error.
    @discardableResult
    public func storeAnswer(
        _ answer: ReceiptRefreshAnswer, for due: DueReceipt, at time: UnixTime,
        risk: (VerifiedReceipt) -> Void = { _ in }
    ) async throws(Failure) -> ReceiptState {
        let tomorrow = time.advanced(by: ReceiptTimes.day)
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
            // A receipt without a time can be asked about a day later, and no answer makes this a busy loop.
            let next = max(verified.payload.notBefore ?? tomorrow, time.advanced(by: ReceiptTimes.claim))
            try await replace(due, by: bytes, askAgainAt: next)
            return .notYetDue(until: next)
        case .notYet:
            try await keep(due, askAgainAt: tomorrow)
            return .notYetDue(until: tomorrow)
        case .invalidReceipt:
            try await keep(due, askAgainAt: nil)
            return .renewalRequired
        case .notFound:
            let later = time.advanced(by: ReceiptTimes.gone)
            try await keep(due, askAgainAt: later)
            return .gone(askAgainAt: later)
        case .unauthorized, .tooManyRequests, .serverError, .unknownStatus, .malformedBody:
            // The claim runs out by itself.
            return .due(from: due.record.receiptDueAt ?? time)
        @unknown default: return .due(from: due.record.receiptDueAt ?? time)
        }
    }

    private func keep(_ due: DueReceipt, askAgainAt next: UnixTime?) async throws(Failure) {
        try await replace(due, by: due.record.receipt, askAgainAt: next)
    }

    /// Without effect if the receipt was replaced meanwhile.
    private func replace(_ due: DueReceipt, by receipt: [UInt8], askAgainAt next: UnixTime?) async throws(Failure) {
        do {
            _ = try await store.replaceReceipt(
                of: due.record.key.keyID, from: due.record.receipt, to: receipt, dueAt: next)
        } catch { throw .store(error) }
    }
}

/// In seconds; ours, as Apple names none.
private enum ReceiptTimes {
    /// Ample for one query, and short enough to wait for where a process stopped in between.
    static let claim: Int64 = 600
    static let day: Int64 = 86_400
    /// A week: what would bring a key back is that its device attests or signs, which takes its time.
    static let gone: Int64 = 604_800
}
