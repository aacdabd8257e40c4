public import PureAttest
public import PureKeyAttestation

extension RelyingParty {
    /// Verifies the attestation of a new App Attest key and stores the key.
    ///
    /// Keeps older keys of the account: a user may have several devices, and a reinstalled app has a new key.
    ///
    /// The challenge is consumed in the step that stores the key. A failed attempt writes nothing and leaves the
    /// challenge valid. Only the device that received the challenge can create another attestation with it.
    ///
    /// - Parameters:
    ///   - attestation: the object from `attestKey`, whose client data hash is the SHA-256 of the challenge's value.
    ///   - keyID: the key that the client names, 32 bytes.
    ///   - challenge: ``/PureAttestServerCore/Challenge/value`` for
    ///     ``/PureAttestServerCore/Challenge/Purpose/attestation``, as the client sends it back.
    ///   - account: the account for which the challenge was issued.
    ///   - clientAddress: the requester's address, for rate limits.
    ///   - time: now.
    /// - Throws: why the request is rejected, or the store's error.
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
    /// chain. The challenge is consumed as in ``register(attestation:keyID:challenge:account:clientAddress:at:)``.
    ///
    /// - Parameters:
    ///   - chain: the certificates from `KeyStore.getCertificateChain()`, DER, leaf first.
    ///   - handle: the handle for which the challenge was issued, 32 bytes. It is not stored.
    ///   - challenge: ``/PureAttestServerCore/Challenge/value`` for
    ///     ``/PureAttestServerCore/Challenge/Purpose/attestation``, which the client passed to
    ///     `setAttestationChallenge` and sends back.
    ///   - account: the account for which the challenge was issued.
    ///   - clientAddress: the requester's address, for rate limits.
    ///   - time: now.
    /// - Throws: why the request is rejected, or the store's error.
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
