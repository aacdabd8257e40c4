public import PureAttest
public import PureKeyAttestation

extension RelyingParty {
    /// Verifies the attestation of a new key of App Attest and stores the key. Older keys of the account are kept: a user may have several
    /// devices, and an app that was installed anew has a new key.
    ///
    /// The challenge is consumed when the call succeeds, in the step that stores the key. A failed attempt writes nothing: what a device
    /// attested is bound to the very challenge, so that nobody can try another object with it but this device.
    ///
    /// - Parameters:
    ///   - attestation: the object from `attestKey`, whose client data hash is the SHA-256 of the challenge's value.
    ///   - keyID: the key that the client names, 32 bytes.
    ///   - challenge: ``Challenge/value`` for ``Challenge/Purpose/attestation``, as the client sends it back.
    ///   - account: as when the challenge was issued.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why it is refused, or the store's error.
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
    /// The challenge goes into the key when it is made, so that it can't be for a key identifier: it is for a handle of 32 random bytes
    /// that the client makes up, asks with and sends again with the chain. It is consumed as that of
    /// ``register(attestation:keyID:challenge:account:clientAddress:at:)``.
    ///
    /// - Parameters:
    ///   - chain: the certificates of `KeyStore.getCertificateChain()`, DER, leaf first.
    ///   - handle: as when the challenge was issued, 32 bytes. Nothing remembers it.
    ///   - challenge: ``Challenge/value`` for ``Challenge/Purpose/attestation``, as the client sends it back: what it gave to
    ///     `setAttestationChallenge`.
    ///   - account: as when the challenge was issued.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why it is refused, or the store's error.
    public func register(
        keyAttestation chain: [[UInt8]], handle: [UInt8], challenge: [UInt8], account: AccountID? = nil,
        clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Registration<VerifiedKeyAttestation> {
        let evidence = AndroidKeyAttestation(
            chain: chain, name: handle, android: android, environment: verifier.environment)
        return try await register(evidence, challenge, account, clientAddress, at: time)
    }

    /// What happens to an attestation of either platform, from arrival to answer.
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
                // The server's own fault is no failure of the account.
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
    /// Checks that this record, which the store had before, is one that `record` registers once more.
    fileprivate func checkRegistration(of record: KeyRecord) throws(Refusal) {
        guard key.platform == record.key.platform else { throw .unknownKey }
        guard key.environment == record.key.environment else { throw .keyOfOtherEnvironment(key.environment) }
        guard account == record.account else { throw .keyOfOtherAccount }
        guard revokedAt == nil else { throw .revokedKey }
    }
}
