public import PureAppStore
public import PureAttest
public import PureAttestServerCore
public import PureDER

/// The budget of a product.
public struct ProductBudget: Hashable, Sendable {
    /// The product's identifier in App Store Connect, UTF-8.
    public let productIDUTF8: [UInt8]
    /// The allowance that all keys of one purchase share. ``/PureAttestServerCore/Budget/holder`` has no effect.
    public let budget: Budget

    /// Creates the budget of a product.
    public init(productIDUTF8: some Collection<UInt8>, _ budget: Budget) {
        self.productIDUTF8 = [UInt8](productIDUTF8)
        self.budget = budget
    }

    #if !hasFeature(Embedded)
        /// Creates the budget of a product.
        public init(productID: String, _ budget: Budget) { self.init(productIDUTF8: productID.utf8, budget) }
    #endif
}

/// Decides which purchase a key uses, without I/O.
///
/// A limited number of keys use a purchase, and they share one budget.
public struct PurchaseRules: Sendable {
    /// The default maximum number of keys that use one purchase.
    public static let defaultMaximumKeys = 6
    /// The upper bound of the number of keys that use one purchase. One row of the store holds the identifiers of all
    /// keys.
    public static let largestMaximumKeys = 100
    /// Verifies the App Store's signed data, for one app and one environment.
    private let verifier: SignedDataVerifier
    /// The accepted products.
    private let products: [ProductBudget]
    /// The maximum number of keys that use one purchase.
    package let maximumKeys: Int
    /// The maximum number of attempts to read and write one row while other requests change it.
    public var maximumAttempts = 64
    private let rows: PurchaseRows

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - verifier: the verifier of the App Store's signed data.
    ///   - environment: the relying party's environment. For TestFlight builds, use production together with a verifier
    ///     for the App Store's sandbox.
    ///   - products: the accepted products. If a product has two budgets, the first budget applies.
    ///   - maximumKeys: the maximum number of keys that use one purchase, clamped to 1…``largestMaximumKeys``.
    public init(
        verifier: SignedDataVerifier, environment: Environment, products: [ProductBudget],
        maximumKeys: Int = defaultMaximumKeys
    ) {
        self.verifier = verifier
        self.products = products
        self.maximumKeys = min(max(maximumKeys, 1), Self.largestMaximumKeys)
        rows = PurchaseRows(party: environment, environment: verifier.environment)
    }

    // MARK: Requests

    /// Decides whether a key may use the purchase of a transaction, for `Purchases.register(signedTransaction:by:at:)`.
    ///
    /// A key uses a purchase if the purchase's row lists the key and the key's row names the purchase. The row of a new
    /// key is written before the purchase lists the key. No other key can therefore take its place in the list. If the
    /// key's row names a different purchase, that row changes only after the new purchase lists the key. Until that
    /// change, another key may take its place in the new list, so the method checks the list again at the end. One race
    /// remains: a different process may read the key's row before the row changes, and remove the key from the list
    /// after this last check. The purchase then has no effect until the client sends the transaction again.
    ///
    /// If a step fails, the client can repeat the request, and the key is still listed only once. If the client does
    /// not repeat the request, the key loses its place when another key needs the place. If the key is rejected, the
    /// signed state and the row of a new key stay stored.
    public func register<Outcome>(
        signedTransaction: [UInt8], keyID: [UInt8], at time: UnixTime, _ accept: @escaping (Purchase) -> Outcome
    ) throws(PurchaseRefusal) -> PurchaseDecision<Outcome> {
        guard keyID.count == keyIDByteCount else { throw .malformedIdentifier }
        let purchase = try purchase(signedTransaction, at: time)
        let keyRow = rows.keyRow(purchaseID: purchase.originalTransactionID)
        return edit(rows.key(keyID)) { [self] current throws(PurchaseRefusal) in
            // Rejects a row of a later version, so that it is not overwritten.
            if let current { _ = try rows.purchaseID(inKeyRow: current) }
            let changesPurchase = current != nil && current != keyRow
            let listed = { [self] (then: @escaping PurchaseDecision<Outcome>.Then<Purchase>) in
                list(keyID, in: purchase, at: time, then)
            }
            let accepted: PurchaseDecision<Outcome>.Then<Purchase> = { purchase throws(PurchaseRefusal) in
                .accepted(accept(purchase))
            }
            return (
                current ?? keyRow,
                { () throws(PurchaseRefusal) in
                    guard changesPurchase else { return listed(accepted) }
                    return listed { [self] _ throws(PurchaseRefusal) in
                        edit(rows.key(keyID)) { _ in (keyRow, { () throws(PurchaseRefusal) in listed(accepted) }) }
                    }
                }
            )
        }
    }

    /// Stores a transaction's state, for `Purchases.receive(signedTransaction:at:)`. Accepts the request and returns
    /// the latest state of the purchase.
    public func receive<Outcome>(
        signedTransaction: [UInt8], at time: UnixTime, _ accept: @escaping (Purchase) -> Outcome
    ) throws(PurchaseRefusal) -> PurchaseDecision<Outcome> {
        update(try purchase(signedTransaction, at: time), adding: nil, at: time) { record, _ in
            .accepted(accept(record.purchase))
        }
    }

