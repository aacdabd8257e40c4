/// The operations of a ``PurchaseStore``. Each operation is one statement. A statement that writes a row also checks
/// the condition for the write. All parameters are bytes.
extension StoreSQL {
    /// Creates the table of purchases. Run the statement once if the server uses purchases.
    public var purchaseSchema: String {
        """
        CREATE TABLE IF NOT EXISTS purchase_rows (
            name \(bytes) PRIMARY KEY NOT NULL,
            value \(bytes) NOT NULL
        )\(strict)
        """
    }

    /// Performs ``PurchaseStore/purchaseRow(_:)``. Parameter: name. Returns a row with the bytes if the name is stored.
    public var selectPurchaseRow: String { "SELECT value FROM purchase_rows WHERE name = \(p(1))" }

    /// Performs ``PurchaseStore/replacePurchaseRow(_:from:to:)`` if `current` is `nil`. Parameters: name, next bytes.
    /// Returns a row if the statement wrote the bytes.
    public var insertPurchaseRow: String {
        """
        INSERT INTO purchase_rows (name, value) VALUES (\(p(1)), \(p(2)))
        ON CONFLICT (name) DO NOTHING
        RETURNING name
        """
    }

    /// Performs ``PurchaseStore/replacePurchaseRow(_:from:to:)``. Parameters: name, current bytes, next bytes. Returns
    /// a row if the statement wrote the bytes.
    public var replacePurchaseRow: String {
        """
        UPDATE purchase_rows SET value = \(p(3))
        WHERE name = \(p(1)) AND value = \(p(2))
        RETURNING name
        """
    }

    /// The purchase operations by name, without the schema.
    package var purchaseOperations: [(name: String, statement: String)] {
        [
            ("selectPurchaseRow", selectPurchaseRow), ("insertPurchaseRow", insertPurchaseRow),
            ("replacePurchaseRow", replacePurchaseRow),
        ]
    }
}
