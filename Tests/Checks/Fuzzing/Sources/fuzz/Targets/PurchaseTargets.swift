import PureBytes

@testable import PureAppStore
@testable import PureAppStoreTesting
@testable import PureAttest
@testable import PureAttestPurchasesCore
@testable import PureAttestServerCore
@testable import PureAttestTesting
@testable import PureX509

/// Fuzzes a transaction's header, its payload and the signed parts of both certificates. The target signs the JWS and
/// both certificates. An accepted transaction must belong to the server's app and environment. The order in which
/// transactions arrive must not change the stored state.
let signedTransactionTarget = Target(
    name: "transaction-signed", form: .parts([.members, .members, .der, .der])
) { bytes in
    let parts = Parts(decoding: bytes, count: 4).parts
    let certificates = [
        certificate(parts[2], signedBy: intermediateKey), certificate(parts[3], signedBy: rootKey), root,
    ]
    let jws = sign(parts[1], header: parts[0], certificates)
    let transaction = verify(jws, by: verifier)
    require(transaction != nil || verify(jws, by: strictVerifier) == nil, "a further requirement accepts more")
    guard let transaction else { return }
    require(transaction.bundleID.utf8.elementsEqual(bundleID.utf8) && transaction.environment == .sandbox, "app")
    require(contains(certificates[0], [0x63, 0x64, 0x06, 0x0B, 0x01]), "a leaf for something else")
    require(contains(certificates[1], [0x63, 0x64, 0x06, 0x02, 0x01]), "an issuer of something else")
    let (base, keyID) = (sign(transactionJSON), World.clientDataHash)
    var (first, second) = (Rows(), Rows())
    for jws in [base, jws, jws] { first.receive(jws) }
    for jws in [jws, base] { second.receive(jws) }
    require(first.rows == second.rows, "the order of deliveries changes the state")
    let isRegistered = first.run { () throws(PurchaseRefusal) in
        try rules.register(signedTransaction: jws, keyID: keyID, at: World.time) { _ in true }
    }
    let active = first.run { rules.purchase(ofKey: keyID, at: World.time) { $0 } }
    require((isRegistered != nil) == (active.flatMap { $0 } != nil), "the key's purchase is not what it registered")
} seeds: {
    [transactionJSON, otherTransactionJSON].map { payload in
        Parts([header, payload, appStore.leaf.signedPart(), intermediate.signedPart()]).encoded
    }
}

