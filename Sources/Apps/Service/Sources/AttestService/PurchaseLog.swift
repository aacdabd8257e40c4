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

    /// Whether the operator must act: the store failed, a stored record is unreadable, or `ATTEST_APP_APPLE_ID` names
    /// the wrong app. The reason is that refunds may then have no effect.
    fileprivate var needsTheOperator: Bool {
        switch self {
        case .store, .refused(.unreadableRecord), .refused(.signedData(.otherAppAppleID)): true
        default: false
        }
    }
}
