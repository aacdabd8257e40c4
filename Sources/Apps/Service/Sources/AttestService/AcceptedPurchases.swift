public import AttestMiddleware
import PureAppStore
public import PureAttestPurchases
public import PureAttestServer

/// The purchases that a service accepts, for one or both environments of the App Store.
public struct AcceptedPurchases<Store: PurchaseStore>: Sendable {
    private let environments: [Purchases<Store>]

    /// - Parameter environments: the purchases of each environment. If a key has a purchase in two, the first counts.
    public init(_ environments: [Purchases<Store>] = []) { self.environments = environments }

    var isEmpty: Bool { environments.isEmpty }

    /// Returns the allowance of a key's purchase, or `nil` without one.
    func allowance(
        _ ask: (Purchases<Store>) async throws -> BudgetAllowance?
    ) async throws -> BudgetAllowance? {
        for purchases in environments {
            if let allowance = try await ask(purchases) { return allowance }
        }
        return nil
    }

    /// Passes signed data to the purchases of its environment. Data that names no accepted environment gets an error.
    func inItsEnvironment<Value>(_ body: (Purchases<Store>) async throws -> Value) async throws -> Value {
        for purchases in environments.dropLast() {
            do { return try await body(purchases) } catch let error as Purchases<Store>.Failure
                where error.isOtherEnvironment
            {}
        }
        guard let last = environments.last else { throw RequestFault.internalError }
        return try await body(last)
    }
}

extension PurchasesError: Answerable {
    /// The policy has no effect: all purchases that do not count have one answer.
    public func answer(_ policy: AnswerPolicy) -> HTTPAnswer { answer }

    fileprivate var isOtherEnvironment: Bool {
        if case .refused(.signedData(.otherEnvironment)) = self { true } else { false }
    }
}
