public import PureAttest
public import PureKeyAttestation

extension RelyingPartyRules {
    /// Decides on `RelyingParty.register(attestation:keyID:challenge:account:clientAddress:at:)`.
    public func register<Outcome>(
        attestation: [UInt8], keyID: [UInt8], challenge: [UInt8], account: AccountID?, clientAddress: ClientAddress?,
        at time: UnixTime, _ accept: @escaping (Registration<VerifiedAttestation>) -> Outcome
    ) throws(Refusal) -> Decision<Outcome> {
        let evidence = AppAttestAttestation(
            attestation: attestation, name: keyID, rules: self)
        return try register(evidence, challenge, account, clientAddress, at: time, accept)
    }

    /// Decides on `RelyingParty.register(keyAttestation:handle:challenge:account:clientAddress:at:)`.
    public func register<Outcome>(
        keyAttestation chain: [[UInt8]], handle: [UInt8], challenge: [UInt8], account: AccountID?,
        clientAddress: ClientAddress?, at time: UnixTime,
        _ accept: @escaping (Registration<VerifiedKeyAttestation>) -> Outcome
    ) throws(Refusal) -> Decision<Outcome> {
        let evidence = AndroidKeyAttestation(
            chain: chain, name: handle, android: android, environment: verifier.environment)
        return try register(evidence, challenge, account, clientAddress, at: time, accept)
    }

    /// Decides on the attestation of a new key, on either platform, from the arrival of the request to the answer.
    private func register<Evidence: AttestationEvidence, Outcome>(
        _ evidence: Evidence, _ challenge: [UInt8], _ account: AccountID?, _ clientAddress: ClientAddress?,
        at time: UnixTime, _ accept: @escaping (Registration<Evidence.Attestation>) -> Outcome
    ) throws(Refusal) -> Decision<Outcome> {
        try evidence.checkInput()
        return try open(
            challenge, purpose: .attestation, name: evidence.name, account: account, clientAddress: clientAddress,
            at: time
        ).then { [self] token throws(Refusal) in
            var subject = DecisionSubject(keyID: evidence.keyID, account: account)
            subject.explanation = evidence.explanation(challenge: challenge, at: time)
            return .about(subject) { [self] () throws(Refusal) in
                let attestation: Evidence.Attestation
                do throws(Refusal) { attestation = try evidence.verify(challenge: challenge, at: time) } catch {
                    // A missing revocation list is the server's fault, so this rejection does not count as a failure of
                    // the account.
                    if error == .revocationListMissing { throw error }
                    return try refuse(error, countedAsFailureOf: account, at: time)
                }
                let receipt = evidence.receipt(of: attestation)
                let record = KeyRecord(
                    key: evidence.key(of: attestation), account: account, receipt: receipt,
                    receiptDueAt: receipt.isEmpty ? nil : time, registeredAt: time)
                subject.keyID = record.key.keyID
                // A closure, not a function, so that the continuations share one copy of the attestation.
                let accepted = { (record: KeyRecord, isNew: Bool) -> Decision<Outcome> in
                    let registration = Registration(
                        record: record, isNew: isNew, attestation: attestation, time: time,
                        launch: evidence.launch(of: attestation))
                    return .accepted(accept(registration))
                }
                return .about(subject) {
                    .insertKey(record, consuming: token) { insertion throws(Refusal) in
                        switch insertion {
                        case .inserted: return accepted(record, true)
                        case .alreadyConsumed: throw .challengeConsumed
                        case .existing(let existing):
                            try existing.checkRegistration(of: record)
                            return accepted(existing, false)
                        }
                    }
                }
            }
        }
    }

    /// Records one failed verification against the account. After too many failures the account must wait.
    func refuse<Value>(
        _ refusal: Refusal, countedAsFailureOf account: AccountID?, at time: UnixTime
    ) throws(Refusal) -> Decision<Value> {
        guard let account else { throw refusal }
        let question = LimitQuestion(action: .admit, limit: .failuresPerAccount, name: account.bytes, time: time)
        return .limit(question) { _ throws(Refusal) in throw refusal }
    }
}

extension KeyRecord {
    /// Checks that this stored record permits `record`, a second registration of the same key.
    fileprivate func checkRegistration(of record: KeyRecord) throws(Refusal) {
        guard key.platform == record.key.platform else { throw .unknownKey }
        guard key.environment == record.key.environment else { throw .keyOfOtherEnvironment(key.environment) }
        guard account == record.account else { throw .keyOfOtherAccount }
        guard revokedAt == nil else { throw .revokedKey }
    }
}
