public import PureAttest

/// The storage of a ``RelyingParty``. It holds keys for as long as devices may use these keys, consumed tokens until
/// they expire, and budgets for the current period. A challenge occupies no storage until a client answers it.
///
/// Each method is one atomic step. If a method reads and then writes, use a lock, a transaction, or preferably a single
/// conditional statement as in <doc:SQLStores>. `PureAttestStoreTesting` tests that each step is atomic, also with
/// several instances of a store over one database.
///
/// A call that throws may have taken full effect or no effect, but never partial effect. At most one call may
/// consume a challenge. At most one call may advance a given state of an App Attest key. Both rules also hold if calls
/// throw.
///
/// Every read must reflect all acknowledged writes of all processes, so do not read from a replica that lags behind.
/// Such a replica would return a revoked key as valid. If it showed a key's use but not yet the consumed challenge, the
/// server would answer `overtaken`, and clients would sign the request again.
public protocol RelyingPartyStore: Sendable {
    /// The error that a store throws if it fails. A store never throws it to reject a client's request.
    associatedtype Failure: Error

    // MARK: Keys

    /// Returns the record of a key, even if the key is revoked. Session checks detect a revocation only in this record,
    /// so return the record however old the revocation is.
    func key(_ keyID: [UInt8]) async throws(Failure) -> KeyRecord?

    /// Consumes the challenge, and stores the key if its ID is new. Keeps an existing record, even if it is revoked.
    ///
    /// Of concurrent calls with the same ``/PureAttestServerCore/ConsumedToken/id``, all but one return
    /// ``/PureAttestServerCore/KeyInsertion/alreadyConsumed``. Of concurrent calls with the same new key, exactly one
    /// inserts the key.
    func insertKey(_ record: KeyRecord, consuming token: ConsumedToken) async throws(Failure) -> KeyInsertion

    /// Records a key's use: replaces `current` by `next`, stores the time of this use and consumes the challenge.
    ///
    /// There are three conditions: the record holds exactly `current` (compare-and-set), the key is not revoked, and
    /// the challenge is not consumed. If one of them is false, the call changes nothing.
    ///
    /// For App Attest, `next` has the advanced counter. An Android key has no counter, so `next` equals `current`, and
    /// only the time and the challenge change.
    ///
    /// Of concurrent calls with the same App Attest `current`, or with the same
    /// ``/PureAttestServerCore/ConsumedToken/id``, exactly one returns ``/PureAttestServerCore/KeyUse/recorded``. If
    /// both of the other outcomes apply, the store may return either of them.
    func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) async throws(Failure) -> KeyUse

    /// Revokes a key permanently. From then on ``recordUse(from:to:at:consuming:)`` rejects the key. Returns `true` if
    /// the key exists and this call revoked it.
    func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool

    // MARK: Accounts

    /// Returns the keys of an account, including revoked keys, ordered by the bytes of their identifiers.
    ///
    /// `keyID` is the last identifier of the previous page; only keys with later identifiers are returned. `limit` is
    /// at least 1.
    func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) async throws(Failure) -> [KeyRecord]

    /// Revokes all keys of an account in one step. Returns the number of keys that this call revoked.
    func revokeKeys(of account: AccountID, at time: UnixTime) async throws(Failure) -> Int

    // MARK: Receipts

    /// Claims due receipts of unrevoked keys in `scope` by postponing them to `postponed`, and returns their records.
    /// Claims at most `limit` receipts, beginning with those that became due first. `limit` is at least 1.
    ///
    /// Concurrent processes claim disjoint sets. The receipts of a crashed process become due again.
    func claimDueReceipts(
        of scope: ReceiptScope, at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws(Failure) -> [KeyRecord]

    /// Replaces a key's receipt and schedules its next query, if the record still holds `current` (compare-and-set).
    /// Returns `true` if this call replaced the receipt.
    func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(Failure) -> Bool

    // MARK: Consumed tokens

    /// Consumes a token. Returns `true` if the token was not consumed before. Of concurrent calls with one
    /// ``/PureAttestServerCore/ConsumedToken/id``, exactly one returns `true`.
    func consume(_ token: ConsumedToken) async throws(Failure) -> Bool

    /// Returns whether ``consume(_:)``, or a call that consumes a challenge, has consumed this identifier.
    func isConsumed(_ id: [UInt8]) async throws(Failure) -> Bool

    /// Deletes the consumed tokens that are expired at `time`. Affects storage only, never a verdict.
    func removeExpired(at time: UnixTime) async throws(Failure)

    // MARK: Budgets

    /// Charges one request and `units` to a budget. If either sum would exceed `limit`, the call changes nothing. A new
    /// period starts at zero. All numbers are between 0 and ``/PureAttestServerCore/BudgetAmount/maximum``.
    ///
    /// Of concurrent calls, exactly as many succeed as `limit` has room for. `time` is the current time, which a store
    /// may use to delete old rows when it has no room. The sums do not depend on this time.
    ///
    /// - Returns: the new sums; `nil` if there was no room.
    func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(Failure) -> BudgetAmount?

    /// Subtracts `reserved` units from the sum of `period`, adds `used`, and clamps the result to
    /// 0…``/PureAttestServerCore/BudgetAmount/maximum``. Has no effect if nothing was charged to the period.
    func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async throws(Failure)

    /// Returns the requests and units charged to `period`; zero if there is no row.
    func usedBudget(in period: BudgetPeriod) async throws(Failure) -> BudgetAmount

    /// Deletes exactly the periods whose ``/PureAttestServerCore/BudgetPeriod/end`` is at `time` or earlier.
    func removeBudgets(endedAt time: UnixTime) async throws(Failure)
}
