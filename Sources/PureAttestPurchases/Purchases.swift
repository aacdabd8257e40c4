@_exported public import PureAttestPurchasesCore
public import PureAppStore
import PureAttest
public import PureAttestServer
public import PureDER

/// Links App Store purchases to the keys of a ``/PureAttestServer/RelyingParty``.
///
/// A device sends the transaction that StoreKit gives it, in a session or a signed request. The purchase's
/// budget then replaces the budget of the device's key until the purchase expires or is refunded.
public struct Purchases<Store: PurchaseStore>: Sendable {
    /// The error that each call throws.
    public typealias Failure = PurchasesError<Store.Failure>

    /// The rules for each environment of the App Store. The rules decide, and this type performs the I/O.
    package let rules: [PurchaseRules]
    /// Stores purchases and the keys that use them.
    let store: Store

    /// Creates an instance for a relying party and one environment of the App Store.
    ///
    /// - Parameters:
    ///   - party: the relying party. The initialiser reads only its App Attest environment.
    ///   - verifier: the verifier for one app and one App Store environment.
    ///   - products: the accepted products, each with the budget that the keys of one purchase share.
    ///   - maximumKeys: the maximum number of keys that use one purchase at a time. A reinstalled app has a new key,
    ///     and its former key still counts towards this maximum; see ``keys(ofPurchase:)``.
    ///   - store: the store, which all processes share.
    public init(
        of party: RelyingParty<some RelyingPartyStore>, verifier: SignedDataVerifier, products: [ProductBudget],
        maximumKeys: Int = PurchaseRules.defaultMaximumKeys, store: Store
    ) {
        self.init(
            of: party, environments: [(verifier: verifier, products: products)], maximumKeys: maximumKeys, store: store)
    }

    /// Creates an instance for a relying party and several environments of the App Store.
    ///
    /// - Parameters:
    ///   - party: the relying party. The initialiser reads only its App Attest environment.
    ///   - environments: the verifier and the accepted products for each environment. If a key has purchases in two
    ///     environments, the purchase in the environment that is listed first applies. Purchases are free in the
    ///     sandbox, which TestFlight and App Review use, so give sandbox products small budgets.
    ///   - maximumKeys: the maximum number of keys of one purchase at a time.
    ///   - store: the store, which all processes share.
    public init(
        of party: RelyingParty<some RelyingPartyStore>,
        environments: [(verifier: SignedDataVerifier, products: [ProductBudget])],
        maximumKeys: Int = PurchaseRules.defaultMaximumKeys, store: Store
    ) {
        rules = environments.map { verifier, products in
            PurchaseRules(
                verifier: verifier, environment: party.verifier.environment, products: products,
                maximumKeys: maximumKeys)
        }
        self.store = store
    }

    /// Verifies a transaction, and lets the session's key use the transaction's purchase.
    ///
    /// A repeated call has no further effect. In each environment, a key uses the purchase that it registered last.
    ///
    /// This call does not check who paid. A transaction is not secret. Up to `maximumKeys` keys, of any users, can send
    /// the same transaction and then share the purchase's budget. If the app sets `appAccountToken`, verify the
    /// transaction first and compare ``/PureAppStore/VerifiedTransaction/appAccountToken`` with the account's token.
    /// This call does not check certificates for revocation.
    ///
    /// - Parameters:
    ///   - signedTransaction: `jwsRepresentation` of StoreKit's `VerificationResult<Transaction>`, ASCII.
    ///   - session: a session of the relying party.
    ///   - time: now.
    /// - Returns: the latest stored state of the purchase, which may be later than the transaction.
    /// - Throws: the reason why the key may not use the purchase, or the store's error. Repeat the call after the
    ///   store's error and after ``/PureAttestPurchasesCore/PurchaseRefusal/contended``.
    @discardableResult
    public func register(
        signedTransaction: [UInt8], by session: Session, at time: UnixTime
    ) async throws(Failure) -> Purchase {
        try await register(signedTransaction, session.keyID, at: time)
    }

    /// Verifies a transaction, and lets the key of a signed request use the transaction's purchase. The method that
    /// takes a session documents the rules.
    @discardableResult
    public func register<Signature>(
        signedTransaction: [UInt8], by authentication: Authentication<Signature>, at time: UnixTime
    ) async throws(Failure) -> Purchase {
        try await register(signedTransaction, authentication.record.key.keyID, at: time)
    }

    private func register(
        _ signedTransaction: [UInt8], _ keyID: [UInt8], at time: UnixTime
    ) async throws(Failure) -> Purchase {
        try await decide { () throws(PurchaseRefusal) in
            try rules.inItsEnvironment { rules throws(PurchaseRefusal) in
                try rules.register(signedTransaction: signedTransaction, keyID: keyID, at: time) { $0 }
            }
        }
    }

