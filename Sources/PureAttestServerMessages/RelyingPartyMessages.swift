public import PureAttest
import PureAttestServerCore

/// A relying party whose shell is in another language: decisions as messages.
///
/// A message is a list of values (null, a number, bytes), each in the layout that `Messages.swift` describes. The shell
/// begins an operation with a message: its name, the time, and its arguments. Each reply begins with a number:
///
/// - 0: the request is accepted; the operation's values follow.
/// - 1: it is rejected. The reason follows, by its name or by the number of the verifier's reason. Then come the step's
///   name, the HTTP status, the code word, and the seconds to wait. The balance is last: requests, units, and when it
///   renews.
/// - Otherwise, the number of a decision that waits for an answer, with the question's name and parameters. A question of
///   the store has the name of `StoreSQL`'s statements and their parameters; its answer is the first row's columns.
public final class RelyingPartyMessages {
    let rules: RelyingPartyRules
    private let reasonNumber: (PureAttestError) -> Int32
    private var waiting = WaitingDecisions<Refusal>()

    /// Creates a relying party.
    ///
    /// - Parameters:
    ///   - verifier: verifies attestations, assertions and receipts.
    ///   - settings: a message of settings, each a name and its values (`Settings.swift`).
    ///   - reasonNumber: the shell's number of a verifier's reason.
    public init(
        verifier: AppAttestVerifier, settings: [UInt8], reasonNumber: @escaping (PureAttestError) -> Int32
    ) throws(MessageError) {
        rules = try Settings(settings).rules(verifier)
        self.reasonNumber = reasonNumber
    }

    /// Begins an operation, and returns the reply.
    public func begin(_ request: [UInt8]) throws(MessageError) -> [UInt8] {
        reply(try PureAttestServerMessages.begin(request, by: rules))
    }

    /// Goes on with the answer to a waiting decision's question, and returns the next reply. An answer ends the wait,
    /// even if it is malformed.
    public func answer(_ number: Int32, _ answer: [UInt8]) throws(MessageError) -> [UInt8] {
        reply(try waiting.resume(number, answer))
    }

    /// Drops a waiting decision, because the store is out of order.
    public func drop(_ number: Int32) { waiting.drop(number) }

    /// The number of waiting decisions.
    public var waitingCount: Int { waiting.count }

    private func reply(_ step: Step<Refusal>) -> [UInt8] {
        waiting.reply(step) { $0.values(rules.configuration.answerPolicy, reasonNumber) }
    }
}
