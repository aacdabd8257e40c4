public import PureDER

extension UnverifiedReceipt {
    /// Explains what ``verify(at:maximumAge:)`` makes of a receipt: every step that can run does.
    public func explain(
        at time: UnixTime, maximumAge: UInt32? = UnverifiedReceipt.registrationAge
    ) -> VerificationReport {
        var report = VerificationReport(on: .receipt, trusting: expected.authority)
        _ = report.run(.receiptSignature) {
            () throws(PureAttestError) in
            try verifySignature(at: time)
        } finding: { error in
            switch error {
            case .receiptSignature(.expired): .init(because: .storedReceipt)
            case .receiptSignature(.malformed): .init(because: .receiptDamaged)
            default: .init(causes: [])
            }
        }
        let payload = report.run(.receiptFields) { () throws(PureAttestError) in
            try ReceiptPayload(decoding: unverifiedContent())
        }
        _ = report.run(.receiptApp, on: payload) {
            (payload) throws(PureAttestError) in
            try checkAppID(of: payload)
        } finding: { payload, _ in
            .init(expected: .text(expected.app.bytes), received: .text(payload.appIDUTF8))
        }
        _ = report.run(.receiptKey, on: payload) {
            (payload) throws(PureAttestError) in try checkKey(of: payload)
        }
        _ = report.run(.receiptAttestation, on: payload) {
            (payload) throws(PureAttestError) in
            try checkClientDataHash(of: payload)
        } finding: { payload, _ in
            .init(because: payload.kind == .answer ? .receiptIsAnswer : .receiptOfOtherAttestation)
        }
        _ = report.run(.receiptEnvironment, on: payload) {
            (payload) throws(PureAttestError) in
            try checkEnvironment(of: payload)
        } finding: { payload, _ in
            .init(
                expected: .environment(expected.key.environment),
                received: payload.environment.map { .environment($0) } ?? .init(.none))
        }
        _ = report.run(.receiptAge, on: payload) {
            (payload) throws(PureAttestError) in
            try checkAge(of: payload, at: time, maximumAge: maximumAge)
        } finding: { payload, _ in
            .init(
                expected: .init(.ageAt, [.duration(Int64(maximumAge ?? 0)), .time(time)]),
                received: .plain(.time(payload.creationTime)), because: .receiptStored)
        }
        _ = report.run(.receiptExpiration, on: payload) {
            (payload) throws(PureAttestError) in
            try checkExpiration(of: payload, at: time)
        } finding: { payload, _ in
            .init(expected: .init(.laterThan, .time(time)), received: .plain(.time(payload.expirationTime)))
        }
        return report
    }
}