    /// Stores the state of the purchase that a notification reports, for `Purchases.receive(notification:at:)`. Accepts
    /// the notification and returns the latest state of the purchase. Returns `nil` if the notification does not
    /// concern a non-consumable or a subscription. If the purchase in such a notification is already stored, the method
    /// rejects the notification with ``PurchaseRefusal/otherKind``.
    ///
    /// The purchase's state is stored even if no key uses the purchase. Otherwise a client could later register a
    /// transaction from before a refund.
    public func receive<Outcome>(
        notification body: [UInt8], at time: UnixTime, _ accept: @escaping (Purchase?) -> Outcome
    ) throws(PurchaseRefusal) -> PurchaseDecision<Outcome> {
        let notification = try verified { () throws(AppStoreError) in
            try verifier.verifyAndDecodeNotification(body: body, at: time)
        }
        guard case .data(let data) = notification.content, let transaction = data.transaction else {
            return .accepted(accept(nil))
        }
        guard transaction.statesItsEnd else {
            let id = [UInt8](transaction.originalTransactionID.utf8)
            guard Purchase.idByteCounts.contains(id.count) else { throw .malformedIdentifier }
            return .row(rows.purchase(id)) { bytes throws(PurchaseRefusal) in
                // The store holds this purchase, but the signed data does not state when it ends, for example because
                // of Advanced Commerce.
                guard bytes == nil else { throw .otherKind }
                return .accepted(accept(nil))
            }
        }
        let purchase = try Purchase(transaction, renewalInfo: data.renewalInfo)
        return update(purchase, adding: nil, at: time) { record, _ in .accepted(accept(record.purchase)) }
    }

    /// Asks for the active purchase of a key, for `Purchases.purchase(of:at:)`. Accepts the request and returns `nil`
    /// if the key uses no purchase, the purchase has ended, or its product has no budget.
    public func purchase<Outcome>(
        ofKey keyID: [UInt8], at time: UnixTime, _ accept: @escaping (ActivePurchase?) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        .row(rows.key(keyID)) { [self] bytes throws(PurchaseRefusal) in
            guard let bytes else { return .accepted(accept(nil)) }
            let id = try rows.purchaseID(inKeyRow: bytes)
            return .row(rows.purchase(id)) { [self] bytes throws(PurchaseRefusal) in
                guard let record = try record(bytes, of: id), record.keyIDs.contains(keyID),
                    let budget = budget(of: record.purchase), record.purchase.isActive(at: time)
                else { return .accepted(accept(nil)) }
                let allowance = BudgetAllowance(budget, purchase: rows.budget(id))
                return .accepted(accept(ActivePurchase(purchase: record.purchase, allowance: allowance)))
            }
        }
    }

    /// Removes a key from its purchase, for `Purchases.remove(keyID:)`. Returns whether the key used a purchase.
    public func remove<Outcome>(keyID: [UInt8], _ accept: @escaping (Bool) -> Outcome) -> PurchaseDecision<Outcome> {
        .row(rows.key(keyID)) { [self] bytes throws(PurchaseRefusal) in
            guard let bytes else { return .accepted(accept(false)) }
            let id = try rows.purchaseID(inKeyRow: bytes)
            return edit(rows.purchase(id)) { [self] bytes throws(PurchaseRefusal) in
                guard var record = try record(bytes, of: id), let index = record.keyIDs.firstIndex(of: keyID) else {
                    return (bytes, { () throws(PurchaseRefusal) in .accepted(accept(false)) })
                }
                record.keyIDs.remove(at: index)
                return (record.serialized, { () throws(PurchaseRefusal) in .accepted(accept(true)) })
            }
        }
    }

    /// Asks for the keys in a purchase's row, in order of registration, for `Purchases.keys(ofPurchase:)`. Some of
    /// these keys may now use a different purchase.
    public func keys<Outcome>(
        ofPurchase originalTransactionID: [UInt8], _ accept: @escaping ([[UInt8]]) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        .row(rows.purchase(originalTransactionID)) { [self] bytes throws(PurchaseRefusal) in
            .accepted(accept(try record(bytes, of: originalTransactionID)?.keyIDs ?? []))
        }
    }

    // MARK: Steps

    private func purchase(_ signedTransaction: [UInt8], at time: UnixTime) throws(PurchaseRefusal) -> Purchase {
        let transaction = try verified { () throws(AppStoreError) in
            try verifier.verifyAndDecodeTransaction(signedTransaction: signedTransaction, at: time)
        }
        return try Purchase(transaction)
    }

    private func verified<Value>(_ body: () throws(AppStoreError) -> Value) throws(PurchaseRefusal) -> Value {
        do { return try body() } catch { throw .signedData(error) }
    }

    private func budget(of purchase: Purchase) -> Budget? {
        products.first { $0.productIDUTF8 == purchase.productID }?.budget
    }

