public import PureAttest

/// A decision on a request, computed without I/O.
///
/// A decision either accepts the request, or asks a question and contains the continuation that receives the answer. A
/// shell answers one question after another until the decision accepts the request or throws a ``Refusal``. The shell
/// only reads, writes and counts; it decides nothing. If the store fails, the shell drops the decision and reports the
/// outage.
///
/// Shells in every language run the same decisions. For example,
/// ``RelyingPartyRules/authenticate(assertion:keyID:challenge:signed:account:clientAddress:at:_:)`` contains all steps
/// from the arrival of an assertion to the server's answer.
public indirect enum Decision<Value> {
    /// Continues with the answer to a question.
    public typealias Then<Answer> = (Answer) throws(Refusal) -> Decision
    /// Continues after the shell has done what the decision requested.
    public typealias Next = () throws(Refusal) -> Decision

    /// The request is accepted.
    case accepted(Value)
    /// Reports the key and account that the decision is about, for logs.
    case about(DecisionSubject, Next)
    /// Asks whether a limit admits the request.
    case limit(LimitQuestion, Then<Int64?>)
    /// Tells the shell what to undo if the store fails later. In that case, the shell passes this question to its
    /// limits, ignores the answer and reports the outage.
    case ifStoreFails(LimitQuestion, Next)

    // MARK: Keys

    /// Asks for the record of a key, revoked or not.
    case key([UInt8], Then<KeyRecord?>)
    /// Stores a new key and consumes its challenge, in one step.
    case insertKey(KeyRecord, consuming: ConsumedToken, Then<KeyInsertion>)
    /// Stores the use of a key and consumes its challenge, in one step.
    case recordUse(RecordedUse, Then<KeyUse>)
    /// Revokes a key. The answer states whether this call revoked the key.
    case revokeKey([UInt8], at: UnixTime, Then<Bool>)
    /// Replaces a key's receipt if the stored receipt has not changed. The answer states whether the receipt was
    /// replaced.
    case replaceReceipt(ReplacedReceipt, Then<Bool>)

    // MARK: Consumed tokens

    /// Consumes a token. The answer is `true` if the token was not consumed before.
    case consume(ConsumedToken, Then<Bool>)
    /// Asks whether a token is consumed.
    case isConsumed([UInt8], Then<Bool>)
    /// Asks whether the shell has stored a denial of this session token. A shell that stores no denials answers `nil`.
    case knownDenial(of: [UInt8], Then<Refusal?>)
    /// Permits the shell to store the denial of a session token until the given time.
    case rememberDenial(of: [UInt8], until: UnixTime, because: Refusal, at: UnixTime, Next)

    // MARK: Budgets

    /// Charges one request and the units to a budget. The answer contains the new sums, or is `nil` if the budget had
    /// no room.
    case spendBudget(Int64, in: BudgetPeriod, upTo: BudgetAmount, at: UnixTime, Then<BudgetAmount?>)
    /// Settles a reservation: `RelyingPartyStore.settleBudget(_:reserved:used:)`.
    case settleBudget(BudgetPeriod, reserved: Int64, used: Int64, Next)
    /// Asks for the charged requests and units of a budget.
    case usedBudget(in: BudgetPeriod, Then<BudgetAmount>)
}

/// The key and account that a decision is about, as far as the decision knows them.
public struct DecisionSubject: Sendable {
    /// Reports each step of a verification.
    public typealias Explanation = @Sendable () -> VerificationReport

    /// The key identifier.
    public var keyID: [UInt8]?
    /// The account that the caller passed or the session names.
    public var account: AccountID?
    /// Reports each step of the verification.
    public var explanation: Explanation?

    /// Creates a subject without an explanation.
    package init(keyID: [UInt8]? = nil, account: AccountID? = nil) {
        (self.keyID, self.account) = (keyID, account)
    }
}

/// The use of a key to record: the arguments of `RelyingPartyStore.recordUse(from:to:at:consuming:)`.
public struct RecordedUse: Hashable, Sendable {
    /// The state of the key that verified the signature.
    public let current: RegisteredKey
    /// The state to store. An Android key has no counter and stays the same.
    public let next: RegisteredKey
    /// When the key was used.
    public let time: UnixTime
    /// The challenge to consume.
    public let token: ConsumedToken
}

/// The receipt to replace: the arguments of `RelyingPartyStore.replaceReceipt(of:from:to:dueAt:)`.
public struct ReplacedReceipt: Hashable, Sendable {
    /// The key.
    public let keyID: [UInt8]
    /// The receipt that was sent to Apple.
    public let current: [UInt8]
    /// The receipt to store.
    public let next: [UInt8]
    /// When to ask Apple again; `nil` if never.
    public let dueAt: UnixTime?
}
