public import PureAttest
import PureAttestServerCore

/// Decides on a relying party's requests by exchanging messages with a shell in another language.
///
/// A message is a list of values (null, a number, bytes) in the layout that `Messages.swift` describes. The shell
/// begins an operation with a message that contains the operation's name, the time and the arguments. Each reply begins
/// with a number:
///
/// - 0: the request is accepted. The operation's values follow.
/// - 1: the request is rejected. The reason follows: its name, or a number if the reason is an error of the verifier.
///   Then come the step's name, the HTTP status, the code word, the seconds to wait, and the balance: requests, units,
///   renewal time.
/// - Otherwise: the number of a decision that waits for an answer. The question's name and parameters follow. A
///   question to the store names a `StoreSQL` statement. The answer to such a question contains the columns of the
///   first row, or is empty.
public final class RelyingPartyMessages {
    let rules: RelyingPartyRules
    private let reasonNumber: (PureAttestError) -> Int32
    private var waiting = WaitingDecisions<Refusal>()

    /// Creates a relying party.
    ///
    /// `settings` is a message, in which each setting is a name and its values (`Settings.swift`). `reasonNumber`
    /// returns the shell's number for an error of the verifier.
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

    /// Continues a waiting decision with the answer to its question, and returns the next reply. After this call,
    /// `number` is invalid, even if the answer is malformed.
    public func answer(_ number: Int32, _ answer: [UInt8]) throws(MessageError) -> [UInt8] {
        reply(try waiting.resume(number, answer))
    }

    /// Drops a waiting decision, because the store failed.
    public func drop(_ number: Int32) { waiting.drop(number) }

    /// The number of waiting decisions.
    package var waitingCount: Int { waiting.count }

    private func reply(_ step: Step<Refusal>) -> [UInt8] {
        waiting.reply(step) { $0.values(rules.configuration.answerPolicy, reasonNumber) }
    }
}
