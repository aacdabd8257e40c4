import PureAttest
import PureAttestServerCore
import PureDER

/// A decision for a shell in another language: its outcome with the values to send, or a question and the continuation
/// that reads the answer.
package indirect enum Step {
    case accepted([WireValue])
    case refused([WireValue])
    case question([WireValue], (inout WireReader) throws(MessageError) -> Step)
}

extension RelyingPartyOperations {
    func step(of decide: () throws(Refusal) -> Decision<[WireValue]>) -> Step {
        do throws(Refusal) { return step(try decide()) } catch { return .refused(values(of: error)) }
    }

    private func step(_ decision: Decision<[WireValue]>) -> Step {
        func ask<Answer>(
            _ name: StaticString, _ parameters: [WireValue], _ then: @escaping Decision<[WireValue]>.Then<Answer>,
            _ read: @escaping (inout WireReader) throws(MessageError) -> Answer
        ) -> Step {
            .question([WireValue(name)] + parameters) { reader throws(MessageError) in
                let answer = try read(&reader)
                return step(of: { () throws(Refusal) in try then(answer) })
            }
        }
        /// Sends an instruction, whose answer is empty.
        func tell(_ name: StaticString, _ parameters: [WireValue], _ next: @escaping Decision<[WireValue]>.Next)
            -> Step
        {
            .question([WireValue(name)] + parameters) { _ in step(of: next) }
        }
        func hasRow(_ reader: inout WireReader) -> Bool { !reader.isAtEnd }

        switch decision {
        case .accepted(let values): return .accepted(values)
        case .about(let subject, let then):
            return tell("about", [WireValue(subject.keyID), WireValue(subject.account?.bytes)], then)
        case .limit(let question, let then):
            return ask("limit", values(of: question), then) { reader throws(MessageError) in try reader.optionalNumber()
            }
        case .ifStoreFails(let question, let then): return tell("ifStoreFails", values(of: question), then)
        case .key(let keyID, let then):
            return ask("selectKey", [.bytes(keyID)], then) { reader throws(MessageError) in
                hasRow(&reader) ? try KeyRecord(wholeRow: &reader) : nil
            }
        case .insertKey(let record, let token, let then):
            return .question([WireValue("insertKey")] + token.values + record.values) { reader throws(MessageError) in
                let insertion: KeyInsertion
                switch try reader.number() {
                case 0:
                    // The key's record exists. Rows are never deleted, so `selectKey` finds it.
                    return ask("selectKey", [.bytes(record.key.keyID)], then) { reader throws(MessageError) in
                        .existing(try KeyRecord(wholeRow: &reader))
                    }
                case 1: insertion = .inserted
                case 2: insertion = .alreadyConsumed
                default: throw .malformed
                }
                return step(of: { () throws(Refusal) in try then(insertion) })
            }
        case .recordUse(let use, let then):
            let values: [WireValue] = [
                .bytes(use.current.keyID), .bytes(use.current.serialized), .number(Int64(use.next.counter ?? 0)),
                .bytes(use.next.serialized), .number(use.time.secondsSince1970),
            ]
            return ask("recordUse", use.token.values + values, then) { reader throws(MessageError) in
                switch try reader.number() {
                case 0: .keyChanged
                case 1: .recorded
                case 2: .alreadyConsumed
                default: throw .malformed
                }
            }
        case .revokeKey(let keyID, let time, let then):
            return ask("revokeKey", [.bytes(keyID), .number(time.secondsSince1970)], then, hasRow)
        case .replaceReceipt(let receipt, let then):
            return ask(
                "replaceReceipt",
                [
                    .bytes(receipt.keyID), .bytes(receipt.current), .bytes(receipt.next),
                    WireValue(receipt.dueAt?.secondsSince1970),
                ], then, hasRow)
        case .consume(let token, let then): return ask("consume", token.values, then, hasRow)
        case .isConsumed(let id, let then): return ask("selectConsumed", [.bytes(id)], then, hasRow)
        case .knownDenial(let id, let then):
            return ask("knownDenial", [.bytes(id)], then) { reader throws(MessageError) in
                guard let isConsumed = try reader.optionalNumber() else { return nil }
                return isConsumed == 1 ? .tokenConsumed : .deniedToken
            }
        case .rememberDenial(let id, let end, let refusal, _, let then):
            let values: [WireValue] = [
                .bytes(id), .number(end.secondsSince1970), WireValue(refusal == .tokenConsumed),
            ]
            return tell("rememberDenial", values, then)
        case .spendBudget(let units, let row, let limit, _, let then):
            let values: [WireValue] = [.number(units), .number(limit.requests), .number(limit.units)]
            return ask("spendBudget", row.values + values, then) { reader throws(MessageError) in
                hasRow(&reader) ? try BudgetAmount(row: &reader) : nil
            }
        case .settleBudget(let row, let reserved, let used, let then):
            return tell("settleBudget", row.values + [.number(reserved), .number(used)], then)
        case .usedBudget(let row, let then):
            return ask("selectBudget", row.values, then) { reader throws(MessageError) in
                hasRow(&reader) ? try BudgetAmount(row: &reader) : BudgetAmount(requests: 0, units: 0)
            }
        }
    }

    func step(of decide: () throws(Refusal) -> LimitDecision<[WireValue]>) -> Step {
        do throws(Refusal) {
            switch try decide() {
            case .accepted(let values): return .accepted(values)
            case .limit(let question, let then):
                return .question([WireValue("limit")] + values(of: question)) { reader throws(MessageError) in
                    let wait = try reader.optionalNumber()
                    return step(of: { () throws(Refusal) in try then(wait) })
                }
            }
        } catch { return .refused(values(of: error)) }
    }

    /// Returns the names of the action and the limit, the counted name, the time, and the limit's burst size and
    /// requests per minute. Both numbers are absent if the limit is off.
    private func values(of question: LimitQuestion) -> [WireValue] {
        let action: StaticString =
            switch question.action {
            case .check: "check"
            case .admit: "admit"
            case .giveBack: "giveBack"
            }
        let rate = rules.configuration.rate(of: question.limit)
        return [
            WireValue(action), WireValue(question.limit.name), .bytes(question.name),
            .number(question.time.secondsSince1970), WireValue(rate.map { Int64($0.burst) }),
            WireValue(rate.map { Int64($0.perMinute) }),
        ]
    }
}
