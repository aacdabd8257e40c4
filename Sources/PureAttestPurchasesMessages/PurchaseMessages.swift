package import PureAppStore
import PureAttestPurchasesCore
public import PureAttestServerMessages

/// Decides on purchases by exchanging messages with a shell in another language.
///
/// ``/PureAttestServerMessages/RelyingPartyMessages`` describes messages, waiting decisions and the first value of each
/// reply. A rejection consists of the number 1, the reason's name, the HTTP status, the code word, and the seconds to
/// wait. If signed data is rejected, the enum cases of the nested error follow, the outermost first. An X.509 rule is
/// represented by a number, and every other case by its name.
public final class PurchaseMessages {
    private let rules: [PurchaseRules]
    private var waiting = WaitingDecisions<PurchaseRefusal>()

    /// Creates an instance that accepts only data signed by Apple.
    ///
    /// - Parameter settings: a message that consists of settings. Each setting is a name and its values
    ///   (`PurchaseSettings.swift`).
    public convenience init(settings: [UInt8]) throws(MessageError) {
        try self.init(settings: settings) { bundleID, appAppleID, environment throws(AppStoreError) in
            try SignedDataVerifier(bundleIDUTF8: bundleID, appAppleID: appAppleID, environment: environment)
        }
    }

    /// Creates an instance with the verifiers that `verifier` returns, for tests.
    package init(
        settings: [UInt8],
        verifier: ([UInt8], Int64?, AppStoreEnvironment) throws(AppStoreError) -> SignedDataVerifier
    ) throws(MessageError) {
        rules = try PurchaseSettings(settings).rules(verifier)
    }

    /// Begins an operation, and returns the reply.
    public func begin(_ request: [UInt8]) throws(MessageError) -> [UInt8] {
        reply(try PureAttestPurchasesMessages.begin(request, by: rules))
    }

    /// Continues a waiting decision with the answer to its question, and returns the next reply. After this call,
    /// `number` is invalid, even if the answer is malformed.
    public func answer(_ number: Int32, _ answer: [UInt8]) throws(MessageError) -> [UInt8] {
        reply(try waiting.resume(number, answer))
    }

    /// Drops a waiting decision after the store has failed.
    public func drop(_ number: Int32) { waiting.drop(number) }

    /// The number of waiting decisions.
    package var waitingCount: Int { waiting.count }

    private func reply(_ step: Step<PurchaseRefusal>) -> [UInt8] { waiting.reply(step) { $0.values } }
}