    /// Verifies a server notification, version 2, and stores the purchase's state, such as a renewal, expiry or refund.
    ///
    /// Answer the App Store with status 200 if this call returns, and with 500 after any error. After 500, the App
    /// Store sends the notification again, up to five times. A repeated call has no further effect, and the order of
    /// calls does not matter.
    ///
    /// - Parameters:
    ///   - body: the body of the App Store's request.
    ///   - time: now.
    /// - Returns: the latest state of the purchase; `nil` if the notification does not concern a non-consumable or an
    ///   auto-renewable subscription.
    @discardableResult
    public func receive(notification body: [UInt8], at time: UnixTime) async throws(Failure) -> Purchase? {
        try await decide { () throws(PurchaseRefusal) in
            try rules.inItsEnvironment { rules throws(PurchaseRefusal) in
                try rules.receive(notification: body, at: time) { $0 }
            }
        }
    }

    /// Verifies a transaction that does not come from a device, and stores the state of its purchase. If notifications
    /// were lost, pass the transactions from Apple's refund history.
    @discardableResult
    public func receive(signedTransaction: [UInt8], at time: UnixTime) async throws(Failure) -> Purchase {
        try await decide { () throws(PurchaseRefusal) in
            try rules.inItsEnvironment { rules throws(PurchaseRefusal) in
                try rules.receive(signedTransaction: signedTransaction, at: time) { $0 }
            }
        }
    }

    /// Returns the purchase that a session's key may use now, with its budget; `nil` if there is none. Each call reads
    /// the store, so that a refund takes effect at once.
    public func purchase(of session: Session, at time: UnixTime) async throws(Failure) -> ActivePurchase? {
        try await purchase(session.keyID, at: time)
    }

    private func purchase(_ keyID: [UInt8], at time: UnixTime) async throws(Failure) -> ActivePurchase? {
        try await decide { rules.purchase(ofKey: keyID, at: time) { $0 } }
    }

    /// Returns the allowance of a session's purchase, to pass to `RelyingParty.spendBudget(_:by:from:at:)`. Returns
    /// `nil` if there is no purchase; the relying party's own budget then applies. Call this method in each request,
    /// and do not cache the result.
    public func allowance(of session: Session, at time: UnixTime) async throws(Failure) -> BudgetAllowance? {
        try await purchase(session.keyID, at: time)?.allowance
    }

    /// Returns the allowance of the purchase that a signed request's key uses.
    public func allowance<Signature>(
        of authentication: Authentication<Signature>, at time: UnixTime
    ) async throws(Failure) -> BudgetAllowance? {
        try await purchase(authentication.record.key.keyID, at: time)?.allowance
    }

    /// Returns the identifiers of the keys that a purchase lists, in the order of their registration. A listed key that
    /// now uses a different purchase loses its place when a new key needs the place.
    ///
    /// A reinstalled app has a new key, and its former keys still occupy places in the list. If no place is left, pass
    /// the identifier of the purchase's original transaction to this method, and remove the unused keys with
    /// ``remove(keyID:)``. The key's record, from `RelyingPartyStore.key(_:)`, states when the key last signed.
    public func keys(ofPurchase originalTransactionID: [UInt8]) async throws(Failure) -> [[UInt8]] {
        try await decide { rules.keys(ofPurchase: originalTransactionID) { $0 } }
    }

    /// Removes a key from its purchase, for example after a device was lost, so that another key can use the purchase.
    ///
    /// - Returns: `true` if the key used a purchase.
    @discardableResult
    public func remove(keyID: [UInt8]) async throws(Failure) -> Bool {
        try await decide { rules.remove(keyID: keyID) { $0 } }
    }

    /// Answers the decision's questions, one at a time, until the decision accepts or rejects the request.
    private func decide<Value: Sendable>(
        _ start: () throws(PurchaseRefusal) -> PurchaseDecision<Value>
    ) async throws(Failure) -> Value {
        var decision = try refusing(start)
        while true {
            switch decision {
            case .accepted(let value): return value
            case .row(let name, let then):
                let bytes: [UInt8]?
                do { bytes = try await store.purchaseRow(name) } catch { throw .store(error) }
                decision = try refusing { () throws(PurchaseRefusal) in try then(bytes) }
            case .replaceRow(let row, let then):
                let wasCurrent: Bool
                do { wasCurrent = try await store.replacePurchaseRow(row.name, from: row.current, to: row.next) } catch
                {
                    throw .store(error)
                }
                decision = try refusing { () throws(PurchaseRefusal) in try then(wasCurrent) }
            }
        }
    }

    private func refusing<Value>(_ body: () throws(PurchaseRefusal) -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw .refused(error) }
    }
}
