package import PureAppStore
import PureAttestPurchasesCore
public import PureAttestServerMessages

extension DecisionMessages {
    /// Creates an instance that decides on purchases and accepts only data signed by Apple.
    ///
    /// A rejection consists of the reason's name, the HTTP status, the code word, and the seconds to wait. If signed
    /// data is rejected, the enum cases of the nested error follow, the outermost first. An X.509 rule is represented
    /// by a number, and every other case by its name.
    ///
    /// - Parameter settings: a message that consists of settings. Each setting is a name and its values
    ///   (`PurchaseSettings.swift`).
    public convenience init(purchases settings: [UInt8]) throws(MessageError) {
        try self.init(purchases: settings) { bundleID, appAppleID, environment throws(AppStoreError) in
            try SignedDataVerifier(bundleIDUTF8: bundleID, appAppleID: appAppleID, environment: environment)
        }
    }

    /// Creates an instance with the verifiers that `verifier` returns, for tests.
    package convenience init(
        purchases settings: [UInt8],
        verifier: ([UInt8], Int64?, AppStoreEnvironment) throws(AppStoreError) -> SignedDataVerifier
    ) throws(MessageError) {
        let rules = try PurchaseSettings(settings).rules(verifier)
        self.init { request throws(MessageError) in try PureAttestPurchasesMessages.begin(request, by: rules) }
    }
}
