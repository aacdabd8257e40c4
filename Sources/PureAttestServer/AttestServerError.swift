/// Why a request failed.
@nonexhaustive
public enum AttestServerError<StoreFailure: Error>: Error {
    /// The relying party rejected the request.
    case refused(Refusal)
    /// The store failed. The request may be valid, and may or may not have taken effect.
    case store(StoreFailure)
}

extension AttestServerError: Equatable where StoreFailure: Equatable {}
extension AttestServerError: Hashable where StoreFailure: Hashable {}

extension AttestServerError: CustomStringConvertible {
    /// A text for operators: the reason for the rejection in one line, or up to 500 bytes of the store's error.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .store(let error):
            "the store failed: \(String(decoding: "\(error)".utf8.prefix(500), as: UTF8.self))"
        }
    }
}

extension AttestServerError {
    /// Returns the answer for a client.
    public func answer(_ policy: AnswerPolicy) -> HTTPAnswer {
        switch self {
        case .refused(let refusal): refusal.answer(policy)
        case .store: .unavailable
        }
    }
}

extension RelyingParty {
    /// Returns the answer for any error that this relying party throws, with the detail that its configuration permits.
    /// Returns `nil` for other errors, which the server must answer itself.
    public func answer(to error: any Error) -> HTTPAnswer? {
        switch error {
        case let failure as Failure: failure.answer(configuration.answerPolicy)
        case let refusal as Refusal: refusal.answer(configuration.answerPolicy)
        default: nil
        }
    }
}
