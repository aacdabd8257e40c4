@testable import PureAttest
@testable import PureAttestTesting
@testable import PureX509

/// Fuzzes a receipt, without signing it. The verifier must reject the receipt unless its payload is genuine.
let receiptTarget = Target(name: "receipt", form: .der) { bytes in
    guard let payload = verifyReceipt([UInt8](bytes)) else { return }
    require(payload.certificate.elementsEqual(genuinePayload.certificate), "a forged certificate")
    require(
        payload.token == genuinePayload.token && payload.creationTime == genuinePayload.creationTime, "a forged field")
} seeds: {
    [genuineReceipt.encoded(), definiteReceipt.encoded()]
        + ReceiptFault.allCases.map { fault in
            var draft = definiteReceipt
            fault.definition(environment: .production, at: World.time).apply(&draft)
            return draft.encoded()
        }
}

/// Fuzzes a receipt's payload and the signed part of the signer's certificate. The target signs both. An accepted
/// receipt must be for the app. The receipt and the signer's certificate must be valid at the verification time, and
/// the receipt must be recent.
let signedReceiptTarget = Target(name: "receipt-signed", form: .parts([.der, .der])) { bytes in
    let parts = Parts(decoding: bytes, count: 2).parts
    let issuer = World.authority.receiptIssuer
    guard case .p256(let intermediateKey) = issuer.intermediateKey else { fatalError("the issuer's key is not P-256") }
    var draft = definiteReceipt
    draft.alterPayload = { $0 = parts[0] }
    draft.certificates = [certificate(parts[1], signedBy: intermediateKey)] + issuer.certificates.dropFirst()
    guard let payload = verifyReceipt(draft.encoded()) else { return }
    require(payload.appIDUTF8.elementsEqual(World.appBytes), "App ID")
    require(payload.expirationTime >= World.time, "expired")
    require(payload.creationTime.secondsSince1970 + 300 >= World.time.secondsSince1970, "too old")
    let signer = try! CertificateFields(parts[1][...])
    require(signer.notBefore <= World.time && World.time <= signer.notAfter, "the signer's validity")
} seeds: {
    let signer = World.authority.receiptIssuer.signer.signedPart()
    let payload = try! [UInt8](SignedData(berEncoded: definiteReceipt.encoded()[...]).content)
    return [Parts([payload, signer]).encoded]
        + ReceiptFault.allCases.compactMap { fault in
            var draft = definiteReceipt
            fault.definition(environment: .production, at: World.time).apply(&draft)
            guard let content = try? SignedData(berEncoded: draft.encoded()[...]).content else { return nil }
            return Parts([[UInt8](content), signer]).encoded
        }
}

private let receiptVerifier = World.verifier()
private let genuineReceipt: ReceiptDraft = {
    let draft = World.device.attestationDraft(of: World.key, clientDataHash: World.clientDataHash, at: World.time)
    var receipt = draft.receipt
    receipt.setCertificate(draft.encodedLeaf)
    return receipt
}()
private let definiteReceipt: ReceiptDraft = {
    var draft = genuineReceipt
    draft.encoding = .definiteLength
    return draft
}()
private let genuinePayload = verifyReceipt(genuineReceipt.encoded())!

/// Returns the payload, or `nil` for a rejected receipt. The report must name the same error as the verifier.
private func verifyReceipt(_ bytes: [UInt8]) -> ReceiptPayload? {
    guard let receipt = try? receiptVerifier.receipt(bytes, of: World.receiptKey) else { return nil }
    let report = receipt.explain(at: World.time)
    do throws(PureAttestError) {
        let verified = try receipt.verify(at: World.time)
        require(report.failures.isEmpty, "\(report)")
        return verified.payload
    } catch {
        require(report.failures.first?.error == error, "rejected with \(error):\n\(report)")
        return nil
    }
}

extension World {
    static let receiptKey = try! AttestedKey(
        trustingStoredKey: key.signingKey.x963, appID: app, environment: .production, counter: 0)
}
