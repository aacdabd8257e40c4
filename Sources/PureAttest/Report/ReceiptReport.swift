@_spi(Steps) import PureBytes
public import PureDER

extension UnverifiedReceipt {
    /// Explains the result of ``verify(at:maximumAge:)``, including failures after the first.
    public func explain(
        at time: UnixTime, maximumAge: UInt32? = UnverifiedReceipt.registrationAge
    ) -> VerificationReport {
        var outcomes = EveryOutcome<VerificationReport.Check, PureAttestError>()
        let payload = takeSteps(at: time, maximumAge: maximumAge, by: &outcomes)
        return VerificationReport(on: .receipt, trusting: expected.authority, outcomes) { check, error, _ in
            if check == .receiptSignature { return Self.signatureFinding(error) }
            return payload.map { finding(of: check, $0, at: time, maximumAge: maximumAge) } ?? .init()
        }
    }

    private static func signatureFinding(_ error: PureAttestError) -> VerificationReport.Finding {
        switch error {
        case .receiptSignature(.expired): .init(because: .storedReceipt)
        case .receiptSignature(.malformed): .init(because: .receiptDamaged)
        default: .init()
        }
    }

    private func finding(
        of check: VerificationReport.Check, _ payload: ReceiptPayload, at time: UnixTime, maximumAge: UInt32?
    ) -> VerificationReport.Finding {
        switch check {
        case .receiptApp: .init(expected: .text(expected.app.bytes), received: .text(payload.appIDUTF8))
        case .receiptAttestation:
            .init(because: payload.kind == .answer ? .receiptIsAnswer : .receiptOfOtherAttestation)
        case .receiptEnvironment:
            .init(
                expected: .environment(expected.key.environment),
                received: payload.environment.map { .environment($0) } ?? .init(.none))
        case .receiptAge:
            .init(
                expected: .init(.ageAt, [.duration(Int64(maximumAge ?? 0)), .time(time)]),
                received: .plain(.time(payload.creationTime)), because: .receiptStored)
        case .receiptExpiration:
            .init(expected: .init(.laterThan, .time(time)), received: .plain(.time(payload.expirationTime)))
        default: .init()
        }
    }
}
