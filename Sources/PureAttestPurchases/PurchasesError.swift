public import PureAttestPurchasesCore
public import PureAttestServer

/// The error that the methods of ``Purchases`` throw.
@nonexhaustive
public enum PurchasesError<StoreFailure: Error>: Error {
    /// The rules rejected the purchase, or could not decide because of contention or an unreadable row.
    case refused(PurchaseRefusal)
    /// The store failed, perhaps after the request took effect. Repeat the request; a repetition has no further effect.
    case store(StoreFailure)

    /// The answer for a client. If the caller is the App Store, answer with 500 instead, so that it resends the
    /// notification.
    public var answer: HTTPAnswer {
        switch self {
        case .refused(let refusal): refusal.answer
        case .store: .unavailable
        }
    }
}

extension PurchasesError: Equatable where StoreFailure: Equatable {}
extension PurchasesError: Hashable where StoreFailure: Hashable {}

extension PurchasesError: CustomStringConvertible {
    /// One line for operators, of bounded length.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .store(let error): AttestServerError.store(error).description
        }
    }
}
