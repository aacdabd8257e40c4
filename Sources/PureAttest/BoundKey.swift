public import PureDER
import PureBytes

/// What the client data say when they bind a second key: which challenge they answer, and the key.
public struct BoundKeyClaims: Hashable, Sendable {
    /// The challenge, decoded as the server stores it.
    public let challenge: [UInt8]
    /// The second public key, in whatever encoding client and server have agreed on.
    public let publicKey: [UInt8]

    /// Claims as read from client data.
    public init(challenge: [UInt8], publicKey: [UInt8]) {
        self.challenge = challenge
        self.publicKey = publicKey
    }
}

/// The proof that a genuine app vouches for a second key, one that App Attest itself can't attest ("emulated key
/// attestation"): the key stood in the bytes that the attestation binds, beside the server's challenge.
public struct VerifiedBoundKey: Sendable {
    /// The second public key, read from the bound bytes. Whether it is a valid key is not checked.
    public let publicKey: [UInt8]
    /// The attestation that binds it.
    public let attestation: VerifiedAttestation
}

extension AppAttestVerifier {
    /// Verifies an attestation whose client data hold a challenge and a second public key.
    ///
    /// What it proves is the app's word for the key: the app ran unmodified on a genuine device and passed this key to
    /// `attestKey`. That the key lives in a Secure Enclave is then the app's claim.
    ///
    /// - Parameters:
    ///   - attestation: the CBOR object from `attestKey`.
    ///   - keyID: the key identifier that the client names, 32 bytes.
    ///   - clientData: the bytes whose SHA-256 the client passed to `attestKey`.
    ///   - challenge: the one that the server issued, not empty.
    ///   - claims: finds challenge and key in the client data; `nil` if they are not there. It is given the bytes that were
    ///     hashed, and only after the attestation that binds them has been verified.
    ///   - time: the server's time.
    /// - Throws: what ``verifyAttestation(_:keyID:challenge:at:)`` throws; ``PureAttestError/emptyChallenge``,
    ///   ``PureAttestError/challengeNotFound``, ``PureAttestError/challengeMismatch``,
    ///   ``PureAttestError/boundKeyMissing`` for an empty key.
    public func verifyBoundKey(
        _ attestation: some Collection<UInt8>, keyID: some Collection<UInt8>, clientData: some Collection<UInt8>,
        challenge: [UInt8], at time: UnixTime, claims: (ArraySlice<UInt8>) -> BoundKeyClaims?
    ) throws(PureAttestError) -> VerifiedBoundKey {
        guard !challenge.isEmpty else { throw .emptyChallenge }
        let clientData = ArraySlice(clientData)
        let verified = try verifyAttestation(attestation, keyID: keyID, challenge: clientData, at: time)
        guard let claims = claims(clientData) else { throw .challengeNotFound }
        guard constantTimeEquals(challenge, claims.challenge) else { throw .challengeMismatch }
        guard !claims.publicKey.isEmpty else { throw .boundKeyMissing }
        return VerifiedBoundKey(publicKey: claims.publicKey, attestation: verified)
    }
}
