public import PureAttest
public import PureKeyAttestation
@_exported public import PureSignedContent

extension RelyingParty {
    /// The most verifications of one assertion while concurrent assertions of its key win the compare-and-set.
    ///
    /// Each winning assertion has another counter value. After 64 of them, the counter of this assertion has left the
    /// window of `CounterPolicy.slidingWindow`, or the device sends more assertions at once than any window holds.
    static var maximumAttempts: Int { 64 }

    /// Verifies that a registered App Attest key signed the challenge, and advances its counter in the store.
    ///
    /// The challenge is consumed in the step that advances the counter. A failed attempt writes nothing and leaves the
    /// challenge valid. Only the device itself can sign the challenge, so nobody else gains an attempt.
    ///
    /// - Parameters:
    ///   - assertion: the object from `generateAssertion`, whose client data hash is the SHA-256 of the signed bytes.
    ///   - keyID: the key that the client names, 32 bytes.
    ///   - challenge: ``Challenge/value`` for ``Challenge/Purpose/assertion``, as the client sends it back.
    ///   - signed: the form of the signed bytes.
    ///   - account: the account for which the challenge was issued. The key must belong to it. `nil` accepts a key of
    ///     any account; ``Authentication/record`` names that account.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why the request is rejected, or the store's error.
    public func authenticate(
        assertion: [UInt8], keyID: [UInt8], challenge: [UInt8], signed: SignedContent = .challenge,
        account: AccountID? = nil, clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Authentication<VerifiedAssertion> {
        let evidence = AppAttestAssertion(
            assertion: assertion, challenge: challenge, signed: signed, verifier: verifier,
            multiples: configuration.publicKeyMultiples, decoy: decoys.appAttest)
        return try await authenticate(evidence, keyID, account, clientAddress, at: time)
    }

    /// Verifies that a registered Android key signed the challenge, and consumes the challenge.
    ///
    /// The challenge is consumed in the step that checks again that the key is not revoked. A failed attempt writes
    /// nothing.
    ///
    /// - Parameters:
    ///   - signature: a signature of `SHA256withECDSA` or `SHA256withRSA` over the bytes themselves.
    ///   - keyID: ``RegisteredKey/keyID`` as in ``Registration/record``.
    ///   - challenge: ``Challenge/value`` for ``Challenge/Purpose/assertion``, as the client sends it back.
    ///   - signed: the form of the signed bytes.
    ///   - account: the account for which the challenge was issued. The key must belong to it. `nil` accepts a key of
    ///     any account.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why the request is rejected, or the store's error.
    public func authenticate(
        signature: [UInt8], keyID: [UInt8], challenge: [UInt8], signed: SignedContent = .challenge,
        account: AccountID? = nil, clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Authentication<VerifiedKeySignature> {
        let evidence = AndroidSignature(
            signature: signature, challenge: challenge, signed: signed, verifier: android?.verifier,
            environment: verifier.environment, decoy: decoys.android)
        return try await authenticate(evidence, keyID, account, clientAddress, at: time)
    }

    private func authenticate<Evidence: SignatureEvidence>(
        _ evidence: Evidence, _ keyID: [UInt8], _ account: AccountID?, _ clientAddress: ClientAddress?,
        at time: UnixTime
    ) async throws(Failure) -> Authentication<Evidence.Signature> {
        try await observed(Evidence.operation, keyID: keyID, account: account, at: time) {
            subject async throws(Failure) in
            try refusing { () throws(Refusal) in try evidence.checkInput() }
            guard evidence.signed.byteCount <= configuration.maximumClientData else {
                throw .refused(.malformedRequest)
            }
            let token = try open(
                evidence.challenge, purpose: .assertion, name: keyID, account: account, clientAddress: clientAddress,
                at: time)
            for attempt in 0..<Self.maximumAttempts {
                let stored = try await asked { () async throws(Store.Failure) in try await store.key(keyID) }
                // Check again, because other requests of the account may have failed while this request waited for the
                // store.
                try checkFailures(of: account, at: time)
                // Keys of the other platform cannot have produced this signature.
                guard let record = stored, let key = evidence.key(of: record.key) else {
                    imitateSignature(evidence, at: time)
                    // Failures with a known key make the account wait. If unknown keys did not count, the missing wait
                    // would reveal that the key is unknown.
                    if configuration.answerPolicy == .uniform { noteFailure(of: account, at: time) }
                    throw .refused(.unknownKey)
                }
                subject.explanation = evidence.explanation(with: key, at: time)
                let signature: Evidence.Signature
                do throws(Refusal) {
                    signature = try verify(evidence, by: key, at: time)
                    // After the signature: only the device itself learns the state of its key.
                    try record.checkUse(by: account, in: verifier.environment)
                } catch {
                    guard error.isOvertaken else {
                        noteFailure(of: account, at: time)
                        throw .refused(error)
                    }
                    throw .refused(try await overtaken(error, evidence, consuming: token, account: account, at: time))
                }
                // This limit comes before the store's step, so that a rejected client can send the same answer again
                // later. Only the device can reach the limit, because the signature is verified.
                if attempt == 0 { try admit(keyID, by: limiters.authenticationsPerKey, at: time) }
                let next = evidence.key(after: signature)
                // Compare-and-set against the state that was verified. If another call has stored a newer state, verify
                // again.
                let use = try await asked { () async throws(Store.Failure) in
                    try await store.recordUse(from: record.key, to: next, at: time, consuming: token)
                }
                switch use {
                case .recorded:
                    return Authentication(
                        record: record.used(at: time, as: next), signature: signature, time: time,
                        launch: evidence.launch(of: signature))
                case .alreadyConsumed:
                    // A replay that verifies must not consume the key's allowance.
                    if !Evidence.hasCounter { limiters.authenticationsPerKey.giveBack(keyID, at: time) }
                    throw .refused(.challengeConsumed)
                case .keyChanged: continue
                }
            }
            throw .refused(.contended)
        }
    }

    /// Verifies a signature. If the key's policy rejects it before the signature, takes as long as a verification.
    private func verify<Evidence: SignatureEvidence>(
        _ evidence: Evidence, by key: Evidence.Key, at time: UnixTime
    ) throws(Refusal) -> Evidence.Signature {
        do throws(Refusal) { return try evidence.verify(by: key, at: time) } catch {
            if evidence.precedesSignature(error) { imitateSignature(evidence, at: time) }
            throw error
        }
    }

    /// Takes the time of rejecting an invalid signature, under ``AnswerPolicy/uniform``.
    private func imitateSignature(_ evidence: some SignatureEvidence, at time: UnixTime) {
        if let decoy = evidence.decoy { evidence.verify(byDecoy: decoy, at: time) }
    }

    /// Returns the error for an assertion that a later assertion overtook. If the overtaken assertion signs another
    /// challenge, counts a failure of the account.
    ///
    /// The answer ``HTTPAnswer/Code/overtaken`` promises that the request was not accepted and never will be. Let a be
    /// the assertion, c its counter, C the challenge that it signs, and s the state of the key that the store returned:
    ///
    /// 1. Only `recordUse` accepts a: from a state that accepts c (compare-and-set), and in the step that consumes C.
    /// 2. s rejects c: c ≤ greatest(s) (`CounterPolicy.strict`), or c is used in s or is 64 or more below greatest(s)
    ///    (`.slidingWindow`). Every later state rejects c too: greatest never decreases, and a used value stays used
    ///    until it leaves the window below.
    /// 3. So no step after the read of s accepts a (1, 2).
    /// 4. If a step before the read accepted a, it consumed C before the read. The store is asked about C after the
    ///    read. The store still has C then, because `open` found C unexpired and the store keeps C for
    ///    ``RelyingPartyConfiguration/clockMargin`` after its expiry. So the answer is `consumed`.
    ///
    /// The proof assumes one counter policy for all processes, a store that keeps what it acknowledged, and store calls
    /// that end within the clock margin.
    ///
    /// The proof needs C among the signed bytes. A recorded assertion that is sent with a new challenge signs an older
    /// challenge, and may have been accepted with that. Such an assertion fails Apple's step 6 whatever its counter is,
    /// so the error is `challengeMismatch`.
    private func overtaken(
        _ error: Refusal, _ evidence: some SignatureEvidence, consuming token: ConsumedToken, account: AccountID?,
        at time: UnixTime
    ) async throws(Failure) -> Refusal {
        guard evidence.signed.fault(of: evidence.challenge[...]) == nil else {
            noteFailure(of: account, at: time)
            return .verification(.challengeMismatch)
        }
        let isConsumed = try await asked { () async throws(Store.Failure) in try await store.isConsumed(token.id) }
        return isConsumed ? .challengeConsumed : error
    }
}

extension KeyRecord {
    /// Checks the rules whose outcome only the device itself may learn. Call this after the signature is verified.
    fileprivate func checkUse(by account: AccountID?, in environment: Environment) throws(Refusal) {
        guard key.environment == environment else { throw .keyOfOtherEnvironment(key.environment) }
        guard revokedAt == nil else { throw .revokedKey }
        if let account, account != self.account { throw .keyOfOtherAccount }
    }
}
