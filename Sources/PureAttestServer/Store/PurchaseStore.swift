/// The storage of `Purchases` (module `PureAttestPurchases`): rows of at most 4 KB, which are replaced as a whole.
///
/// Rows are never deleted, because deleting the record of a refund would make the purchase valid again. A client cannot
/// add rows at will: a purchase's row needs a transaction that the App Store signed, and a key's row needs a registered
/// key. In the sandbox, transactions are free, so a client can add rows there.
public protocol PurchaseStore: Sendable {
    /// The error that a store throws if it fails.
    associatedtype Failure: Error

    /// Returns the bytes that were last written to a row, by any process; `nil` if there is no row. Do not read from a
    /// replica that lags behind, because such a replica could return a refunded purchase as valid.
    func purchaseRow(_ name: [UInt8]) async throws(Failure) -> [UInt8]?

    /// Writes `next` if the row still holds the bytes `current` (compare-and-set). If `current` is `nil`, the call
    /// writes only if there is no row. Of concurrent calls with the same `current`, at most one returns `true`. `name`
    /// has at most 128 bytes, which a store compares without interpreting them. `current` and `next` are never empty
    /// and never equal.
    ///
    /// - Returns: `true` if this call wrote the row.
    func replacePurchaseRow(
        _ name: [UInt8], from current: [UInt8]?, to next: [UInt8]
    ) async throws(Failure) -> Bool
}
