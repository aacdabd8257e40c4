public import PureAttest
@_exported public import PureSignedContent

extension RelyingParty {
    /// How often an assertion is verified anew because another one of the same key was stored meanwhile. Each time that one
    /// has another counter value; after 64 this one's has left the window of `CounterPolicy.slidingWindow` or
    /// the device sends more at once than any window holds.
    static var maximumAttempts: Int { 64 }

    /// Verifies that a registered key signed the challenge, and advances its counter in the store.
    ///
    /// The challenge is consumed when the call succeeds, in the step that advances the counter. A failed attempt writes nothing: the
    /// device signs the very challenge, so that nobody else can try anything with it.
    ///
    /// - Parameters:
    ///   - assertion: the object from `generateAssertion`, whose client data hash is the SHA-256 of the signed bytes.
    ///   - keyID: the key that the client names, 32 bytes.
    ///   - challenge: ``Challenge/value`` as the client sends it back.
    ///   - signed: which bytes were signed.
    ///   - account: as when the challenge was issued. An account has to be the key's; `nil`: whoever the key belongs to;
    ///     ``Authentication/record`` tells.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why it is refused, or the store's error.
    public func authenticate(
        assertion: [UInt8], keyID: [UInt8], challenge: [UInt8], signed: SignedContent = .challenge,
        account: AccountID? = nil, clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Authentication {
        try await observed(.authenticate, keyID: keyID, account: account, at: time) { subject async throws(Failure) in
            guard assertion.count <= InputLimits.assertion, signed.byteCount <= configuration.maximumClientData else {
                throw .refused(.malformedRequest)
            }
            let token = try open(
                challenge, purpose: .assertion, keyID: keyID, account: account, clientAddress: clientAddress, at: time
            ).token
            let verifier = verifier
            func verify(by key: AttestedKey) throws(PureAttestError) -> VerifiedAssertion {
                try verifier.assertionVerifier.verifyAssertion(
                    assertion, challenge: challenge, signed: signed, key: key, at: time)
            }
            for attempt in 0..<Self.maximumAttempts {
                let stored = try await self.record(of: keyID)
                // Once more, as others of the account may have failed while all of them waited for the store.
                try checkFailures(of: account, at: time)
                // Keys of the other platform make no assertions.
                guard let record = stored, let key = record.key.appAttest else {
                    imitateFailure(of: account, at: time, verify)
                    throw .refused(.unknownKey)
                }
                subject.explanation = {
                    verifier.explainAssertion(assertion, challenge: challenge, signed: signed, key: key, at: time)
                }
                let verified: VerifiedAssertion
                do throws(Refusal) {
                    do throws(PureAttestError) { verified = try verify(by: key) } catch {
                        // The only error before the signature that depends on what the store knows.
                        if case .keyOfOtherEnvironment = error { imitateSignature(verify) }
                        throw .verification(error)
                    }
                    try record.checkUse(by: account)
                } catch {
                    guard error.isOvertaken else {
                        noteFailure(of: account, at: time)
                        throw .refused(error)
                    }
                    throw .refused(
                        try await overtaken(error, challenge, signed, consuming: token, account: account, at: time))
                }
                // Before the counter, so that the same answer is good later; for the device alone, as it has signed.
                if attempt == 0 { try admit(keyID, by: limiters.authenticationsPerKey, at: time) }
                let advanced = RegisteredKey.appAttest(
                    configuration.publicKeyMultiples == .never ? verified.key : verified.key.withPublicKeyMultiples())
                // Compare-and-set against the state that was verified: if another call stored a newer one, verify again.
                let outcome: CounterAdvance
                do throws(Store.Failure) {
                    outcome = try await store.advanceCounter(
                        from: record.key, to: advanced, at: time, consuming: token)
                } catch { throw .store(error) }
                switch outcome {
                case .advanced:
                    return Authentication(
                        record: record.advanced(to: advanced, at: time), assertion: verified, time: time)
                case .alreadyConsumed: throw .refused(.challengeConsumed)
                case .changed: continue
                }
            }
            throw .refused(.contended)
        }
    }

    /// Returns the refusal of an assertion that a later one overtook, and notes a failure of the account if it signs another challenge.
    ///
    /// The answer ``HTTPAnswer/Code/overtaken`` promises that the request was not accepted and never will be. Let a be the assertion, c its
    /// counter, C the challenge that it signs, and s the state of the key that the store returned:
    ///
    /// 1. Only `advanceCounter` accepts a: from a state that accepts c (compare-and-set), and in the step that consumes C.
    /// 2. s refuses c: c ≤ greatest(s) (`CounterPolicy.strict`), or c is used in s or is 64 or more below greatest(s) (`.slidingWindow`).
    ///    Every later state refuses c too: greatest never decreases, and a used value stays used until it leaves the window below.
    /// 3. So no step after the read of s accepts a (1, 2).
    /// 4. If a step before the read accepted a, it consumed C before the read. The store is asked about C after the read. It still has C:
    ///    `open` found C unexpired, and the store keeps it for ``RelyingPartyConfiguration/clockMargin`` after that. The answer is then
    ///    `consumed`.
    ///
    /// The proof assumes one counter policy for all processes, a store that keeps what it acknowledged, and store calls that end within the
    /// clock margin. It needs C among the signed bytes. A recorded assertion that is sent with a new challenge has another one there, under
    /// which it may have been accepted: it fails Apple's step 6 whatever its counter is, and that is the refusal.
    private func overtaken(
        _ error: Refusal, _ challenge: [UInt8], _ signed: SignedContent, consuming token: ConsumedToken,
        account: AccountID?,
        at time: UnixTime
    ) async throws(Failure) -> Refusal {
        guard signed.fault(of: challenge[...]) == nil else {
            noteFailure(of: account, at: time)
            return .verification(.challengeMismatch)
        }
        do { return try await store.isConsumed(token.id) ? .challengeConsumed : error } catch { throw .store(error) }
    }

    private func record(of keyID: [UInt8]) async throws(Failure) -> KeyRecord? {
        do { return try await store.key(keyID) } catch { throw .store(error) }
    }

    /// Imitates a verification that fails, where the client is not to learn that there is no key: it takes the same time and counts as a
    /// failure, as an account that has to wait after some failures would otherwise learn it too.
    private func imitateFailure(
        of account: AccountID?, at time: UnixTime, _ verify: (AttestedKey) throws(PureAttestError) -> VerifiedAssertion
    ) {
        guard configuration.answerPolicy == .uniform else { return }
        imitateSignature(verify)
        noteFailure(of: account, at: time)
    }

    /// Takes the time in which a signature is found to be invalid, under ``AnswerPolicy/uniform``, with a decoy key of the kind that most
    /// devices have.
    private func imitateSignature(_ verify: (AttestedKey) throws(PureAttestError) -> VerifiedAssertion) {
        guard let decoyKey else { return }
        _ = try? verify(decoyKey)
    }

    static func decoyKey(of verifier: AppAttestVerifier, _ multiples: RelyingPartyConfiguration.PublicKeyMultiples)
        -> AttestedKey?
    {
        let key = try? AttestedKey(
            trustingStoredKey: basePoint, appID: AppID(bytes: []), environment: verifier.environment, counter: 0)
        return multiples == .never ? key : key?.withPublicKeyMultiples()
    }
}

extension KeyRecord {
    /// Checks the rules that only the device itself learns of: call this after the signature has been verified.
    func checkUse(by account: AccountID?) throws(Refusal) {
        guard revokedAt == nil else { throw .revokedKey }
        if let account, account != self.account { throw .keyOfOtherAccount }
    }
}

/// A public key that anyone can sign with and no device has: P-256's base point (SP 800-186 §3.2.1.3), as 04 ‖ x ‖ y.
let basePoint: [UInt8] = [
    0x04, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77, 0x03,
    0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96, 0x4F, 0xE3, 0x42, 0xE2, 0xFE,
    0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE,
    0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
]
