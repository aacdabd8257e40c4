import PureAppStore
import PureAttest

/// The names of rows in the store. Each combination of App Attest environment and App Store environment has separate
/// rows.
///
/// Each name is:
///
/// - 1 byte: 1 for a purchase, 2 for a key that uses a purchase.
/// - 1 byte: the relying party's environment, encoded as in a key's record.
/// - 1 byte: the App Store's environment.
/// - The identifier of the original transaction or of the key.
struct PurchaseRows: Hashable, Sendable {
    let party: Environment
    let environment: AppStoreEnvironment

    func purchase(_ originalTransactionID: [UInt8]) -> [UInt8] { [1, party.rawValue, code] + originalTransactionID }

    /// The name of the row that states which purchase a key uses.
    func key(_ keyID: [UInt8]) -> [UInt8] { [2, party.rawValue, code] + keyID }

    /// The bytes of a key's row: 1 byte for the version, and the identifier of the original transaction.
    func keyRow(purchaseID: [UInt8]) -> [UInt8] { [1] + purchaseID }

    func purchaseID(inKeyRow bytes: [UInt8]) throws(PurchaseRefusal) -> [UInt8] {
        guard bytes.first == 1 else { throw .unreadableRecord }
        return [UInt8](bytes.dropFirst())
    }

    /// The name of a purchase's budget. It omits the relying party's environment, which the budget's row contains.
    func budget(_ originalTransactionID: [UInt8]) -> [UInt8] { [code] + originalTransactionID }

    private var code: UInt8 {
        switch environment {
        case .production: 1
        case .sandbox: 2
        case .xcode: 3
        case .localTesting: 4
        }
    }
}
