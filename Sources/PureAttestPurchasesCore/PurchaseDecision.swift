/// A decision on a purchase, computed without I/O.
///
/// A shell is the code that performs the I/O. It answers one question after another until the decision accepts the
/// request or throws a ``PurchaseRefusal``. If the store fails, the shell drops the decision and reports the outage.
public indirect enum PurchaseDecision<Value> {
    /// The continuation that receives the answer to a question.
    public typealias Then<Answer> = (Answer) throws(PurchaseRefusal) -> PurchaseDecision

    /// The request is accepted.
    case accepted(Value)
    /// Asks for the bytes of a row. The answer is `nil` if there is no row.
    case row([UInt8], Then<[UInt8]?>)
    /// Writes a row if the row still holds the bytes that were read. The answer states whether the row was written.
    case replaceRow(ReplacedRow, Then<Bool>)
}

/// The row to replace: the arguments of `PurchaseStore.replacePurchaseRow(_:from:to:)`.
public struct ReplacedRow: Hashable, Sendable {
    /// The name of the row.
    public let name: [UInt8]
    /// The bytes that were read; `nil` if there was no row.
    public let current: [UInt8]?
    /// The bytes to store.
    public let next: [UInt8]
}
