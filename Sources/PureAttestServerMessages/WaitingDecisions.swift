/// The decisions that wait for a shell's answer, by number.
package struct WaitingDecisions<Rejection> {
    private var waiting: [(number: Int32, resume: (inout WireReader) throws(MessageError) -> Step<Rejection>)] = []
    private var last: Int32 = 1

    package init() {}

    package var count: Int { waiting.count }

    /// Returns the reply to a step. If the step is a question, its decision waits from now on.
    package mutating func reply(_ step: Step<Rejection>, _ values: (Rejection) -> [WireValue]) -> [UInt8] {
        switch step {
        case .accepted(let values): return ([.number(0)] + values).message
        case .refused(let rejection): return ([.number(1)] + values(rejection)).message
        case .question(let values, let resume):
            // A number is reused only after 2³¹ questions.
            last = last < .max ? last + 1 : 2
            waiting.append((last, resume))
            return ([.number(Int64(last))] + values).message
        }
    }

    /// Continues a decision with the answer to its question. Removes the decision, even if the answer is malformed.
    package mutating func resume(_ number: Int32, _ answer: [UInt8]) throws(MessageError) -> Step<Rejection> {
        guard let resume = take(number) else { throw .malformed }
        var reader = WireReader(answer)
        return try resume(&reader)
    }

    package mutating func drop(_ number: Int32) { _ = take(number) }

    private mutating func take(
        _ number: Int32
    ) -> ((inout WireReader) throws(MessageError) -> Step<Rejection>)? {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
        return waiting.remove(at: index).resume
    }
}
