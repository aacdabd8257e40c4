import PureAppStore
public import PureDER

/// The rules of several App Store environments, in order of precedence. TestFlight and App Review use the sandbox.
extension [PurchaseRules] {
    /// Applies the rules of the environment that the signed data names. If there are no rules for that environment, the
    /// last rules reject the data with ``/PureAppStore/AppStoreError/otherEnvironment(_:)``.
    public func inItsEnvironment<Value>(
        _ decide: (PurchaseRules) throws(PurchaseRefusal) -> PurchaseDecision<Value>
    ) throws(PurchaseRefusal) -> PurchaseDecision<Value> {
        for rules in dropLast() {
            do throws(PurchaseRefusal) { return try decide(rules) } catch {
                guard case .signedData(.otherEnvironment) = error else { throw error }
            }
        }
        guard let last else { throw .otherProduct }
        return try decide(last)
    }

    /// Asks for the active purchase of a key. If the key has purchases in two environments, the purchase in the first
    /// environment applies.
    public func purchase<Outcome>(
        ofKey keyID: [UInt8], at time: UnixTime, _ accept: @escaping (ActivePurchase?) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        guard let first else { return .accepted(accept(nil)) }
        return first.purchase(ofKey: keyID, at: time) { $0 }.then { purchase in
            purchase == nil ? Array(dropFirst()).purchase(ofKey: keyID, at: time, accept) : .accepted(accept(purchase))
        }
    }

    /// Removes a key from its purchase in each environment, and returns whether the key used a purchase.
    public func remove<Outcome>(
        keyID: [UInt8], _ accept: @escaping (Bool) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        guard let first else { return .accepted(accept(false)) }
        return first.remove(keyID: keyID) { $0 }.then { isRemoved in
            Array(dropFirst()).remove(keyID: keyID) { accept(isRemoved || $0) }
        }
    }

    /// Asks for the keys in a purchase's row, in order of registration. If two environments contain a purchase with
    /// this identifier, the keys of the first purchase precede the keys of the second.
    public func keys<Outcome>(
        ofPurchase originalTransactionID: [UInt8], _ accept: @escaping ([[UInt8]]) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        guard let first else { return .accepted(accept([])) }
        return first.keys(ofPurchase: originalTransactionID) { $0 }.then { keys in
            Array(dropFirst()).keys(ofPurchase: originalTransactionID) { accept(keys + $0) }
        }
    }
}

extension PurchaseDecision {
    /// Continues with the value that the decision accepts.
    fileprivate func then<Next>(_ next: @escaping (Value) -> PurchaseDecision<Next>) -> PurchaseDecision<Next> {
        switch self {
        case .accepted(let value): next(value)
        case .row(let name, let then):
            .row(name) { bytes throws(PurchaseRefusal) in try then(bytes).then(next) }
        case .replaceRow(let row, let then):
            .replaceRow(row) { wasCurrent throws(PurchaseRefusal) in try then(wasCurrent).then(next) }
        }
    }
}
