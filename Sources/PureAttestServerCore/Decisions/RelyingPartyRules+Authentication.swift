public import PureAttest
public import PureKeyAttestation
public import PureSignedContent

extension RelyingPartyRules {
    /// Decides on `RelyingParty.authenticate(assertion:keyID:challenge:signed:account:clientAddress:at:)`.
    public func authenticate<Outcome>(
        assertion: [UInt8], keyID: [UInt8], challenge: [UInt8], signed: SignedContent, account: AccountID?,
        clientAddress: ClientAddress?, at time: UnixTime,
        _ accept: @escaping (Authentication<VerifiedAssertion>) -> Outcome
    ) throws(Refusal) -> Decision<Outcome> {
        let evidence = AppAttestAssertion(assertion: assertion, challenge: challenge, signed: signed, rules: self)
        return try authenticate(evidence, keyID, account, clientAddress, at: time, accept)
    }

    /// Decides on `RelyingParty.authenticate(signature:keyID:challenge:signed:account:clientAddress:at:)`.
    public func authenticate<Outcome>(
        signature: [UInt8], keyID: [UInt8], challenge: [UInt8], signed: SignedContent, account: AccountID?,
        clientAddress: ClientAddress?, at time: UnixTime,
        _ accept: @escaping (Authentication<VerifiedKeySignature>) -> Outcome
    ) throws(Refusal) -> Decision<Outcome> {
        let evidence = AndroidSignature(
            signature: signature, challenge: challenge, signed: signed, verifier: android?.verifier,
            environment: verifier.environment, decoy: decoys.android)
        return try authenticate(evidence, keyID, account, clientAddress, at: time, accept)
    }

    /// Decides on a signature by a registered key of either platform. The functions below are the steps, in order.
    private func authenticate<Evidence: SignatureEvidence, Outcome>(
        _ evidence: Evidence, _ keyID: [UInt8], _ account: AccountID?, _ clientAddress: ClientAddress?,
        at time: UnixTime, _ accept: @escaping (Authentication<Evidence.Signature>) -> Outcome
    ) throws(Refusal) -> Decision<Outcome> {
        try evidence.checkInput()
        guard evidence.signed.byteCount <= configuration.maximumClientData else { throw .malformedRequest }
        return try open(
            evidence.challenge, purpose: .assertion, name: keyID, account: account, clientAddress: clientAddress,
            at: time
        ).then { token in
            let authenticating = Authenticating(
                rules: self, evidence: evidence, keyID: keyID, account: account, time: time, token: token,
                accept: accept)
            return authenticating.attempt(1)
        }
    }
}

/// An authentication whose challenge is valid. This type is a class, because all continuations of the decision share
/// one instance.
private final class Authenticating<Evidence: SignatureEvidence, Outcome> {
    let rules: RelyingPartyRules
    let evidence: Evidence
    let keyID: [UInt8]
    let account: AccountID?
    let time: UnixTime
    let token: ConsumedToken
    let accept: (Authentication<Evidence.Signature>) -> Outcome

    init(
        rules: RelyingPartyRules, evidence: Evidence, keyID: [UInt8], account: AccountID?, time: UnixTime,
        token: ConsumedToken, accept: @escaping (Authentication<Evidence.Signature>) -> Outcome
    ) {
        self.rules = rules
        self.evidence = evidence
        self.keyID = keyID
        self.account = account
        self.time = time
        self.token = token
        self.accept = accept
    }

    /// Asks for the key. If another request by the same key is recorded first, the next attempt begins.
    func attempt(_ number: Int) -> Decision<Outcome> {
        .key(keyID) { [self] record throws(Refusal) in
            // Check the limit on failures again, because other requests of the account may have failed while the store
            // answered.
            try rules.checkFailures(of: account, at: time).then { [self] () throws(Refusal) in
                // A key of the other platform cannot have produced this signature.
                guard let record, let key = evidence.key(of: record.key) else { return try refuseUnknownKey() }
                var subject = DecisionSubject(keyID: keyID, account: account)
                subject.explanation = evidence.explanation(with: key, at: time)
                return .about(subject) { [self] () throws(Refusal) in try verify(by: key, of: record, attempt: number) }
            }
        }
    }

    private func refuseUnknownKey() throws(Refusal) -> Decision<Outcome> {
        imitateSignature()
        // After failures with a known key, the account must wait. If failures with an unknown key were not counted, the
        // missing wait would reveal that the key is unknown.
        guard rules.configuration.answerPolicy == .uniform else { throw .unknownKey }
        return try rules.refuse(.unknownKey, countedAsFailureOf: account, at: time)
    }

