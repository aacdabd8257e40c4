import PureAttest
import PureBytes
import PureSHA2
public import PureSignedContent

// The methods of DCAppAttestService. Where both forms are in scope, Swift takes the `async` one in an `async` function.

extension VirtualDevice {
    /// Always `true`.
    public var isSupported: Bool { true }

    /// Makes a key and returns its identifier: SHA-256 of the public key as 04 ‖ x ‖ y, in Base64.
    public func generateKey() -> String { makeKey() }

    /// Makes a key and returns its identifier, in Base64.
    public func generateKey() async -> String { makeKey() }

    /// Attests a key: the CBOR object for the server.
    ///
    /// - Parameters:
    ///   - keyID: from `generateKey()`.
    ///   - clientDataHash: SHA-256 of what is to be bound, usually the server's challenge. Of any length from 1, as genuine
    ///     devices have it.
    /// - Throws: ``AttestTestingError/invalidKey`` for an unknown key and for one that is attested already,
    ///   ``AttestTestingError/invalidInput`` for an empty hash.
    public func attestKey(
        _ keyID: String, clientDataHash: some Collection<UInt8>
    ) throws(AttestTestingError) -> [UInt8] {
        try attest(keyID, [UInt8](clientDataHash))
    }

    /// Attests a key: the CBOR object for the server.
    public func attestKey(
        _ keyID: String, clientDataHash: some Collection<UInt8>
    ) async throws(AttestTestingError) -> [UInt8] {
        try attest(keyID, [UInt8](clientDataHash))
    }

    /// Signs a request: the CBOR object for the server. The key's counter goes up by one.
    ///
    /// - Parameters:
    ///   - keyID: of a key that is attested.
    ///   - clientDataHash: SHA-256 of the request.
    /// - Throws: ``AttestTestingError/invalidKey`` for a key that is not attested, or whose counter is at its
    ///   end, ``AttestTestingError/invalidInput`` for an
    ///   empty hash.
    public func generateAssertion(
        _ keyID: String, clientDataHash: some Collection<UInt8>
    ) throws(AttestTestingError) -> [UInt8] {
        try sign(keyID, [UInt8](clientDataHash))
    }

    /// Signs a request: the CBOR object for the server.
    public func generateAssertion(
        _ keyID: String, clientDataHash: some Collection<UInt8>
    ) async throws(AttestTestingError) -> [UInt8] {
        try sign(keyID, [UInt8](clientDataHash))
    }

    /// Signs a challenge, or a request with it: the CBOR object for the server. The key's counter goes up by one.
    ///
    /// - Throws: ``AttestTestingError/invalidKey`` for a key that is not attested, or whose counter is at its end.
    public func generateAssertion(
        _ keyID: String, challenge: some Collection<UInt8>, signed: SignedContent = .challenge
    ) throws(AttestTestingError) -> [UInt8] {
        guard let identifier = try? Base64.decode(Array(keyID.utf8)) else { throw .invalidKey }
        let clientData = signed.clientData(challenge: challenge, keyID: identifier)
        return try sign(keyID, [UInt8](SHA256.hash(data: clientData)))
    }

    private func attest(_ keyID: String, _ clientDataHash: [UInt8]) throws(AttestTestingError) -> [UInt8] {
        guard !clientDataHash.isEmpty else { throw .invalidInput }
        return try withKey(keyID) { (key, time) throws(AttestTestingError) in
            guard key.attestation == nil else { throw .invalidKey }
            key.attestation = (time, clientDataHash)
            return attestationDraft(of: key, clientDataHash: clientDataHash, at: time).encoded()
        }
    }

    private func sign(_ keyID: String, _ clientDataHash: [UInt8]) throws(AttestTestingError) -> [UInt8] {
        guard !clientDataHash.isEmpty else { throw .invalidInput }
        return try withKey(keyID) { (key, _) throws(AttestTestingError) in
            guard key.attestation != nil, key.counter < .max else { throw .invalidKey }
            let object = assertionDraft(of: key, clientDataHash: clientDataHash).encoded()
            key.counter += 1
            return object
        }
    }
}
