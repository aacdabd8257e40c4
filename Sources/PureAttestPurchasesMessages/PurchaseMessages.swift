package import PureAppStore
import PureAttestPurchasesCore
public import PureAttestServerMessages

/// The purchases of a relying party whose shell is in another language: decisions as messages.
///
/// ``/PureAttestServerMessages/RelyingPartyMessages`` describes messages, waiting decisions and the first value of each
/// reply. A rejection is 1, the reason's name, the HTTP status, the code word, and the seconds to wait. For signed data
/// the cases of its error follow, from the outermost on: each as its name, an X.509 rule as its number.
public final class PurchaseMessages {
    private let rules: [PurchaseRules]
    private var waiting = WaitingDecisions<PurchaseRefusal>()

    /// Creates purchases, whose data Apple signs.
    ///
    /// - Parameter settings: a message of settings, each a name and its values (`PurchaseSettings.swift`).
    public convenience init(settings: [UInt8]) throws(MessageError) {
        try self.init(settings: settings) { bundleID, appAppleID, environment throws(AppStoreError) in
            try SignedDataVerifier(bundleIDUTF8: bundleID, appAppleID: appAppleID, environment: environment)
        }
    }

    /// Creates purchases with other verifiers, for tests.
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

    /// Goes on with the answer to a waiting decision's question, and returns the next reply. An answer ends the wait,
    /// even if it is malformed.
    public func answer(_ number: Int32, _ answer: [UInt8]) throws(MessageError) -> [UInt8] {
        reply(try waiting.resume(number, answer))
    }

    /// Drops a waiting decision, because the store is out of order.
    public func drop(_ number: Int32) { waiting.drop(number) }

    /// The number of waiting decisions.
    public var waitingCount: Int { waiting.count }

    private func reply(_ step: Step<PurchaseRefusal>) -> [UInt8] { waiting.reply(step) { $0.values } }
}
