public import PureAttest

/// What ``RelyingPartyStore/insertKey(_:consuming:)`` did.
public enum KeyInsertion: Hashable, Sendable {
    /// The record is stored, and the challenge consumed.
    case inserted
    /// This record of the same key was there and stays as it is; the challenge is consumed.
    case existing(KeyRecord)
    /// The challenge was consumed before: nothing was changed.
    case alreadyConsumed
}

/// What ``RelyingPartyStore/recordUse(from:to:at:consuming:)`` did.
public enum KeyUse: Hashable, Sendable {
    /// The key is stored as it is after the use, and the challenge consumed.
    case recorded
    /// The record holds another state of the key, is revoked or is not there: nothing was changed, and the challenge is not consumed.
    case keyChanged
    /// The challenge was consumed before: nothing was changed.
    case alreadyConsumed
}

/// All that a ``RelyingParty`` keeps: keys, for as long as devices may use them; consumed tokens, until they expire; and what is used of
/// budgets, for the current period.
/// Nothing is kept of a challenge before it is answered.
///
/// Each requirement is one atomic step: whoever implements it with a read followed by a write has to make the two one (a lock, a
/// transaction, or better a single conditional statement, as in <doc:SQLStores>). `PureAttestStoreTesting` tests it.
///
/// A call that throws may have taken effect or not, but never in part, and never for two callers.
public protocol RelyingPartyStore: Sendable {
    /// Why the store is out of order. None of its values is an answer to a client's request.
    associatedtype Failure: Error

    // MARK: Keys

    /// The record of a key, the revoked ones included: whether a session's key is revoked is asked here, however long ago it was.
    func key(_ keyID: [UInt8]) async throws(Failure) -> KeyRecord?

    /// Consumes the challenge, and keeps the key unless one with the same key ID is there, revoked or not; that one stays as it is.
    ///
    /// Of any number of calls with one ``ConsumedToken/id`` all but one are told ``KeyInsertion/alreadyConsumed``; of any number with one
    /// key, one inserts it.
    func insertKey(_ record: KeyRecord, consuming token: ConsumedToken) async throws(Failure) -> KeyInsertion

    /// Records that a key was used: replaces `current` by `next`, stores the time of this use and consumes the challenge. All three if the
    /// record holds exactly `current` and is not revoked (compare-and-set) and the challenge is not consumed, and otherwise nothing.
    ///
    /// Of App Attest, `next` has the advanced counter. An Android key has no counter: `next` is `current`, and time and challenge are what
    /// changes.
    ///
    /// Of any number of calls with one `current` of App Attest, or with one ``ConsumedToken/id``, one is told ``KeyUse/recorded``. If both
    /// other outcomes apply it may be either.
    func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) async throws(Failure) -> KeyUse

    /// Marks a key as revoked, for good. From then on ``recordUse(from:to:at:consuming:)`` refuses.
    ///
    /// - Returns: whether there is such a key and this call revoked it.
    func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool

    // MARK: Accounts

    /// The keys of an account, the revoked ones included, in the order of their identifiers' bytes.
    ///
    /// - Parameters:
    ///   - account: the user.
    ///   - keyID: only identifiers after this one: the last one of the page before.
    ///   - limit: how many at most; at least 1.
    func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) async throws(Failure) -> [KeyRecord]

    /// Marks all keys of an account as revoked, in one step.
    ///
    /// - Returns: how many this call revoked.
    func revokeKeys(of account: AccountID, at time: UnixTime) async throws(Failure) -> Int

    // MARK: Receipts

    /// Puts off the receipts that are due at `time` and whose keys are not revoked until `postponed`, and returns their records, the
    /// longest due first: so that of any number of processes each gets others, and those of a process that stopped come back.
    ///
    /// - Parameters:
    ///   - time: now.
    ///   - postponed: when they are due again.
    ///   - limit: how many at most; at least 1.
    func claimDueReceipts(at time: UnixTime, until postponed: UnixTime, limit: Int) async throws(Failure) -> [KeyRecord]

    /// Replaces the receipt of a key and says when to ask for the next, if the record still holds `current` (compare-and-set).
    ///
    /// - Returns: whether it did.
    func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(Failure) -> Bool

    // MARK: Consumed tokens

    /// Remembers a token as consumed.
    ///
    /// - Returns: whether it was not remembered before: of any number of calls with one ``ConsumedToken/id``, one gets `true`.
    func consume(_ token: ConsumedToken) async throws(Failure) -> Bool

    /// Whether ``consume(_:)``, or one of the calls that consume a challenge, was called with this identifier.
    func isConsumed(_ id: [UInt8]) async throws(Failure) -> Bool

    /// Deletes consumed tokens that have expired at `time`. Affects storage only, never a verdict.
    func removeExpired(at time: UnixTime) async throws(Failure)

    // MARK: Budgets

    /// Adds one request and `units` to what is used in `period`, nothing if it is new, unless either sum is more than `limit` says: then
    /// it changes nothing. All numbers are between 0 and ``BudgetAmount/maximum``.
    ///
    /// Of any number of calls at the same time as many succeed as `limit` has room for.
    ///
    /// - Parameters:
    ///   - units: to add.
    ///   - period: the row.
    ///   - limit: of both sums.
    ///   - time: now, for a store that makes room itself. It has no part in the outcome.
    /// - Returns: what is used now; `nil` if there was no room.
    func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(Failure) -> BudgetAmount?

    /// Takes `reserved` units from what is used in `period` and adds `used`; the result is at least 0 and at most
    /// ``BudgetAmount/maximum``. Without effect if nothing was spent in it.
    func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async throws(Failure)

    /// What is used in `period`; nothing, if nothing was spent in it.
    func usedBudget(in period: BudgetPeriod) async throws(Failure) -> BudgetAmount

    /// Deletes what was used in periods whose ``BudgetPeriod/end`` is at `time` or earlier, of every holder, and nothing else.
    func removeBudgets(endedAt time: UnixTime) async throws(Failure)
}
