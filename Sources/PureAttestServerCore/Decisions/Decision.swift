public import PureAttest

/// A decision on a request, made as far as it can be made without I/O.
///
/// A decision accepts the request, or asks a question and says how it goes on with the answer. A shell answers one
/// question after another until the decision accepts the request or throws a ``Refusal``. The shell decides nothing: it
/// reads, writes and counts. If its store is out of order, it drops the decision and reports the outage.
///
/// In this form one function has all steps from an assertion's arrival to its answer, for shells in every language:
/// ``RelyingPartyRules/authenticate(assertion:keyID:challenge:signed:account:clientAddress:at:_:)``.
public indirect enum Decision<Value> {
    /// Goes on with the answer to a question.
    public typealias Then<Answer> = (Answer) throws(Refusal) -> Decision
    /// Goes on after the shell did what the decision asked for.
    public typealias Next = () throws(Refusal) -> Decision

    /// The request is accepted.
    case accepted(Value)
    /// Tells whom and what the decision is about, for logs.
    case about(DecisionSubject, Next)
    /// Asks a limit: ``LimitQuestion``.
    case limit(LimitQuestion, Then<Int64?>)
    /// Tells the shell what to undo. If the store fails from here on, the shell passes this question to its limits,
    /// ignores the answer and reports the outage.
    case ifStoreFails(LimitQuestion, Next)

    // MARK: Keys

    /// Asks for the record of a key, revoked or not.
    case key([UInt8], Then<KeyRecord?>)
    /// Stores a new key and consumes its challenge, in one step.
    case insertKey(KeyRecord, consuming: ConsumedToken, Then<KeyInsertion>)
    /// Stores the use of a key and consumes its challenge, in one step.
    case recordUse(RecordedUse, Then<KeyUse>)
    /// Revokes a key. The answer says whether this call revoked it.
    case revokeKey([UInt8], at: UnixTime, Then<Bool>)
    /// Replaces a key's receipt if the stored receipt is still the receipt that was read. The answer says whether it was.
    case replaceReceipt(ReplacedReceipt, Then<Bool>)

    // MARK: Consumed tokens

    /// Consumes a token. The answer says whether it was not consumed before.
    case consume(ConsumedToken, Then<Bool>)
    /// Asks whether a token is consumed.
    case isConsumed([UInt8], Then<Bool>)
    /// Asks why the session token is denied, if the shell remembers a denial. A shell that remembers nothing answers
    /// `nil`.
    case knownDenial(of: [UInt8], Then<Refusal?>)
    /// Lets the shell remember until when a session token is denied.
    case rememberDenial(of: [UInt8], until: UnixTime, because: Refusal, at: UnixTime, Next)

    // MARK: Budgets

    /// Charges one request and the units to a budget. The answer has the new sums; `nil` if there was no room.
    case spendBudget(Int64, in: BudgetPeriod, upTo: BudgetAmount, at: UnixTime, Then<BudgetAmount?>)
    /// Settles a reservation: `RelyingPartyStore.settleBudget(_:reserved:used:)`.
    case settleBudget(BudgetPeriod, reserved: Int64, used: Int64, Next)
    /// Asks for the sums of a budget.
    case usedBudget(in: BudgetPeriod, Then<BudgetAmount>)
}

/// Whom and what a decision is about, as far as it is known.
public struct DecisionSubject: Sendable {
    /// Reports each step of a verification.
    public typealias Explanation = @Sendable () -> VerificationReport

    /// The key identifier.
    public var keyID: [UInt8]?
    /// The account that the caller or the session names.
    public var account: AccountID?
    /// Reports each step of the verification.
    public var explanation: Explanation?

    /// Creates a subject without an explanation.
    public init(keyID: [UInt8]? = nil, account: AccountID? = nil) {
        (self.keyID, self.account) = (keyID, account)
    }
}

/// The use of a key to record: the arguments of `RelyingPartyStore.recordUse(from:to:at:consuming:)`.
public struct RecordedUse: Hashable, Sendable {
    /// The state of the key that the signature was verified with.
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
