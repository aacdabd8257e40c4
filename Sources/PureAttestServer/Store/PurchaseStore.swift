/// The storage of `Purchases` of `PureAttestPurchases`: rows of at most 4 KB, each replaced as a whole.
///
/// A row stays forever, so that a refund is not forgotten. A client cannot add rows at will: each row of a purchase needs
/// a transaction that the App Store signed, and each row of a key needs a registered key. The sandbox signs transactions
/// for free.
public protocol PurchaseStore: Sendable {
    /// The error that a store throws if it is out of order.
    associatedtype Failure: Error

    /// Returns the bytes that were last written to a row, by any process; `nil` if there is no row. A replica that lags
    /// behind would show a refunded purchase as valid.
    func purchaseRow(_ name: [UInt8]) async throws(Failure) -> [UInt8]?

    /// Writes `next` if the row still has the bytes `current` (compare-and-set); if `current` is `nil`, only if there
    /// is no row. Of concurrent calls with one `current`, at most one returns `true`.
    ///
    /// - Parameters:
    ///   - name: at most 128 bytes, which a store compares and does not interpret.
    ///   - current: the bytes that were read; never empty.
    ///   - next: the bytes to store; never empty, and never equal to `current`.
    /// - Returns: `true` if it wrote the row.
    func replacePurchaseRow(
        _ name: [UInt8], from current: [UInt8]?, to next: [UInt8]
    ) async throws(Failure) -> Bool
}
