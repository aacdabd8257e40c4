public import AttestMiddleware
import Logging
import PureAppStore
public import PureAttestPurchases
public import PureAttestServer

extension Purchases {
    func logging<Value>(_ context: AttestContext, _ call: (Self) async throws -> Value) async throws -> Value {
        do { return try await call(self) } catch let error as Failure {
            context.logger.log(
                level: error.needsTheOperator ? .error : .info, "A purchase is rejected",
                metadata: ["reason": "\(error)"])
            throw error
        }
    }
}

extension PurchasesError: Answerable {
    /// Returns the same answer to all rejected purchases, whatever the policy.
    public func answer(_ policy: AnswerPolicy) -> HTTPAnswer { answer }

    /// The operator must act if the store fails, or if `ATTEST_APP_APPLE_ID` names the wrong app, because refunds then
    /// have no effect.
    fileprivate var needsTheOperator: Bool {
        switch self {
        case .store, .refused(.unreadableRecord), .refused(.signedData(.otherAppAppleID)): true
        default: false
        }
    }
}
