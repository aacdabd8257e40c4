import PureAttest

extension RelyingParty {
    /// Answers the decision's questions, one at a time, until the decision accepts or rejects the request.
    func run<Value: Sendable>(_ decision: Decision<Value>) async throws(Failure) -> Value {
        var subject = DecisionSubject()
        return try await run(decision, about: &subject)
    }

    /// Answers the decision's questions like ``run(_:)``, and sets `subject` to the last subject that the decision
    /// reported.
    func run<Value: Sendable>(
        _ decision: Decision<Value>, about subject: inout DecisionSubject
    ) async throws(Failure) -> Value {
        var decision = decision
        var undo: LimitQuestion?
        while true {
            let next: () throws(Refusal) -> Decision<Value>
            do throws(Store.Failure) {
                switch decision {
                case .accepted(let value): return value
                case .about(let known, let then):
                    subject = known
                    next = then
                case .ifStoreFails(let question, let then):
                    undo = question
                    next = then
                case .limit(let question, let then): next = given(limiters.answer(question), then)
                case .key(let keyID, let then): next = given(try await store.key(keyID), then)
                case .insertKey(let record, let token, let then):
                    next = given(try await store.insertKey(record, consuming: token), then)
                case .recordUse(let use, let then):
                    let outcome = try await store.recordUse(
                        from: use.current, to: use.next, at: use.time, consuming: use.token)
                    next = given(outcome, then)
                case .revokeKey(let keyID, let time, let then):
                    next = given(try await store.revokeKey(keyID, at: time), then)
                case .replaceReceipt(let receipt, let then):
                    let wasCurrent = try await store.replaceReceipt(
                        of: receipt.keyID, from: receipt.current, to: receipt.next, dueAt: receipt.dueAt)
                    next = given(wasCurrent, then)
                case .consume(let token, let then): next = given(try await store.consume(token), then)
                case .isConsumed(let id, let then): next = given(try await store.isConsumed(id), then)
                case .knownDenial(let id, let then): next = given(denied.refusal(of: id), then)
                case .rememberDenial(let id, let end, let refusal, let time, let then):
                    denied.insert(id, until: end, refusal, at: time)
                    next = then
                case .spendBudget(let units, let row, let limit, let time, let then):
                    let sums = try await store.spendBudget(units, in: row, upTo: limit, at: time)
                    next = given(sums, then)
                case .settleBudget(let row, let reserved, let used, let then):
                    try await store.settleBudget(row, reserved: reserved, used: used)
                    next = then
                case .usedBudget(let row, let then): next = given(try await store.usedBudget(in: row), then)
                }
            } catch {
                if let undo { _ = limiters.answer(undo) }
                throw .store(error)
            }
            decision = try refusing(next)
        }
    }

    func refusing<Value>(_ body: () throws(Refusal) -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw .refused(error) }
    }
}

private func given<Answer, Value>(
    _ answer: Answer, _ then: @escaping Decision<Value>.Then<Answer>
) -> () throws(Refusal) -> Decision<Value> {
    { () throws(Refusal) in try then(answer) }
}
