import PureAttest
import PureDER

extension VirtualDevice {
    /// Returns the receipt of type "RECEIPT" with which Apple's service would answer a risk query at ``time``.
    ///
    /// - Parameters:
    ///   - keyID: the key identifier from `generateKey()`.
    ///   - riskMetric: the approximate number of keys that the device attested in the last 30 days, or `nil` to omit
    ///     it.
    /// - Throws: ``AttestTestingError/invalidKey`` for a key that is not attested.
    public func assessedReceipt(
        for keyID: String, riskMetric: UInt32?
    ) throws(AttestTestingError) -> [UInt8] {
        try withKey(keyID) { (key, time) throws(AttestTestingError) in
            guard let attestation = key.attestation else { throw .invalidKey }
            let draft = attestationDraft(of: key, clientDataHash: attestation.clientDataHash, at: attestation.time)
            return assessedReceiptDraft(of: draft, riskMetric: riskMetric, at: time).encoded()
        }
    }

    func assessedReceiptDraft(of attestation: AttestationDraft, riskMetric: UInt32?, at time: UnixTime) -> ReceiptDraft
    {
        var receipt = attestation.receipt
        let leaf = attestation.encodedLeaf
        func value(_ type: UInt32) -> [UInt8] { receipt.fields.first { $0.type == type }?.value ?? [] }
        // In genuine receipts of this type, U+FFFD replaces each byte of the client hash that is not UTF-8.
        let clientHash = Array(String(decoding: value(FieldType.clientHash), as: UTF8.self).utf8)
        var fields: [ReceiptDraft.Field] = []
        if let riskMetric { fields.append(.init(type: FieldType.riskMetric, value: Array("\(riskMetric)".utf8))) }
        fields += [
            .init(type: FieldType.receiptType, value: Array("RECEIPT".utf8)),
            .init(type: FieldType.appID, value: value(FieldType.appID)),
            .init(type: FieldType.certificate, value: leaf),
            .init(type: FieldType.clientHash, value: clientHash),
            .init(type: FieldType.token, value: value(FieldType.token)),
            .init(type: FieldType.environment, value: value(FieldType.environment)),
            .init(type: FieldType.creationTime, value: receiptTime(time)),
            .init(type: FieldType.notBefore, value: receiptTime(time.adding(86_400))),
            .init(type: FieldType.expirationTime, value: receiptTime(time.adding(receiptLifetime))),
        ]
        receipt.fields = fields
        return receipt
    }
}
