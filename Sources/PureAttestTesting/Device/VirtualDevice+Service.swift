import PureAttest
import PureBytes
import PureSHA2
public import PureSignedContent

// The methods of DCAppAttestService. In an `async` function, Swift selects the `async` overload.

extension VirtualDevice {
    /// Always `true`.
    public var isSupported: Bool { true }

    /// Generates a key and returns its identifier: the SHA-256 hash of the public key 04 ‖ x ‖ y, in Base64.
    public func generateKey() -> String { makeKey() }

    /// Generates a key and returns its identifier in Base64.
    public func generateKey() async -> String { makeKey() }

    /// Attests a key and returns the CBOR object for the server.
    ///
    /// - Parameters:
    ///   - keyID: the key identifier from `generateKey()`.
    ///   - clientDataHash: the SHA-256 hash of the data to bind, which is usually the server's challenge. As on genuine
    ///     devices, a value of any length is accepted unless it is empty.
    /// - Throws: ``AttestTestingError/invalidKey`` for an unknown or already attested key,
    ///   ``AttestTestingError/invalidInput`` for an empty hash.
    public func attestKey(
        _ keyID: String, clientDataHash: some Collection<UInt8>
    ) throws(AttestTestingError) -> [UInt8] {
        try attest(keyID, [UInt8](clientDataHash))
    }

    /// Attests a key and returns the CBOR object for the server.
    public func attestKey(
        _ keyID: String, clientDataHash: some Collection<UInt8>
    ) async throws(AttestTestingError) -> [UInt8] {
        try attest(keyID, [UInt8](clientDataHash))
    }

    /// Signs a request and returns the CBOR object for the server. Increments the key's counter.
    ///
    /// - Parameters:
    ///   - keyID: the identifier of an attested key.
    ///   - clientDataHash: the SHA-256 hash of the request.
    /// - Throws: ``AttestTestingError/invalidKey`` for a key that is not attested or whose counter is at its maximum,
    ///   ``AttestTestingError/invalidInput`` for an empty hash.
    public func generateAssertion(
        _ keyID: String, clientDataHash: some Collection<UInt8>
    ) throws(AttestTestingError) -> [UInt8] {
        try sign(keyID, [UInt8](clientDataHash))
    }

    /// Signs a request and returns the CBOR object for the server.
    public func generateAssertion(
        _ keyID: String, clientDataHash: some Collection<UInt8>
    ) async throws(AttestTestingError) -> [UInt8] {
        try sign(keyID, [UInt8](clientDataHash))
    }

    /// Signs a challenge, or a request with the challenge, and returns the CBOR object. Increments the key's counter.
    ///
    /// - Throws: ``AttestTestingError/invalidKey`` for a key that is not attested or whose counter is at its maximum.
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