    private func verify(
        by key: Evidence.Key, of record: KeyRecord, attempt number: Int
    ) throws(Refusal) -> Decision<Outcome> {
        let signature: Evidence.Signature
        do throws(Refusal) {
            signature = try evidence.verify(by: key, at: time)
            // This check runs after the signature check, so that only the device itself learns the state of its key.
            try record.checkUse(by: account, in: rules.verifier.environment)
        } catch {
            if evidence.precedesSignature(error) { imitateSignature() }
            if error.isOvertaken { return try refuseOvertaken(error) }
            return try rules.refuse(error, countedAsFailureOf: account, at: time)
        }
        // This limit is checked before the store is written, so that a rejected client can resend the same answer
        // later. The signature is already verified, so only the device itself can use up this limit. Only the first
        // attempt counts against the limit.
        let name = number == 1 ? keyID : nil
        return try LimitDecision.admit(name, by: .authenticationsPerKey, at: time).then { [self] in
            recordUse(of: record, signature, attempt: number)
        }
    }

    /// Records the use if the store still holds the state of the key that verified the signature (compare-and-set).
    private func recordUse(
        of record: KeyRecord, _ signature: Evidence.Signature, attempt number: Int
    ) -> Decision<Outcome> {
        let next = evidence.key(after: signature)
        let use = RecordedUse(current: record.key, next: next, time: time, token: token)
        return .recordUse(use) { [self] use throws(Refusal) in
            switch use {
            case .recorded:
                let authentication = Authentication(
                    record: record.used(at: time, as: next), signature: signature, time: time,
                    launch: evidence.launch(of: signature))
                return .accepted(accept(authentication))
            case .alreadyConsumed:
                // A replay with a valid signature must not consume the key's allowance. If the key has a counter, the
                // verifier rejects later replays before they reach the limit, so nothing needs to be returned.
                let name = Evidence.hasCounter ? nil : keyID
                return try LimitDecision.giveBack(name, to: .authenticationsPerKey, at: time).then {
                    () throws(Refusal) -> Decision<Outcome> in throw .challengeConsumed
                }
            case .keyChanged:
                // Another call has stored a newer state, so verify again.
                guard number < rules.configuration.maximumAttempts else { throw .contended }
                return attempt(number + 1)
            }
        }
    }

    /// Under ``AnswerPolicy/uniform``, takes as long as rejecting an invalid signature. A shorter time would reveal
    /// that the key is unknown, or that a policy rejects the key before the signature is verified.
    private func imitateSignature() {
        if let decoy = evidence.decoy { evidence.verify(byDecoy: decoy, at: time) }
    }

    /// Rejects an overtaken assertion. If the assertion does not sign the request's challenge, also counts a failure of
    /// the account.
    ///
    /// The answer ``HTTPAnswer/Code/overtaken`` promises that the request was not accepted and never will be. Let a be
    /// the assertion, c its counter, C the challenge that it signs, and s the state of the key that the store returned:
    ///
    /// 1. Only `recordUse` accepts a. `recordUse` needs a state that accepts c (compare-and-set), and consumes C in the
    ///    same step.
    /// 2. s rejects c: c ≤ greatest(s) (`CounterPolicy.strict`), or c is used in s or is 64 or more below greatest(s)
    ///    (`.slidingWindow`). Every later state rejects c too, because greatest(s) never decreases. A used value stays
    ///    used until it falls below the window, where every value is rejected.
    /// 3. By 1 and 2, no step after the read of s accepts a.
    /// 4. If a step before the read accepted a, it consumed C before the read. The store is asked about C after the
    ///    read. The store still lists C at that time, because `open` found C unexpired and the store keeps C for
    ///    ``RelyingPartyConfiguration/clockMargin`` after its expiry. So the answer is `consumed`.
    ///
    /// This proof assumes that all processes have the same counter policy and that the store keeps acknowledged writes.
    /// It assumes that store calls return within the clock margin, and that the assertion signs the request's
    /// challenge. If an attacker sends a recorded assertion with a new challenge, the assertion signs an older
    /// challenge. The server may have accepted the assertion with that older challenge. Such an assertion fails Apple's
    /// step 6 regardless of its counter, so the error is `challengeMismatch`.
    private func refuseOvertaken(_ refusal: Refusal) throws(Refusal) -> Decision<Outcome> {
        guard evidence.signed.fault(of: evidence.challenge[...]) == nil else {
            return try rules.refuse(.verification(.challengeMismatch), countedAsFailureOf: account, at: time)
        }
        return .isConsumed(token.id) { isConsumed throws(Refusal) in
            throw isConsumed ? .challengeConsumed : refusal
        }
    }
}

extension KeyRecord {
    /// Checks the rules whose outcome only the device itself may learn, so verify the signature first.
    fileprivate func checkUse(by account: AccountID?, in environment: Environment) throws(Refusal) {
        guard key.environment == environment else { throw .keyOfOtherEnvironment(key.environment) }
        guard revokedAt == nil else { throw .revokedKey }
        if let account, account != self.account { throw .keyOfOtherAccount }
    }
}
