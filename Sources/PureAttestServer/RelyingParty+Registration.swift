public import PureAttest
public import PureKeyAttestation

extension RelyingParty {
    /// Verifies the attestation of a new App Attest key and stores the key.
    ///
    /// Keeps older keys of the account: a user may have several devices, and a reinstalled app has a new key.
    ///
    /// The challenge is consumed in the step that stores the key. A failed attempt writes nothing and leaves the
    /// challenge valid. Only the device that received the challenge can make another attestation with it.
    ///
    /// - Parameters:
    ///   - attestation: the object from `attestKey`, whose client data hash is the SHA-256 of the challenge's value.
    ///   - keyID: the key that the client names, 32 bytes.
    ///   - challenge: ``Challenge/value`` for ``Challenge/Purpose/attestation``, as the client sends it back.
    ///   - account: the account for which the challenge was issued.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why the request is rejected, or the store's error.
    public func register(
        attestation: [UInt8], keyID: [UInt8], challenge: [UInt8], account: AccountID? = nil,
        clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Registration<VerifiedAttestation> {
        let evidence = AppAttestAttestation(
            attestation: attestation, name: keyID, verifier: verifier, multiples: configuration.publicKeyMultiples)
        return try await register(evidence, challenge, account, clientAddress, at: time)
    }

    /// Verifies the attestation of an Android device's new key and stores the key.
    ///
    /// A device creates an Android key with the challenge in it, so the challenge names a handle instead of the key.
    /// The client chooses 32 random bytes, sends them to request the challenge, and sends them again with the chain.
    /// The challenge is consumed as in ``register(attestation:keyID:challenge:account:clientAddress:at:)``.
    ///
    /// - Parameters:
    ///   - chain: the certificates of `KeyStore.getCertificateChain()`, DER, leaf first.
    ///   - handle: the handle for which the challenge was issued, 32 bytes. It is not stored.
    ///   - challenge: ``Challenge/value`` for ``Challenge/Purpose/attestation``, which the client passed to
    ///     `setAttestationChallenge` and sends back.
    ///   - account: the account for which the challenge was issued.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why the request is rejected, or the store's error.
    public func register(
        keyAttestation chain: [[UInt8]], handle: [UInt8], challenge: [UInt8], account: AccountID? = nil,
        clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Registration<VerifiedKeyAttestation> {
        let evidence = AndroidKeyAttestation(
            chain: chain, name: handle, android: android, environment: verifier.environment)
        return try await register(evidence, challenge, account, clientAddress, at: time)
    }

    private func register<Evidence: AttestationEvidence>(
        _ evidence: Evidence, _ challenge: [UInt8], _ account: AccountID?, _ clientAddress: ClientAddress?,
        at time: UnixTime
    ) async throws(Failure) -> Registration<Evidence.Attestation> {
        try await observed(Evidence.operation, keyID: evidence.keyID, account: account, at: time) {
            subject async throws(Failure) in
            try refusing { () throws(Refusal) in try evidence.checkInput() }
            let token = try open(
                challenge, purpose: .attestation, name: evidence.name, account: account, clientAddress: clientAddress,
                at: time)
            subject.explanation = evidence.explanation(challenge: challenge, at: time)
            let attestation: Evidence.Attestation
            do throws(Refusal) { attestation = try evidence.verify(challenge: challenge, at: time) } catch {
                // A missing list is the server's fault, so it does not count as a failure of the account.
                if error != .revocationListMissing { noteFailure(of: account, at: time) }
                throw .refused(error)
            }
            let receipt = evidence.receipt(of: attestation)
            let record = KeyRecord(
                key: evidence.key(of: attestation), account: account, receipt: receipt,
                receiptDueAt: receipt.isEmpty ? nil : time, registeredAt: time)
            subject.keyID = record.key.keyID
            func registration(_ record: KeyRecord, isNew: Bool) -> Registration<Evidence.Attestation> {
                Registration(
                    record: record, isNew: isNew, attestation: attestation, time: time,
                    launch: evidence.launch(of: attestation))
            }
            let insertion = try await asked { () async throws(Store.Failure) in
                try await store.insertKey(record, consuming: token)
            }
            switch insertion {
            case .inserted: return registration(record, isNew: true)
            case .alreadyConsumed: throw .refused(.challengeConsumed)
            case .existing(let existing):
                try refusing { () throws(Refusal) in try existing.checkRegistration(of: record) }
                return registration(existing, isNew: false)
            }
        }
    }
}

extension KeyRecord {
    /// Checks that this stored record permits `record` to register the same key again.
    fileprivate func checkRegistration(of record: KeyRecord) throws(Refusal) {
        guard key.platform == record.key.platform else { throw .unknownKey }
        guard key.environment == record.key.environment else { throw .keyOfOtherEnvironment(key.environment) }
        guard account == record.account else { throw .keyOfOtherAccount }
        guard revokedAt == nil else { throw .revokedKey }
    }
}
