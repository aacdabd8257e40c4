import PureAppStore
import PureAttestPurchasesCore
import PureAttestServerMessages
import PureBytes
import PureDER

/// Begins the operation that a message names. The message's other values are the arguments.
func begin(_ message: [UInt8], by rules: [PurchaseRules]) throws(MessageError) -> Step {
    var reader = WireReader(message)
    let name = try reader.bytes()
    func isNamed(_ text: StaticString) -> Bool { isEqual(name[...], text) }
    let time = try reader.time()
    if isNamed("register") {
        let (signedTransaction, keyID) = (try reader.bytes(), try reader.bytes())
        return step { () throws(PurchaseRefusal) in
            try rules.inItsEnvironment { rules throws(PurchaseRefusal) in
                try rules.register(signedTransaction: signedTransaction, keyID: keyID, at: time) { $0.values }
            }
        }
    }
    if isNamed("receiveNotification") {
        let body = try reader.bytes()
        return step { () throws(PurchaseRefusal) in
            try rules.inItsEnvironment { rules throws(PurchaseRefusal) in
                try rules.receive(notification: body, at: time) { $0?.values ?? [] }
            }
        }
    }
    if isNamed("receiveTransaction") {
        let signedTransaction = try reader.bytes()
        return step { () throws(PurchaseRefusal) in
            try rules.inItsEnvironment { rules throws(PurchaseRefusal) in
                try rules.receive(signedTransaction: signedTransaction, at: time) { $0.values }
            }
        }
    }
    if isNamed("purchase") {
        let keyID = try reader.bytes()
        return step {
            rules.purchase(ofKey: keyID, at: time) { $0.map { $0.purchase.values + $0.allowance.values } ?? [] }
        }
    }
    if isNamed("keys") {
        let id = try reader.bytes()
        return step { rules.keys(ofPurchase: id) { $0.map { .bytes($0) } } }
    }
    if isNamed("remove") {
        let keyID = try reader.bytes()
        return step { rules.remove(keyID: keyID) { [WireValue($0)] } }
    }
    throw .malformed
}

private func step(of decide: () throws(PurchaseRefusal) -> PurchaseDecision<[WireValue]>) -> Step {
    do throws(PurchaseRefusal) { return step(try decide()) } catch { return .refused(error.values) }
}

private func step(_ decision: PurchaseDecision<[WireValue]>) -> Step {
    switch decision {
    case .accepted(let values): return .accepted(values)
    case .row(let name, let then):
        return .question([WireValue("selectPurchaseRow"), .bytes(name)]) { reader throws(MessageError) in
            let bytes = reader.isAtEnd ? nil : try reader.bytes()
            return step(of: { () throws(PurchaseRefusal) in try then(bytes) })
        }
    case .replaceRow(let row, let then):
        let question: [WireValue] =
            if let current = row.current {
                [WireValue("replacePurchaseRow"), .bytes(row.name), .bytes(current), .bytes(row.next)]
            } else {
                [WireValue("insertPurchaseRow"), .bytes(row.name), .bytes(row.next)]
            }
        // The SQL statement returns a row only if it wrote the bytes.
        return .question(question) { reader in
            let wasCurrent = !reader.isAtEnd
            return step(of: { () throws(PurchaseRefusal) in try then(wasCurrent) })
        }
    }
}

extension Purchase {
    /// The environment's index, followed by the identifiers of the original transaction, the transaction and the
    /// product. Then come the times of payment, signing and expiry in seconds, and whether the purchase is revoked.
    fileprivate var values: [WireValue] {
        [
            WireValue(AppStoreEnvironment.allCases.firstIndex(of: environment).map { Int64($0) }),
            .bytes(originalTransactionID), .bytes(transactionID), .bytes(productID),
            .number(purchaseDate.unixTime.secondsSince1970), .number(signedDate.unixTime.secondsSince1970),
            WireValue(expiresDate?.unixTime.secondsSince1970), WireValue(isRevoked),
        ]
    }
}
