public import PureAttest

extension RelyingParty {
    /// Verifies a new key's attestation and stores the key. Older keys of the account are kept: a user may have several
    /// devices, and an app that was installed anew has a new key.
    ///
    /// The challenge is consumed when the call succeeds, in the step that stores the key. A failed attempt writes nothing: what a device
    /// attested is bound to the very challenge, so that nobody can try another object with it but this device.
    ///
    /// - Parameters:
    ///   - attestation: the object from `attestKey`, whose client data hash is the SHA-256 of the challenge's value.
    ///   - keyID: the key that the client names, 32 bytes.
    ///   - challenge: ``Challenge/value`` as the client sends it back.
    ///   - account: as when the challenge was issued.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why it is refused, or the store's error.
    public func register(
        attestation: [UInt8], keyID: [UInt8], challenge: [UInt8], account: AccountID? = nil,
        clientAddress: ClientAddress? = nil,
        at time: UnixTime
    ) async throws(Failure) -> Registration {
        try await observed(.register, keyID: keyID, account: account, at: time) { subject async throws(Failure) in
            guard attestation.count <= InputLimits.attestation else { throw .refused(.malformedRequest) }
            let opened = try open(
                challenge, purpose: .attestation, keyID: keyID, account: account, clientAddress: clientAddress, at: time
            )
            let verifier = verifier
            subject.explanation = {
                verifier.explainAttestation(attestation, keyID: keyID, challenge: challenge, at: time)
            }
            let verified: VerifiedAttestation
            do throws(PureAttestError) {
                verified = try verifier.verifyAttestation(attestation, keyID: keyID, challenge: challenge, at: time)
            } catch {
                noteFailure(of: account, at: time)
                throw .refused(.verification(error))
            }
            return try await store(verified, for: account, consuming: opened.token, at: time)
        }
    }

    private func store(
        _ verified: VerifiedAttestation, for account: AccountID?, consuming token: ConsumedToken, at time: UnixTime
    ) async throws(Failure) -> Registration {
        let receipt = [UInt8](verified.unverifiedReceipt.unverifiedBytes)
        let record = KeyRecord(
            key: .appAttest(
                configuration.publicKeyMultiples == .fromRegistration
                    ? verified.key.withPublicKeyMultiples() : verified.key),
            account: account, receipt: receipt, receiptDueAt: receipt.isEmpty ? nil : time,
            registeredAt: time)
        let insertion: KeyInsertion
        do { insertion = try await store.insertKey(record, consuming: token) } catch { throw .store(error) }
        switch insertion {
        case .inserted: return Registration(record: record, isNew: true, attestation: verified, time: time)
        case .alreadyConsumed: throw .refused(.challengeConsumed)
        case .existing(let existing):
            guard let known = existing.key.appAttest else { throw .refused(.unknownKey) }
            guard known.environment == verified.key.environment else {
                throw .refused(.verification(.keyOfOtherEnvironment(known.environment)))
            }
            guard existing.account == account else { throw .refused(.keyOfOtherAccount) }
            guard existing.revokedAt == nil else { throw .refused(.revokedKey) }
            return Registration(record: existing, isNew: false, attestation: verified, time: time)
        }
    }
}
