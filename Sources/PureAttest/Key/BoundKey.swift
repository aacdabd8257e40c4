public import PureDER
import PureBytes

/// The claims that bind a second public key to an attestation: a challenge and that key, read from client data.
public struct BoundKeyClaims: Hashable, Sendable {
    /// The challenge, decoded into the form in which the server stores challenges.
    public let challenge: [UInt8]
    /// The second public key, in an encoding that client and server agree on.
    public let publicKey: [UInt8]

    /// Creates claims that were read from client data.
    public init(challenge: [UInt8], publicKey: [UInt8]) {
        self.challenge = challenge
        self.publicKey = publicKey
    }
}

/// The proof that a genuine app vouches for a second key. App Attest itself cannot attest this key.
///
/// The attestation binds bytes that contain the second key and the challenge ("emulated key attestation").
public struct VerifiedBoundKey: Sendable {
    /// The second public key, read from the bound bytes. The verifier does not check whether it is a valid key.
    public let publicKey: [UInt8]
    /// The attestation that binds the key.
    public let attestation: VerifiedAttestation
}

extension AppAttestVerifier {
    /// Verifies an attestation whose client data contain a challenge and a second public key.
    ///
    /// The result proves that the app ran unmodified on a genuine device and passed this key to `attestKey`. It does
    /// not prove that the key is in a Secure Enclave, because only the app can state where the key is.
    ///
    /// - Parameters:
    ///   - attestation: the CBOR object from `attestKey`.
    ///   - keyID: the key identifier that the client sent, 32 bytes.
    ///   - clientData: the bytes whose SHA-256 the client passed to `attestKey`.
    ///   - challenge: the challenge that the server issued, not empty.
    ///   - claims: a closure that returns the challenge and the second key from the client data, or `nil`. The verifier
    ///     calls it with the hashed bytes, and only after it has verified the attestation.
    ///   - time: the server's time.
    /// - Throws: the errors of ``verifyAttestation(_:keyID:challenge:at:)``, and also
    ///   ``PureAttestError/emptyChallenge``, ``PureAttestError/challengeNotFound``,
    ///   ``PureAttestError/challengeMismatch``, and ``PureAttestError/boundKeyMissing`` for an empty key.
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
