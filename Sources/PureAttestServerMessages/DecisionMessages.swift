/// Decides on requests by exchanging messages with a shell in another language.
///
/// A message is a list of values (null, a number, bytes) in the layout that `Messages.swift` describes. The shell
/// begins an operation with a message that contains the operation's name, the time and the arguments. Each reply begins
/// with a number:
///
/// - 0: the request is accepted. The operation's values follow.
/// - 1: the request is rejected. The reason follows. Each initialiser describes its layout.
/// - Otherwise: the number of a decision that waits for an answer. The question's name and parameters follow. A
///   question to the store names a `StoreSQL` statement. The answer to such a question contains the columns of the
///   first row, or is empty.
public final class DecisionMessages {
    private let operation: ([UInt8]) throws(MessageError) -> Step
    /// The decisions that wait for the shell's answer, by number.
    private var waiting: [(number: Int32, resume: (inout WireReader) throws(MessageError) -> Step)] = []
    private var last: Int32 = 1

    /// Creates an instance. `begin` begins the operation that a message names.
    package init(_ begin: @escaping ([UInt8]) throws(MessageError) -> Step) { operation = begin }

    /// Begins an operation, and returns the reply.
    public func begin(_ request: [UInt8]) throws(MessageError) -> [UInt8] { reply(try operation(request)) }

    /// Continues a waiting decision with the answer to its question, and returns the next reply. After this call,
    /// `number` is invalid, even if the answer is malformed.
    public func answer(_ number: Int32, _ answer: [UInt8]) throws(MessageError) -> [UInt8] {
        guard let resume = take(number) else { throw .malformed }
        var reader = WireReader(answer)
        return reply(try resume(&reader))
    }

    /// Drops a waiting decision, because the store failed or the request was cancelled.
    public func drop(_ number: Int32) { _ = take(number) }

    /// The number of waiting decisions.
    package var waitingCount: Int { waiting.count }

    private func take(_ number: Int32) -> ((inout WireReader) throws(MessageError) -> Step)? {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
        return waiting.remove(at: index).resume
    }

    /// Returns the reply to a step. If the step is a question, its decision waits from now on.
    private func reply(_ step: Step) -> [UInt8] {
        switch step {
        case .accepted(let values): return ([.number(0)] + values).message
        case .refused(let values): return ([.number(1)] + values).message
        case .question(let values, let resume):
            // A number is reused only after 2³¹ − 2 questions.
            last = last < .max ? last + 1 : 2
            waiting.append((last, resume))
            return ([.number(Int64(last))] + values).message
        }
    }
}
