import PureAttest
import PureAttestTesting
import Testing

@testable import PureAttestServerCore

@Suite struct DecisionTests {
    private let user = AccountID("user")
    private let address = ClientAddress(bytes: [192, 0, 2, 1])
    private let keyID = [UInt8](repeating: 7, count: 32)

    // MARK: Challenges

    private func issue(
        _ purpose: Challenge.Purpose, _ rules: RelyingPartyRules = makeRules(), account: AccountID? = nil,
        keyID: [UInt8]? = nil, random: Int = 16, shell: inout HandShell
    ) -> Result<Challenge, Refusal> {
        shell.run { () throws(Refusal) in
            try rules.issueChallenge(
                purpose: purpose, keyID: keyID ?? self.keyID, account: account, clientAddress: address,
                random: [UInt8](repeating: 3, count: random), at: now
            ) { $0 }
        }
    }

    private static let enrolmentOfAccount = [
        "admit requestsPerClientAddress", "check enrolmentsPerAccount", "admit enrolmentRate",
        "admit enrolmentsPerAccount",
    ]
    private static let enrolmentOfAddress = [
        "admit requestsPerClientAddress", "check enrolmentsPerClientAddress", "admit enrolmentRate",
        "admit enrolmentsPerClientAddress",
    ]

    /// The global rate is checked after all other limits, so that excess requests do not consume it.
    @Test func challengesAskLimitsOnly() throws {
        var shell = HandShell()
        let challenge = try issue(.attestation, account: user, shell: &shell).get()
        #expect(shell.questions == Self.enrolmentOfAccount)
        #expect(challenge.expiresAt == time(60) && challenge.account == user && challenge.keyID == keyID)
        shell = HandShell()
        _ = try issue(.attestation, shell: &shell).get()
        #expect(shell.questions == Self.enrolmentOfAddress)
        shell = HandShell()
        _ = try issue(.assertion, account: user, shell: &shell).get()
        #expect(shell.questions == ["admit requestsPerClientAddress"])
    }

    @Test func limitsEndTheDecision() throws {
        for (account, questions) in [(user, Self.enrolmentOfAccount), (nil, Self.enrolmentOfAddress)] {
            for place in questions.indices {
                var shell = HandShell()
                shell.wait = { _, number in number == place ? 7 : nil }
                let refusal = issue(.attestation, account: account, shell: &shell).refusal
                let isEnrolment = place == 2 || place > 0 && account == nil
                #expect(refusal == (isEnrolment ? .enrolmentDeferred(retryAfter: 7) : .rateLimited(retryAfter: 7)))
                #expect(shell.questions == Array(questions[...place]))
            }
        }
    }

