import PureAppStore
public import PureDER

/// The rules of several environments of the App Store, in the order in which they are asked. TestFlight and App Review
/// buy in the sandbox, with the same build of the app.
extension [PurchaseRules] {
    /// Decides by the rules of the environment that signed data names. Data of another environment is rejected as
    /// ``/PureAppStore/AppStoreError/otherEnvironment(_:)`` of the last.
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

    /// Asks for the active purchase of a key. If it has one in two environments, the first counts.
    public func purchase<Outcome>(
        ofKey keyID: [UInt8], at time: UnixTime, _ accept: @escaping (ActivePurchase?) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        self[...].purchase(ofKey: keyID, at: time, accept)
    }

    /// Removes a key from its purchase in each environment. Accepts with whether it used one.
    public func remove<Outcome>(
        keyID: [UInt8], _ accept: @escaping (Bool) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        self[...].remove(keyID: keyID, accept)
    }

    /// Asks for the keys in a purchase's row, in the order of their registration. An identifier that two environments
    /// have names two purchases, whose keys follow each other.
    public func keys<Outcome>(
        ofPurchase originalTransactionID: [UInt8], _ accept: @escaping ([[UInt8]]) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        self[...].keys(ofPurchase: originalTransactionID, accept)
    }
}

extension ArraySlice<PurchaseRules> {
    fileprivate func purchase<Outcome>(
        ofKey keyID: [UInt8], at time: UnixTime, _ accept: @escaping (ActivePurchase?) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        guard let first else { return .accepted(accept(nil)) }
        return first.purchase(ofKey: keyID, at: time) { $0 }.then { purchase in
            purchase == nil ? dropFirst().purchase(ofKey: keyID, at: time, accept) : .accepted(accept(purchase))
        }
    }

    fileprivate func remove<Outcome>(
        keyID: [UInt8], _ accept: @escaping (Bool) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        guard let first else { return .accepted(accept(false)) }
        return first.remove(keyID: keyID) { $0 }.then { isRemoved in
            dropFirst().remove(keyID: keyID) { accept(isRemoved || $0) }
        }
    }

    fileprivate func keys<Outcome>(
        ofPurchase id: [UInt8], _ accept: @escaping ([[UInt8]]) -> Outcome
    ) -> PurchaseDecision<Outcome> {
        guard let first else { return .accepted(accept([])) }
        return first.keys(ofPurchase: id) { $0 }.then { keys in
            dropFirst().keys(ofPurchase: id) { accept(keys + $0) }
        }
    }
}

extension PurchaseDecision {
    /// Goes on with the value of a decision that accepts.
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
