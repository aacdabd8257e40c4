public import PureAttest
public import PureKeyAttestation
@_exported public import PureSignedContent

extension RelyingParty {
    /// Verifies that a registered App Attest key signed the challenge, and advances the key's counter in the store.
    ///
    /// The challenge is consumed in the step that advances the counter. A failed attempt writes nothing and leaves the
    /// challenge valid. An attacker gains nothing from this, because only the device itself can sign the challenge.
    ///
    /// - Parameters:
    ///   - assertion: the object from `generateAssertion`. Its client data hash is the SHA-256 of the signed bytes.
    ///   - keyID: the key identifier that the client sends, 32 bytes.
    ///   - challenge: ``/PureAttestServerCore/Challenge/value`` for
    ///     ``/PureAttestServerCore/Challenge/Purpose/assertion``, as the client sends it back.
    ///   - signed: the form of the signed bytes.
    ///   - account: the account for which the challenge was issued. The key must belong to this account. `nil` accepts
    ///     a key of any account; ``/PureAttestServerCore/Authentication/record`` names the key's account.
    ///   - clientAddress: the requester's address, for rate limits.
    ///   - time: now.
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
    /// `signature` is a `SHA256withECDSA` or `SHA256withRSA` signature over the signed bytes themselves, not over their
    /// hash. `keyID` is the ``/PureAttestServerCore/RegisteredKey/keyID`` of the key that registration returned in
    /// ``/PureAttestServerCore/Registration/record``. The other arguments are as in
    /// ``authenticate(assertion:keyID:challenge:signed:account:clientAddress:at:)``.
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
