import Foundation

/// What makes and uses keys: DCAppAttestService, or a virtual device in tests. Every error is a ``KeyServiceError``.
public protocol AttestKeyService: Sendable {
    /// Whether there is App Attest here at all.
    var isSupported: Bool { get }
    /// Makes a key and returns its identifier.
    func generateKey() async throws -> String
    /// Lets Apple attest a key.
    func attestKey(_ keyID: String, clientDataHash: Data) async throws -> Data
    /// Signs with a key that is attested.
    func generateAssertion(_ keyID: String, clientDataHash: Data) async throws -> Data
}

/// Why the device does not do what it is asked: the cases of DCError.
public enum KeyServiceError: Error, Hashable, Sendable {
    /// No App Attest here.
    case featureUnsupported
    /// An argument is not what it has to be.
    case invalidInput
    /// There is no such key any more (the app was installed anew, the device restored), it is attested already, or not yet, or a Mac
    /// cannot enforce the key's access control policy. The last holds for each new key.
    case invalidKey
    /// Apple's service is out of reach.
    case serverUnavailable
    /// Anything else.
    case unknownSystemFailure
}