/// Fuzzes a notification, and the transaction and renewal information inside it. The target signs all three.
let signedNotificationTarget = Target(
    name: "notification-signed", form: .parts([.members, .members, .members])
) { bytes in
    let parts = Parts(decoding: bytes, count: 3).parts
    let inner = replacing(Array("RENEWAL".utf8), in: parts[0], by: sign(parts[2]))
    let jws = sign(replacing(Array("TRANSACTION".utf8), in: inner, by: sign(parts[1])))
    let report = verifier.explain(.notification, jws, at: World.time)
    let body = Array(#"{"signedPayload":""#.utf8) + jws + Array(#""}"#.utf8)
    var rows = Rows()
    let stored = rows.run { () throws(PurchaseRefusal) in
        try rules.receive(notification: body, at: World.time) { $0 != nil }
    }
    do throws(AppStoreError) {
        let notification = try verifier.verifyAndDecodeNotification(body: body, at: World.time)
        require(report.firstFailure == nil, "\(report)")
        guard case .data(let data) = notification.content else { return require(rows.rows.isEmpty, "stored") }
        if let transaction = data.transaction, transaction.statesItsEnd {
            require(stored != false, "acknowledged, and not stored")
            let id = [UInt8](transaction.originalTransactionID.utf8)
            let record = rows.rows.values.first.map {
                try! PurchaseRecord(serialized: $0, environment: .sandbox, originalTransactionID: id)
            }
            let signed = try? Purchase(transaction, renewalInfo: data.renewalInfo)
            require(stored != true || signed != nil && record?.purchase == signed, "stored something else")
        } else {
            require(rows.rows.isEmpty, "stored without a state")
        }
        require(data.bundleID.utf8.elementsEqual(bundleID.utf8) && data.environment == .sandbox, "app")
        require(data.transaction.map { $0.bundleID.utf8.elementsEqual(bundleID.utf8) } ?? true, "another app's")
    } catch {
        require(report.firstFailure == error && stored == nil, "rejected with \(error):\n\(report)")
    }
} seeds: {
    let renewal = AppStoreContent.renewalInfo(signedDate: now, more: #","gracePeriodExpiresDate":\#(now + 60_000)"#)
    return ["DID_RENEW", "TEST"].map { type in
        let payload = AppStoreContent.notification(
            type: type, bundleID: bundleID, appAppleID: nil, signedDate: now,
            signedTransaction: type == "TEST" ? nil : Array("TRANSACTION".utf8),
            signedRenewalInfo: type == "TEST" ? nil : Array("RENEWAL".utf8))
        return Parts([payload, transactionJSON, renewal]).encoded
    }
}

/// Fuzzes a purchase's stored row. Each value must have exactly one encoding.
let purchaseRecordTarget = Target(name: "purchase-record", form: .bytes) { bytes in
    let record = try? PurchaseRecord(
        serialized: [UInt8](bytes), environment: .sandbox, originalTransactionID: Array("1".utf8))
    guard let record else { return }
    require(record.serialized.elementsEqual(bytes), "two encodings of one record")
    _ = record.purchase.isActive(at: World.time)
    require(record.purchase.later(record.purchase) == record.purchase, "later than itself")
} seeds: {
    var rows = Rows()
    rows.receive(sign(transactionJSON))
    _ = rows.run { () throws(PurchaseRefusal) in
        try rules.register(signedTransaction: sign(transactionJSON), keyID: World.clientDataHash, at: World.time) { _ in
            true
        }
    }
    return Array(rows.rows.values)
}

private let bundleID = "com.example.fuzz"
private let now = World.time.secondsSince1970 * 1_000
private let header = Array(#"{"alg":"ES256","kid":"1"}"#.utf8)
private let transactionJSON = AppStoreContent.transaction(
    bundleID: bundleID, signedDate: now, expiresDate: now + 86_400_000)
private let otherTransactionJSON = AppStoreContent.transaction(
    bundleID: bundleID, transactionID: "3", signedDate: now + 1, purchaseDate: now, expiresDate: now + 90_000_000,
    more: #","revocationDate":\#(now),"isUpgraded":true"#)

private let appStore = TestAppStore(seed: 1)
private let intermediateKey = World.issuerKey(30)
private let rootKey = World.issuerKey(31)
private let root = TestCertificateAuthority.root(
    name: TestAppStore.rootName, key: .p256(rootKey), serialNumber: [1],
    extensions: [.issuerBasicConstraints(), .issuerKeyUsage])
private let intermediate: CertificateDraft = {
    var draft = appStore.intermediate
    draft.subjectPublicKeyInfo = IssuerSigningKey.p256(intermediateKey).subjectPublicKeyInfo
    return draft
}()
private let genuineCertificates = [
    certificate(appStore.leaf.signedPart(), signedBy: intermediateKey),
    certificate(intermediate.signedPart(), signedBy: rootKey), root,
]
private let verifier = try! SignedDataVerifier(
    bundleIDUTF8: bundleID.utf8, appAppleID: nil, environment: .sandbox, testRoots: [Certificate(derEncoded: root)])
private let strictVerifier: SignedDataVerifier = {
    var strict = verifier
    strict.certificateTime = .verification
    strict.maximumAge = 60
    return strict
}()
private let rules = PurchaseRules(
    verifier: verifier, environment: .production,
    products: [ProductBudget(productID: "com.example.monthly", Budget(days: 1, requests: 1, units: 1))])

private func sign(
    _ payload: [UInt8], header: [UInt8] = header, _ certificates: [[UInt8]] = genuineCertificates
) -> [UInt8] {
    let list = certificates.map { #"""# + base64EncodedString($0) + #"""# }.joined(separator: ",")
    let parts = [[UInt8](header.dropLast()) + Array(#","x5c":[\#(list)]}"#.utf8), payload]
    let input = Array(parts.map { Base64.encode($0, as: .urlSafeUnpadded) }.joined(separator: Array(".".utf8)))
    let signature = appStore.leafKey.rawSignature(of: input)
    return input + Array(".".utf8) + Base64.encode(signature, as: .urlSafeUnpadded)
}

/// Returns the transaction, or `nil` if the verifier rejects it. The report must name the same error as the verifier.
private func verify(_ jws: [UInt8], by verifier: SignedDataVerifier) -> VerifiedTransaction? {
    let report = verifier.explain(.transaction, jws, at: World.time)
    do throws(AppStoreError) {
        let transaction = try verifier.verifyAndDecodeTransaction(signedTransaction: jws, at: World.time)
        require(report.firstFailure == nil, "\(report)")
        return transaction
    } catch {
        require(report.firstFailure == error, "rejected with \(error):\n\(report)")
        return nil
    }
}

private struct Rows {
    var rows: [[UInt8]: [UInt8]] = [:]

    mutating func receive(_ jws: [UInt8]) {
        _ = run { () throws(PurchaseRefusal) in
            try rules.receive(signedTransaction: jws, at: World.time) { _ in true }
        }
    }

    /// Runs a decision to its end, and performs its reads and compare-and-set writes on `rows`. Returns `nil` if the
    /// decision rejects the request.
    mutating func run<Value>(_ start: () throws(PurchaseRefusal) -> PurchaseDecision<Value>) -> Value? {
        do throws(PurchaseRefusal) {
            var decision = try start()
            while true {
                switch decision {
                case .accepted(let value): return value
                case .row(let name, let then): decision = try then(rows[name])
                case .replaceRow(let row, let then):
                    let isCurrent = rows[row.name] == row.current
                    if isCurrent { rows[row.name] = row.next }
                    decision = try then(isCurrent)
                }
            }
        } catch { return nil }
    }
}
