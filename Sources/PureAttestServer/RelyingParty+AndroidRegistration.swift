public import PureAttest
public import PureKeyAttestation

/// The proof that an Android device's key is attested by its hardware, answered this server's challenge, and is in the store.
public struct AndroidRegistration: Sendable {
    /// The stored record. That of an earlier registration of the same key stays as it was.
    public let record: KeyRecord
    /// Whether the key was not registered before.
    public let isNew: Bool
    /// What the attestation says.
    public let attestation: VerifiedKeyAttestation
    /// When it was verified.
    public let time: UnixTime
}

extension RelyingParty {
    /// Verifies the attestation of an Android device's new key and stores the key.
    ///
    /// The challenge goes into the key when it is made, so that it can't be for a key identifier: it is for a handle of 32 random bytes
    /// that the client makes up, asks with and sends again with the chain. It is consumed as that of
    /// ``register(attestation:keyID:challenge:account:clientAddress:at:)``.
    ///
    /// - Parameters:
    ///   - chain: the certificates of `KeyStore.getCertificateChain()`, DER, leaf first.
    ///   - handle: as when the challenge was issued, 32 bytes. Nothing remembers it.
    ///   - challenge: ``Challenge/value`` for ``Challenge/Purpose/keyAttestation``, as the client sends it back: what it gave to
    ///     `setAttestationChallenge`.
    ///   - account: as when the challenge was issued.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why it is refused, or the store's error.
    public func register(
        keyAttestation chain: [[UInt8]], handle: [UInt8], challenge: [UInt8], account: AccountID? = nil,
        clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> AndroidRegistration {
        try await observed(.registerAndroid, keyID: nil, account: account, at: time) { subject async throws(Failure) in
            guard chain.count <= 5, chain.allSatisfy({ $0.count <= KeyAttestationVerifier.maximumChainSize }) else {
                throw .refused(.malformedRequest)
            }
            guard let android else { throw .refused(.androidNotAccepted) }
            let opened = try open(
                challenge, purpose: .keyAttestation, keyID: handle, account: account, clientAddress: clientAddress,
                at: time)
            guard let revocation = android.revocationList(time) else { throw .refused(.revocationListMissing) }
            let verified: VerifiedKeyAttestation
            do throws(KeyAttestationError) {
                verified = try android.verifier.verify(
                    chain: chain, challenge: challenge, at: time, revocation: revocation)
            } catch {
                noteFailure(of: account, at: time)
                throw .refused(.keyAttestation(error))
            }
            let record = KeyRecord(
                key: .android(verified.key, verifier.environment), account: account, receipt: [], registeredAt: time)
            subject.keyID = record.key.keyID
            return try await store(record, verified, consuming: opened.token, at: time)
        }
    }

    private func store(
        _ record: KeyRecord, _ verified: VerifiedKeyAttestation, consuming token: ConsumedToken, at time: UnixTime
    ) async throws(Failure) -> AndroidRegistration {
        let insertion: KeyInsertion
        do { insertion = try await store.insertKey(record, consuming: token) } catch { throw .store(error) }
        switch insertion {
        case .inserted: return AndroidRegistration(record: record, isNew: true, attestation: verified, time: time)
        case .alreadyConsumed: throw .refused(.challengeConsumed)
        case .existing(let existing):
            guard existing.key.android != nil else { throw .refused(.unknownKey) }
            guard existing.key.environment == verifier.environment else {
                throw .refused(.verification(.keyOfOtherEnvironment(existing.key.environment)))
            }
            guard existing.account == record.account else { throw .refused(.keyOfOtherAccount) }
            guard existing.revokedAt == nil else { throw .refused(.revokedKey) }
            return AndroidRegistration(record: existing, isNew: false, attestation: verified, time: time)
        }
    }
}