    private func record(_ bytes: [UInt8]?, of id: [UInt8]) throws(PurchaseRefusal) -> PurchaseRecord? {
        guard let bytes else { return nil }
        return try PurchaseRecord(serialized: bytes, environment: rows.environment, originalTransactionID: id)
    }

    /// Stores the later of the stored state and `purchase`, and adds a key. If there is no room, the method removes
    /// listed keys that do not use the purchase. Continues with the stored state, or rejects the key.
    private func list<Outcome>(
        _ keyID: [UInt8], in purchase: Purchase, at time: UnixTime,
        _ then: @escaping PurchaseDecision<Outcome>.Then<Purchase>
    ) -> PurchaseDecision<Outcome> {
        update(purchase, adding: keyID, at: time) { [self] record, refusal throws(PurchaseRefusal) in
            guard let refusal else { return try then(record.purchase) }
            guard case .tooManyKeys = refusal else { throw refusal }
            let id = purchase.originalTransactionID
            return try keys(of: record.keyIDs[...], notUsing: id) { [self] gone throws(PurchaseRefusal) in
                update(purchase, adding: keyID, removing: gone, at: time) {
                    record, refusal throws(PurchaseRefusal) in
                    if let refusal { throw refusal }
                    return try then(record.purchase)
                }
            }
        }
    }

    /// Stores the later of the stored state and `purchase`, and adds a key if it may use the purchase. Continues with
    /// the stored record and the reason why the key may not use the purchase, if there is one.
    private func update<Outcome>(
        _ purchase: Purchase, adding keyID: [UInt8]?, removing gone: [[UInt8]] = [], at time: UnixTime,
        _ then: @escaping (PurchaseRecord, PurchaseRefusal?) throws(PurchaseRefusal) -> PurchaseDecision<Outcome>
    ) -> PurchaseDecision<Outcome> {
        let id = purchase.originalTransactionID
        return edit(rows.purchase(id)) { [self] bytes throws(PurchaseRefusal) in
            var record = try record(bytes, of: id) ?? PurchaseRecord(purchase: purchase, keyIDs: [])
            record.purchase = record.purchase.later(purchase)
            record.keyIDs.removeAll { gone.contains($0) }
            let refusal = keyID.flatMap { add($0, to: &record, at: time) }
            let stored = record
            return (stored.serialized, { () throws(PurchaseRefusal) in try then(stored, refusal) })
        }
    }

    /// Adds the key unless it is listed. Returns the reason why the key may not use the purchase; `nil` if it may.
    private func add(_ keyID: [UInt8], to record: inout PurchaseRecord, at time: UnixTime) -> PurchaseRefusal? {
        if record.purchase.isRevoked { return .revoked }
        if record.purchase.isExpired(at: time) { return .expired }
        if budget(of: record.purchase) == nil { return .otherProduct }
        if record.keyIDs.contains(keyID) { return nil }
        if record.keyIDs.count >= maximumKeys { return .tooManyKeys(maximum: maximumKeys) }
        record.keyIDs.append(keyID)
        return nil
    }

    /// Continues with the keys whose rows do not name the purchase. These keys use a different purchase, or their
    /// registration failed midway.
    private func keys<Outcome>(
        of keyIDs: ArraySlice<[UInt8]>, notUsing id: [UInt8], found: [[UInt8]] = [],
        _ then: @escaping ([[UInt8]]) throws(PurchaseRefusal) -> PurchaseDecision<Outcome>
    ) throws(PurchaseRefusal) -> PurchaseDecision<Outcome> {
        guard let keyID = keyIDs.first else { return try then(found) }
        return .row(rows.key(keyID)) { [self] bytes throws(PurchaseRefusal) in
            let uses = bytes == rows.keyRow(purchaseID: id)
            return try keys(of: keyIDs.dropFirst(), notUsing: id, found: uses ? found : found + [keyID], then)
        }
    }

    /// Reads a row and replaces its bytes by the result of `change`. Retries if another request wrote the row in the
    /// meantime.
    private func edit<Outcome>(
        _ name: [UInt8], attempt: Int = 1, _ change: @escaping Change<Outcome>
    ) -> PurchaseDecision<Outcome> {
        .row(name) { [self] current throws(PurchaseRefusal) in
            let (next, then) = try change(current)
            guard let next, next != current else { return try then() }
            return .replaceRow(ReplacedRow(name: name, current: current, next: next)) {
                [self] wasCurrent throws(PurchaseRefusal) in
                if wasCurrent { return try then() }
                guard attempt < maximumAttempts else { throw .contended }
                return edit(name, attempt: attempt + 1, change)
            }
        }
    }

    /// Returns a row's next bytes, and the continuation of the decision after they are stored.
    private typealias Change<Outcome> =
        ([UInt8]?) throws(PurchaseRefusal) -> (
            next: [UInt8]?, then: () throws(PurchaseRefusal) -> PurchaseDecision<Outcome>
        )
}

/// A purchase that a key may use now. Only ``PurchaseRules`` creates values of this type.
public struct ActivePurchase: Hashable, Sendable {
    /// The purchase.
    public let purchase: Purchase
    /// The budget that the keys of the purchase share.
    public let allowance: BudgetAllowance
}
