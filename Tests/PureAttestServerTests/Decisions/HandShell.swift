import PureAttest

@testable import PureAttestServerCore

/// A shell without a store, which records each question and returns the answers that a test sets.
struct HandShell {
    /// The questions in order, each as the name of its enum case. For limits, the action and the limit follow.
    private(set) var questions: [String] = []
    /// The subjects that ``Decision/about(_:_:)`` announced, in order.
    private(set) var subjects: [DecisionSubject] = []
    private(set) var insertedKeys: [KeyRecord] = []
    private(set) var recordedUses: [RecordedUse] = []
    private(set) var replacedReceipts: [ReplacedReceipt] = []
    private(set) var chargedBudgets: [(row: BudgetPeriod, limit: BudgetAmount)] = []
    private(set) var consumedTokens: [ConsumedToken] = []

    /// The answer to a question about a limit, which may depend on the number of previous questions.
    var wait: (LimitQuestion, Int) -> Int64? = { _, _ in nil }
    var record: KeyRecord?
    var insertion = KeyInsertion.inserted
    /// The answers to successive questions about a use of the key. The last answer repeats.
    var uses = [KeyUse.recorded]
    var isRevokedNow = true
    var isFirst = true
    var consumed: Set<[UInt8]> = []
    var denial: Refusal?
    var spent: BudgetAmount?
    var used = BudgetAmount(requests: 0, units: 0)

    /// Answers all questions of a decision, and returns the decision's value or rejection.
    mutating func run<Value>(
        _ begin: () throws(Refusal) -> Decision<Value>
    ) -> Result<Value, Refusal> {
        do throws(Refusal) {
            var decision = try begin()
            while true {
                if case .accepted(let value) = decision { return .success(value) }
                decision = try answer(decision)
            }
        } catch { return .failure(error) }
    }

    /// Does the same as ``run(_:)`` for a decision that checks only limits.
    mutating func run<Value>(
        _ begin: () throws(Refusal) -> LimitDecision<Value>
    ) -> Result<Value, Refusal> {
        do throws(Refusal) {
            var decision = try begin()
            while true {
                switch decision {
                case .accepted(let value): return .success(value)
                case .limit(let question, let then): decision = try then(answer(question))
                }
            }
        } catch { return .failure(error) }
    }

    private mutating func answer(_ question: LimitQuestion) -> Int64? {
        questions.append("\(question.action) \(question.limit)")
        return wait(question, questions.count - 1)
    }

    private mutating func answer<Value>(_ decision: Decision<Value>) throws(Refusal) -> Decision<Value> {
        switch decision {
        case .accepted: return decision
        case .about(let subject, let then):
            subjects.append(subject)
            note("about")
            return try then()
        case .limit(let question, let then): return try then(answer(question))
        case .ifStoreFails(let question, let then):
            note("ifStoreFails \(question.action) \(question.limit)")
            return try then()
        case .key(_, let then):
            note("key")
            return try then(record)
        case .insertKey(let record, let token, let then):
            note("insertKey")
            insertedKeys.append(record)
            consumedTokens.append(token)
            return try then(insertion)
        case .recordUse(let use, let then):
            note("recordUse")
            recordedUses.append(use)
            consumedTokens.append(use.token)
            return try then(uses[min(recordedUses.count, uses.count) - 1])
        case .revokeKey(_, at: _, let then):
            note("revokeKey")
            return try then(isRevokedNow)
        case .replaceReceipt(let receipt, let then):
            note("replaceReceipt")
            replacedReceipts.append(receipt)
            return try then(isFirst)
        case .consume(let token, let then):
            note("consume")
            consumedTokens.append(token)
            return try then(isFirst)
        case .isConsumed(let id, let then):
            note("isConsumed \(id.count)")
            return try then(consumed.contains(id))
        case .knownDenial(of: _, let then):
            note("knownDenial")
            return try then(denial)
        case .rememberDenial(of: _, until: _, because: let refusal, at: _, let then):
            note("rememberDenial \(refusal)")
            return try then()
        case .spendBudget(_, in: let row, upTo: let limit, at: _, let then):
            note("spendBudget")
            chargedBudgets.append((row, limit))
            return try then(spent)
        case .settleBudget(_, reserved: let reserved, used: let used, let then):
            note("settleBudget \(reserved) \(used)")
            return try then()
        case .usedBudget(in: _, let then):
            note("usedBudget")
            return try then(used)
        }
    }

    private mutating func note(_ question: String) { questions.append(question) }
}

extension Result where Failure == Refusal {
    var refusal: Refusal? { if case .failure(let refusal) = self { refusal } else { nil } }
    var value: Success? { try? get() }
}

// MARK: Rules, challenges and records

func makeRules(
    _ verifier: AppAttestVerifier = verifier(), android: AndroidVerification? = androidKeys(),
    _ change: (inout RelyingPartyConfiguration) -> Void = { _ in }
) -> RelyingPartyRules {
    var configuration = RelyingPartyConfiguration()
    change(&configuration)
    return RelyingPartyRules(
        verifier: verifier, sessionKeys: SessionKeys(current: sessionKey), configuration: configuration,
        android: android)
}

extension RelyingPartyRules {
    /// Returns a challenge that a shell without limits issued.
    func challenge(_ purpose: Challenge.Purpose, _ keyID: [UInt8], account: AccountID? = nil) throws -> [UInt8] {
        var shell = HandShell()
        let random = [UInt8](repeating: 3, count: Self.randomByteCount)
        return try shell.run { () throws(Refusal) in
            try issueChallenge(
                purpose: purpose, keyID: keyID, account: account, clientAddress: nil, random: random, at: now
            ) { $0 }
        }.get().value
    }

    func registration(of client: Client, account: AccountID? = nil) throws -> Registration<VerifiedAttestation> {
        let challenge = try challenge(.attestation, client.keyID, account: account)
        let attestation = try client.attestation(challenge)
        var shell = HandShell()
        return try shell.run { () throws(Refusal) in
            try register(
                attestation: attestation, keyID: client.keyID, challenge: challenge, account: account,
                clientAddress: nil, at: now
            ) { $0 }
        }.get()
    }

    func record(of client: Client, account: AccountID? = nil) throws -> KeyRecord {
        try registration(of: client, account: account).record
    }
}
