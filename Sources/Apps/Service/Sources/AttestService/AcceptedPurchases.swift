public import AttestMiddleware
import Logging
import PureAppStore
public import PureAttestPurchases
public import PureAttestServer

/// The purchases that a service accepts, for one or both environments of the App Store.
public struct AcceptedPurchases<Store: PurchaseStore>: Sendable {
    private let environments: [Purchases<Store>]

    /// - Parameter environments: the purchases of each environment. If a key has a purchase in two, the first counts.
    public init(_ environments: [Purchases<Store>] = []) { self.environments = environments }

    var isEmpty: Bool { environments.isEmpty }

    /// Returns the allowance of a key's purchase, or `nil` without one. Logs errors.
    func allowance(
        _ context: AttestContext, _ ask: (Purchases<Store>) async throws -> BudgetAllowance?
    ) async throws -> BudgetAllowance? {
        for purchases in environments {
            if let allowance = try await logging(context, { try await ask(purchases) }) { return allowance }
        }
        return nil
    }

    /// Passes signed data to the purchases of its environment. Data that names no accepted environment gets an error.
    /// Logs errors.
    func inItsEnvironment<Value>(
        _ context: AttestContext, _ body: (Purchases<Store>) async throws -> Value
    ) async throws -> Value {
        for purchases in environments.dropLast() {
            do { return try await body(purchases) } catch let error as Purchases<Store>.Failure
                where error.isOtherEnvironment
            {}
        }
        guard let last = environments.last else { throw RequestFault.internalError }
        return try await logging(context) { try await body(last) }
    }

    private func logging<Value>(_ context: AttestContext, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as Purchases<Store>.Failure {
            context.logger.log(
                level: error.needsTheOperator ? .error : .info, "A purchase is rejected",
                metadata: ["reason": "\(error)"])
            throw error
        }
    }
}

extension PurchasesError: Answerable {
    /// The policy has no effect: all purchases that do not count have one answer.
    public func answer(_ policy: AnswerPolicy) -> HTTPAnswer { answer }

    fileprivate var isOtherEnvironment: Bool {
        if case .refused(.signedData(.otherEnvironment)) = self { true } else { false }
    }

    /// Whether no client causes the error: the store is out of order, or `ATTEST_APP_APPLE_ID` is another app's, and
    /// refunds have no effect.
    fileprivate var needsTheOperator: Bool {
        switch self {
        case .store, .refused(.unreadableRecord), .refused(.signedData(.otherAppAppleID)): true
        default: false
        }
    }
}
