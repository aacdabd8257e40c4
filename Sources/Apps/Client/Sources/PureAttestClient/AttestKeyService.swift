import Foundation

/// A service that makes and uses keys: DCAppAttestService, or a virtual device in tests. It throws only
/// ``KeyServiceError``.
public protocol AttestKeyService: Sendable {
    /// Whether App Attest is available.
    var isSupported: Bool { get }
    /// Makes a key and returns its identifier.
    func generateKey() async throws -> String
    /// Asks Apple to attest a key, and returns the attestation object.
    func attestKey(_ keyID: String, clientDataHash: Data) async throws -> Data
    /// Signs the hash with an attested key, and returns the assertion.
    func generateAssertion(_ keyID: String, clientDataHash: Data) async throws -> Data
}

/// A failure of the device. The cases match the codes of DCError.
public enum KeyServiceError: Error, Hashable, Sendable {
    /// App Attest is not available.
    case featureUnsupported
    /// An argument is invalid.
    case invalidInput
    /// The key no longer exists (app reinstalled, device restored), was already attested, or was used for an assertion
    /// before its attestation. On a Mac that cannot enforce the key's access control policy, every new key fails with
    /// this error.
    case invalidKey
    /// Apple's service is unreachable.
    case serverUnavailable
    /// Any other error.
    case unknownSystemFailure
}
