public import PureAttest
public import PureKeyAttestation

extension RelyingParty {
    /// Verifies the attestation of a new App Attest key and stores the key.
    ///
    /// Keeps the account's older keys, because a user may have several devices and a reinstalled app creates a new key.
    /// The challenge is consumed in the step that stores the key. A failed attempt writes nothing and leaves the
    /// challenge valid. Only the device that received the challenge can create another attestation with it.
    ///
    /// - Parameters:
    ///   - attestation: the object from `attestKey`. Its client data hash is the SHA-256 of the challenge's value.
    ///   - keyID: the key identifier that the client sends, 32 bytes.
    ///   - challenge: ``/PureAttestServerCore/Challenge/value`` for
    ///     ``/PureAttestServerCore/Challenge/Purpose/attestation``, as the client sends it back.
    ///   - account: the account for which the challenge was issued.
    ///   - clientAddress: the requester's address, for rate limits.
    ///   - time: now.
    public func register(
        attestation: [UInt8], keyID: [UInt8], challenge: [UInt8], account: AccountID? = nil,
        clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Registration<VerifiedAttestation> {
        try await decide(.register, keyID: keyID, account: account, at: time) { () throws(Refusal) in
            try rules.register(
                attestation: attestation, keyID: keyID, challenge: challenge, account: account,
                clientAddress: clientAddress, at: time
            ) { $0 }
        }
    }

    /// Verifies the attestation of an Android device's new key and stores the key.
    ///
    /// An Android device needs the challenge to create the key, so the challenge names a handle instead of the key. The
    /// client chooses a handle of 32 random bytes, sends it to request the challenge, and sends it again with the
    /// chain. The handle is not stored.
    ///
    /// `chain` consists of the DER certificates from `KeyStore.getCertificateChain()`, leaf first. The client passed
    /// the challenge to `setAttestationChallenge`. The challenge is consumed as in
    /// ``register(attestation:keyID:challenge:account:clientAddress:at:)``, and the other arguments are the same.
    public func register(
        keyAttestation chain: [[UInt8]], handle: [UInt8], challenge: [UInt8], account: AccountID? = nil,
        clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Registration<VerifiedKeyAttestation> {
        try await decide(.registerAndroid, account: account, at: time) { () throws(Refusal) in
            try rules.register(
                keyAttestation: chain, handle: handle, challenge: challenge, account: account,
                clientAddress: clientAddress, at: time
            ) { $0 }
        }
    }
}