    /// The roll-out is checked before the enrolment limits, so it consumes no allowance.
    @Test func theRolloutTakesNoAllowance() throws {
        let later = makeRules { $0.enrolment.rollout = .gradual(from: time(10), until: time(10)) }
        let never = makeRules { $0.enrolment.rollout = .share(perThousand: 0) }
        for (rules, wait) in [(later, 10), (never, nil)] as [(RelyingPartyRules, Int64?)] {
            var shell = HandShell()
            #expect(
                issue(.attestation, rules, account: user, shell: &shell).refusal
                    == .enrolmentDeferred(retryAfter: wait))
            #expect(shell.questions == ["admit requestsPerClientAddress"])
            shell = HandShell()
            #expect(issue(.assertion, rules, account: user, shell: &shell).value != nil)
        }
    }

    @Test func sizesComeBeforeLimits() throws {
        var shell = HandShell()
        let longest = AccountID(bytes: [UInt8](repeating: 0, count: AccountID.maximumByteCount))
        let tooLong = AccountID(bytes: longest.bytes + [0])
        #expect(issue(.assertion, account: tooLong, shell: &shell).refusal == .malformedRequest)
        for count in [31, 33] {
            let keyID = [UInt8](repeating: 7, count: count)
            #expect(issue(.assertion, keyID: keyID, shell: &shell).refusal == .malformedRequest)
        }
        for count in [15, 17] {
            #expect(issue(.assertion, random: count, shell: &shell).refusal == .malformedRequest)
        }
        #expect(shell.questions.isEmpty)
        #expect(issue(.assertion, account: longest, shell: &shell).value != nil)
    }

    @Test func lifetimesAreClamped() throws {
        let bounds: [(Int64, Int64)] = [(-1, 1), (0, 1), (1, 1), (300, 300), (301, 300), (.max, 300), (.min, 1)]
        for (lifetime, expected) in bounds {
            var shell = HandShell()
            let rules = makeRules { $0.challengeLifetime = lifetime }
            #expect(try issue(.assertion, rules, shell: &shell).get().expiresAt == time(expected))
        }
    }

    // MARK: Budgets

    private func session(_ rules: RelyingPartyRules) throws -> Session {
        let registration = try rules.registration(of: Client())
        let token = rules.session(from: registration, random: [UInt8](repeating: 5, count: 16)).token
        var shell = HandShell()
        return try shell.run { () throws(Refusal) in try rules.verifySession(token, at: now) { $0 } }.get()
    }

    @Test func aBudgetIsChargedInOneQuestion() throws {
        let rules = makeRules { $0.budget = Budget(days: 1, requests: 3, units: 100) }
        func charge(_ units: Int64, at time: UnixTime = now, _ shell: inout HandShell) -> Result<ChargedBudget, Refusal>
        {
            shell.run { () throws(Refusal) in try rules.spendBudget(units, keyID: keyID, account: nil, at: time) { $0 }
            }
        }
        var shell = HandShell()
        shell.spent = BudgetAmount(requests: 1, units: 60)
        let charged = try charge(60, &shell).get()
        #expect(shell.questions == ["spendBudget"])
        #expect(charged.units == 60 && charged.balance.remaining == BudgetAmount(requests: 2, units: 40))
        // If the budget is exhausted, the rejection states the balance and the seconds to the next period (at least 1).
        let end = charged.row.end
        for (moment, wait) in [(now, 43_200), (end.adding(-1), 1)] as [(UnixTime, Int64)] {
            shell = HandShell()
            shell.used = BudgetAmount(requests: 2, units: 90)
            let balance = BudgetBalance(remaining: BudgetAmount(requests: 1, units: 10), resetsAt: end)
            #expect(charge(60, at: moment, &shell).refusal == .budgetSpent(balance, retryAfter: wait))
            #expect(shell.questions == ["spendBudget", "usedBudget"])
        }
        shell = HandShell()
        #expect(charge(-1, &shell).refusal == .malformedRequest)
        #expect(charge(BudgetAmount.maximum + 1, &shell).refusal == .malformedRequest)
        #expect(shell.questions.isEmpty)
        for units in [0, BudgetAmount.maximum] {
            shell.spent = BudgetAmount(requests: 1, units: 0)
            #expect(charge(units, &shell).value != nil)
        }
    }

    /// Without a budget, the decision charges a budget of zero, which rejects requests until the end of the day.
    @Test(arguments: [0, 86_400] as [Int64]) func noBudgetIsABudgetOfNothing(_ seconds: Int64) {
        var shell = HandShell()
        let outcome = shell.run { () throws(Refusal) in
            try makeRules().spendBudget(0, keyID: keyID, account: nil, at: time(seconds)) { $0 }
        }
        let end = time(seconds + 43_200)
        let nothing = BudgetBalance(remaining: BudgetAmount(requests: 0, units: 0), resetsAt: end)
        #expect(outcome.refusal == .budgetSpent(nothing, retryAfter: 43_200))
        #expect(shell.chargedBudgets.map(\.limit) == [BudgetAmount(requests: 0, units: 0)])
        #expect(shell.chargedBudgets.map(\.row.end) == [end])
    }

    @Test func aBalanceIsRead() throws {
        let rules = makeRules { $0.budget = Budget(days: 1, requests: 3, units: 100) }
        let session = try session(rules)
        var shell = HandShell()
        shell.used = BudgetAmount(requests: 1, units: 40)
        let balance = shell.run { () throws(Refusal) in
            rules.budgetBalance(keyID: session.keyID, account: session.account, at: now) { $0 }
        }
        #expect(balance.value?.remaining == BudgetAmount(requests: 2, units: 60))
        #expect(shell.questions == ["usedBudget"])
    }

    @Test func settledUnits() {
        let row = BudgetPeriod(holder: [1], end: now)
        let units: [(Int64?, Int64?)] = [
            (nil, nil), (-1, nil), (.min, nil), (60, nil), (0, 0), (59, 59), (61, 61), (.max, BudgetAmount.maximum),
        ]
        for (used, settled) in units {
            var shell = HandShell()
            #expect(
                shell.run { () throws(Refusal) in makeRules().settle(row, reserved: 60, used: used) { true } }
                    == .success(true))
            #expect(shell.questions == (settled.map { ["settleBudget 60 \($0)"] } ?? []))
        }
    }

    // MARK: Revocation

    /// Revoking a key also adds it to the consumed tokens, even if it is unknown or already revoked.
    @Test func aRevocationIsWrittenTwice() {
        for isRevokedNow in [true, false] {
            for isFirst in [true, false] {
                var shell = HandShell()
                (shell.isRevokedNow, shell.isFirst) = (isRevokedNow, isFirst)
                let outcome = shell.run { () throws(Refusal) in makeRules().revoke(keyID: keyID, at: now) { $0 } }
                #expect(outcome == .success(isRevokedNow))
                #expect(shell.questions == ["revokeKey", "consume"])
                let until = now.adding(RelyingPartyConfiguration.revokedKeyListing)
                #expect(shell.consumedTokens == [ConsumedToken(id: keyID, until: until)])
            }
        }
    }

    // MARK: Receipts

    private func store(
        _ answer: ReceiptRefreshAnswer, for due: DueReceipt, _ rules: RelyingPartyRules, shell: inout HandShell
    ) -> Result<ReceiptState, Refusal> {
        shell.run { () throws(Refusal) in rules.storeAnswer(answer, for: due, at: now, risk: { _ in }) { $0 } }
    }

    /// Each answer from Apple causes at most one write. The outcome is the same if the receipt has been replaced.
    @Test(arguments: [true, false]) func receipts(_ isCurrent: Bool) throws {
        let (rules, client) = (makeRules(), Client())
        let record = try rules.record(of: client)
        let due = try #require(DueReceipt(record: record))
        let receipt = try client.device.assessedReceipt(for: client.name, riskMetric: 4)
        let kept: [(ReceiptRefreshAnswer, ReceiptState, UnixTime?)] = [
            (.notYet, .notYetDue(until: time(day)), time(day)), (.invalidReceipt, .renewalRequired, nil),
            (.notFound, .gone(askAgainAt: time(7 * day)), time(7 * day)),
        ]
        for (answer, state, dueAt) in kept {
            var shell = HandShell()
            shell.isFirst = isCurrent
            #expect(store(answer, for: due, rules, shell: &shell) == .success(state))
            #expect(shell.questions == ["replaceReceipt"])
            let replaced = ReplacedReceipt(
                keyID: client.keyID, current: record.receipt, next: record.receipt, dueAt: dueAt)
            #expect(shell.replacedReceipts == [replaced])
        }
        var shell = HandShell()
        #expect(
            store(.receipt(receipt), for: due, rules, shell: &shell) == .success(.notYetDue(until: time(day))))
        #expect(shell.questions == ["replaceReceipt"])
        #expect(shell.replacedReceipts.map(\.next) == [receipt])
        // A receipt that fails verification is not stored. Apple is queried again a day later.
        shell = HandShell()
        #expect(store(.receipt([]), for: due, rules, shell: &shell).refusal?.step == .verification)
        #expect(shell.replacedReceipts.map(\.next) == [record.receipt])
        #expect(shell.replacedReceipts.map(\.dueAt) == [time(day)])
        // Apple or this server is at fault, so nothing is written, and the claim on the receipt expires.
        shell = HandShell()
        #expect(store(.tooManyRequests, for: due, rules, shell: &shell) == .success(.due(from: now)))
        #expect(shell.questions.isEmpty)
    }
}
