/// The statements of a ``PurchaseStore``. Each is one statement that decides and changes at once. All parameters are
/// bytes.
extension StoreSQL {
    /// The table of purchases. Run the statement once, if the server uses purchases.
    public var purchaseSchema: String {
        """
        CREATE TABLE IF NOT EXISTS purchase_rows (
            name \(bytes) PRIMARY KEY NOT NULL,
            value \(bytes) NOT NULL
        )\(strict)
        """
    }

    /// ``PurchaseStore/purchaseRow(_:)``: name. Returns a row with the bytes, if there is one.
    public var selectPurchaseRow: String { "SELECT value FROM purchase_rows WHERE name = \(p(1))" }

    /// ``PurchaseStore/replacePurchaseRow(_:from:to:)`` without current bytes: name, next bytes. Returns a row if it
    /// wrote.
    public var insertPurchaseRow: String {
        """
        INSERT INTO purchase_rows (name, value) VALUES (\(p(1)), \(p(2)))
        ON CONFLICT (name) DO NOTHING
        RETURNING name
        """
    }

    /// ``PurchaseStore/replacePurchaseRow(_:from:to:)``: name, current bytes, next bytes. Returns a row if it wrote.
    public var replacePurchaseRow: String {
        """
        UPDATE purchase_rows SET value = \(p(3))
        WHERE name = \(p(1)) AND value = \(p(2))
        RETURNING name
        """
    }

    /// The operations of purchases after their schema, by name.
    public var purchaseOperations: [(name: String, statement: String)] {
        [
            ("selectPurchaseRow", selectPurchaseRow), ("insertPurchaseRow", insertPurchaseRow),
            ("replacePurchaseRow", replacePurchaseRow),
        ]
    }
}
