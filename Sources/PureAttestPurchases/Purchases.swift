@_exported public import PureAttestPurchasesCore
public import PureAppStore
import PureAttest
public import PureAttestServer
public import PureDER

/// The purchases of a ``/PureAttestServer/RelyingParty``'s keys.
///
/// A device sends the transaction that StoreKit gives it, in a session or a signed request. The purchase then raises the
/// budget of its key, until it expires or is refunded.
public struct Purchases<Store: PurchaseStore>: Sendable {
    /// The error that each call throws.
    public typealias Failure = PurchasesError<Store.Failure>

    /// Decides, for each environment of the App Store; this type asks the store.
    public let rules: [PurchaseRules]
    /// Stores purchases and who uses them.
    public let store: Store

    /// Creates the purchases of a relying party in one environment of the App Store.
    ///
    /// - Parameters:
    ///   - party: the relying party. Only its environment is read.
    ///   - verifier: verifies for one app and one App Store environment.
    ///   - products: the products that count, with the budget that the keys of one purchase share.
    ///   - maximumKeys: the most keys of one purchase at a time. A reinstalled app has a new key; ``keys(ofPurchase:)``
    ///     and ``remove(keyID:)`` make room.
    ///   - store: one for all processes.
    public init(
        of party: RelyingParty<some RelyingPartyStore>, verifier: SignedDataVerifier, products: [ProductBudget],
        maximumKeys: Int = PurchaseRules.defaultMaximumKeys, store: Store
    ) {
        self.init(
            of: party, environments: [(verifier: verifier, products: products)], maximumKeys: maximumKeys, store: store)
    }

    /// Creates the purchases of a relying party in several environments of the App Store.
    ///
    /// - Parameters:
    ///   - party: the relying party. Only its environment is read.
    ///   - environments: a verifier for each environment, and the products that count in it. If a key has a purchase in
    ///     two, the first counts. In the sandbox, which TestFlight and App Review use, purchases are free: give its
    ///     products small budgets.
    ///   - maximumKeys: the most keys of one purchase at a time.
    ///   - store: one for all processes.
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

    /// Verifies a transaction, and lets the session's key use its purchase.
    ///
    /// May be repeated: the key counts once. A key uses one purchase of each environment, the last that it registered.
    ///
    /// Not checked: who paid. A transaction is no secret, so a key of another user may send it, up to `maximumKeys`
    /// keys, which share one budget. If the app sets `appAccountToken`, verify the transaction first and compare
    /// ``/PureAppStore/VerifiedTransaction/appAccountToken`` with the account's. Whether the certificates are revoked is
    /// not checked either.
    ///
    /// - Parameters:
    ///   - signedTransaction: `jwsRepresentation` of StoreKit's `VerificationResult<Transaction>`, ASCII.
    ///   - session: a session of the relying party.
    ///   - time: now.
    /// - Returns: the latest state that the server knows of the purchase, which may be later than the transaction's.
    /// - Throws: why the key may not use the purchase, or the store's error. Repeat the call after the store's error and
    ///   after ``/PureAttestPurchasesCore/PurchaseRefusal/contended``.
    @discardableResult
    public func register(
        signedTransaction: [UInt8], by session: Session, at time: UnixTime
    ) async throws(Failure) -> Purchase {
        try await register(signedTransaction, session.keyID, at: time)
    }

    /// Verifies a transaction, and lets the key of a signed request use its purchase; see
    /// the call with a session.
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

    /// Verifies a server notification, version 2, and stores the state of its purchase: renewal, expiry, refund.
    ///
    /// Answer the App Store with status 200 if this call returns, and with 500 if it throws, whatever the error. The App
    /// Store then sends the notification again, five times in all. May be called repeatedly and in any order.
    ///
    /// - Parameters:
    ///   - body: the body of the App Store's request.
    ///   - time: now.
    /// - Returns: the latest state of the purchase; `nil` if the notification is about no non-consumable and no
    ///   auto-renewable subscription.
    @discardableResult
    public func receive(notification body: [UInt8], at time: UnixTime) async throws(Failure) -> Purchase? {
        try await decide { () throws(PurchaseRefusal) in
            try rules.inItsEnvironment { rules throws(PurchaseRefusal) in
                try rules.receive(notification: body, at: time) { $0 }
            }
        }
    }

    /// Verifies a transaction that no device sends, such as one from Apple's refund history, and stores the state of its
    /// purchase. Use it after notifications were lost.
    @discardableResult
    public func receive(signedTransaction: [UInt8], at time: UnixTime) async throws(Failure) -> Purchase {
        try await decide { () throws(PurchaseRefusal) in
            try rules.inItsEnvironment { rules throws(PurchaseRefusal) in
                try rules.receive(signedTransaction: signedTransaction, at: time) { $0 }
            }
        }
    }

    /// Returns the purchase that a session's key may use now, with its budget; `nil` if there is none. Reads the
    /// purchase each time, so that a refund takes effect at once.
    public func purchase(of session: Session, at time: UnixTime) async throws(Failure) -> ActivePurchase? {
        try await purchase(session.keyID, at: time)
    }

    private func purchase(_ keyID: [UInt8], at time: UnixTime) async throws(Failure) -> ActivePurchase? {
        try await decide { rules.purchase(ofKey: keyID, at: time) { $0 } }
    }

    /// Returns the allowance of a session's purchase, for
    /// `RelyingParty.spendBudget(_:by:from:at:)`; `nil` without a purchase, which leaves the relying party's own budget.
    /// Ask for it in each request, and do not keep it.
    public func allowance(of session: Session, at time: UnixTime) async throws(Failure) -> BudgetAllowance? {
        try await purchase(session.keyID, at: time)?.allowance
    }

    /// Returns the allowance of the purchase of a signed request's key.
    public func allowance<Signature>(
        of authentication: Authentication<Signature>, at time: UnixTime
    ) async throws(Failure) -> BudgetAllowance? {
        try await purchase(authentication.record.key.keyID, at: time)?.allowance
    }

    /// Returns the identifiers of the keys that a purchase lists, in the order of their registration. Some may have
    /// changed to another purchase since; they make room by themselves.
    ///
    /// An app that was reinstalled has a new key, and its former keys still count. When a customer has no room left,
    /// look up the purchase by the original transaction, and remove the keys that are no longer used. Their records
    /// tell when each last signed (`RelyingPartyStore.key(_:)`).
    public func keys(ofPurchase originalTransactionID: [UInt8]) async throws(Failure) -> [[UInt8]] {
        try await decide { rules.keys(ofPurchase: originalTransactionID) { $0 } }
    }

    /// Removes a key from its purchase, so that another key can use it: for a device that was lost, or a key that was
    /// revoked.
    ///
    /// - Returns: whether the key used a purchase.
    @discardableResult
    public func remove(keyID: [UInt8]) async throws(Failure) -> Bool {
        try await decide { rules.remove(keyID: keyID) { $0 } }
    }

    /// Answers the decision's questions, one at a time, until it accepts or rejects the request.
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
