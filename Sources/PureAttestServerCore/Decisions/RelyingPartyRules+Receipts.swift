public import PureAttest

/// A receipt to send to Apple, and the record of its key.
public struct DueReceipt: Hashable, Sendable {
    /// The key's record, with the receipt.
    public let record: KeyRecord
    package let key: AttestedKey

    /// Returns `nil` for an Android key, because Android keys have no receipts.
    public init?(record: KeyRecord) {
        guard let key = record.key.appAttest else { return nil }
        (self.record, self.key) = (record, key)
    }
}

#if !hasFeature(Embedded)
    extension DueReceipt {
        /// Creates the query to Apple for this receipt. Throws like
        /// `ReceiptRefresh.init(receipt:environment:teamID:keyID:at:)`.
        ///
        /// `teamID` is your team identifier, which the query's token names as its issuer. `keyID` is the identifier of
        /// the DeviceCheck key. Both have ten characters.
        public func refresh(teamID: String, keyID: String, at time: UnixTime) throws(PureAttestError) -> ReceiptRefresh
        {
            try ReceiptRefresh(
                receipt: record.receipt, environment: key.environment, teamID: teamID, keyID: keyID, at: time)
        }
    }
#endif

/// The state of a key's receipt.
public enum ReceiptState: Hashable, Sendable {
    /// Apple does not issue a newer receipt before this time.
    case notYetDue(until: UnixTime)
    /// Apple was unreachable, or did not accept the query. Ask Apple again from this time on.
    case due(from: UnixTime)
    /// Apple rejects the receipt. The device obtains a new receipt only by attesting a new key.
    case renewalRequired
    /// Apple has no data on the key (404), because Apple keeps its counts for only 30 days. The store keeps the
    /// receipt. Send the receipt again at this time.
    case gone(askAgainAt: UnixTime)
}

extension RelyingPartyRules {
    /// Decides on Apple's answer for a receipt: `RelyingParty.storeAnswer(_:for:at:risk:)`. The outcome is the new
    /// state of the receipt. Calls `risk` with a new receipt before storing the receipt.
    public func storeAnswer<Outcome>(
        _ answer: ReceiptRefreshAnswer, for due: DueReceipt, at time: UnixTime, risk: (VerifiedReceipt) -> Void,
        _ accept: @escaping (ReceiptState) -> Outcome
    ) -> Decision<Outcome> {
        let tomorrow = time.adding(ReceiptTimes.day)
        switch answer {
        case .receipt(let bytes):
            let verified: VerifiedReceipt
            do throws(PureAttestError) {
                verified = try verifier.receipt(bytes, of: due.key).verify(at: time)
            } catch {
                return keep(due, askAgainAt: tomorrow) { () throws(Refusal) in throw .verification(error) }
            }
            risk(verified)
            // If a receipt states no time for the next query, the query is due a day later. The next query is due only
            // after this receipt's claim has expired, so that Apple's answer cannot cause a busy loop.
            let next = max(verified.payload.notBefore ?? tomorrow, time.adding(ReceiptTimes.claim))
            return replace(due, by: bytes, askAgainAt: next) { .accepted(accept(.notYetDue(until: next))) }
        case .notYet: return keep(due, askAgainAt: tomorrow) { .accepted(accept(.notYetDue(until: tomorrow))) }
        case .invalidReceipt: return keep(due, askAgainAt: nil) { .accepted(accept(.renewalRequired)) }
        case .notFound:
            let later = time.adding(ReceiptTimes.gone)
            return keep(due, askAgainAt: later) { .accepted(accept(.gone(askAgainAt: later))) }
        case .unauthorized, .tooManyRequests, .serverError, .unknownStatus, .malformedBody:
            // Without a write, the receipt is due again when its claim expires.
            return .accepted(accept(.due(from: due.record.receiptDueAt ?? time)))
        @unknown default: return .accepted(accept(.due(from: due.record.receiptDueAt ?? time)))
        }
    }

    private func keep<Outcome>(
        _ due: DueReceipt, askAgainAt next: UnixTime?, _ then: @escaping Decision<Outcome>.Next
    ) -> Decision<Outcome> { replace(due, by: due.record.receipt, askAgainAt: next, then) }

    /// Has no effect if a different call has replaced the receipt in the meantime.
    private func replace<Outcome>(
        _ due: DueReceipt, by receipt: [UInt8], askAgainAt next: UnixTime?,
        _ then: @escaping Decision<Outcome>.Next
    ) -> Decision<Outcome> {
        let replaced = ReplacedReceipt(
            keyID: due.record.key.keyID, current: due.record.receipt, next: receipt, dueAt: next)
        return .replaceReceipt(replaced) { _ throws(Refusal) in try then() }
    }
}

/// Times in seconds. The values are our choice, because Apple specifies none.
package enum ReceiptTimes {
    /// Ten minutes: ample for one query, and short enough that the receipts of a crashed process do not wait too long.
    package static let claim: Int64 = 600
    package static let day: Int64 = 86_400
    /// A week. Apple has data on the key again only after the key's device attests or signs again.
    package static let gone: Int64 = 604_800
}
