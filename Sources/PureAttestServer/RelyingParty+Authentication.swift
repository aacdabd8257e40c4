public import PureAttest
public import PureKeyAttestation
@_exported public import PureSignedContent

extension RelyingParty {
    /// Verifies that a registered App Attest key signed the challenge, and advances its counter in the store.
    ///
    /// The challenge is consumed in the step that advances the counter. A failed attempt writes nothing and leaves the
    /// challenge valid. Only the device itself can sign the challenge, so nobody else gains an attempt from that.
    ///
    /// - Parameters:
    ///   - assertion: the object from `generateAssertion`, whose client data hash is the SHA-256 of the signed bytes.
    ///   - keyID: the key that the client names, 32 bytes.
    ///   - challenge: ``/PureAttestServerCore/Challenge/value`` for
    ///     ``/PureAttestServerCore/Challenge/Purpose/assertion``, as the client sends it back.
    ///   - signed: the form of the signed bytes.
    ///   - account: the account for which the challenge was issued. The key must belong to it. `nil` accepts a key of
    ///     any account, which ``/PureAttestServerCore/Authentication/record`` names.
    ///   - clientAddress: the requester's address, for rate limits.
    ///   - time: now.
    /// - Throws: why the request is rejected, or the store's error.
    public func authenticate(
        assertion: [UInt8], keyID: [UInt8], challenge: [UInt8], signed: SignedContent = .challenge,
        account: AccountID? = nil, clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Authentication<VerifiedAssertion> {
        try await decide(.authenticate, keyID: keyID, account: account, at: time) { () throws(Refusal) in
            try rules.authenticate(
                assertion: assertion, keyID: keyID, challenge: challenge, signed: signed, account: account,
                clientAddress: clientAddress, at: time
            ) { $0 }
        }
    }

    /// Verifies that a registered Android key signed the challenge, and consumes the challenge.
    ///
    /// The step that consumes the challenge checks again that the key is not revoked. A failed attempt writes nothing.
    ///
    /// For the other parameters, see ``authenticate(assertion:keyID:challenge:signed:account:clientAddress:at:)``.
    ///
    /// - Parameters:
    ///   - signature: with `SHA256withECDSA` or `SHA256withRSA`, over the signed bytes themselves.
    ///   - keyID: ``/PureAttestServerCore/RegisteredKey/keyID`` as in ``/PureAttestServerCore/Registration/record``.
    /// - Throws: why the request is rejected, or the store's error.
    public func authenticate(
        signature: [UInt8], keyID: [UInt8], challenge: [UInt8], signed: SignedContent = .challenge,
        account: AccountID? = nil, clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> Authentication<VerifiedKeySignature> {
        try await decide(.authenticateAndroid, keyID: keyID, account: account, at: time) { () throws(Refusal) in
            try rules.authenticate(
                signature: signature, keyID: keyID, challenge: challenge, signed: signed, account: account,
                clientAddress: clientAddress, at: time
            ) { $0 }
        }
    }
}
