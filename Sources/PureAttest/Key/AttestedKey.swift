public import PureDER
import PureECDSA
import PureSHA2

/// A verified key with its app, environment and counter. A server stores one such value per key.
///
/// One value contains all four. Therefore, a key cannot be paired with the counter of a different key. Because the
/// value names the environment, a production verifier rejects development keys. Store ``serialized`` under ``keyID``.
/// After each assertion, replace the stored
/// bytes by the serialized ``VerifiedAssertion/key``. Use a compare-and-set that compares the stored bytes with the
/// bytes that were read. If two requests read the same old value, one of them must fail.
public struct AttestedKey: Hashable, Sendable {
    let publicKey: P256.Signing.PublicKey
    let keyDigest: SHA256Digest
    /// The environment in which the key was attested.
    public let environment: Environment
    /// SHA-256 of the App ID, 32 bytes.
    public let rpIDHash: [UInt8]
    private(set) var counterState: CounterState
    /// The time of the attestation, as passed to ``AppAttestVerifier/verifyAttestation(_:keyID:challenge:at:)``. `nil`
    /// if the key comes from a version 1 record, or if another library verified the key.
    public let attestedAt: UnixTime?
    /// The device's operating system, as Apple certified it when the key was attested. Unknown values are `nil`. If
    /// ``attestedAt`` is `nil`, all values are unknown. A later system update becomes visible only with a new
    /// attestation.
    public let system: SystemInformation
    var multiples: P256.Signing.PublicKeyMultiples?
    #if !hasFeature(Embedded)
        var table = PublicKeyTable()
    #endif

    static func digest(of publicKey: P256.Signing.PublicKey) -> SHA256Digest {
        SHA256.hash(data: publicKey.x963Representation)
    }

    /// The key identifier: SHA-256 of ``publicKeyX963``, 32 bytes.
    public var keyID: [UInt8] { [UInt8](keyDigest) }
    /// The public key: 04 ‖ x ‖ y, 65 bytes.
    public var publicKeyX963: [UInt8] { publicKey.x963Representation }
    /// The greatest counter value that the key has used; 0 after the attestation.
    public var counter: UInt32 { counterState.greatest }

    /// Returns the key with the given counter, and with all smaller values marked as used. This method is for tools
    /// that receive a counter from a server.
    package func resumed(at counter: UInt32) -> AttestedKey {
        var key = self
        key.counterState = CounterState(greatest: counter)
        return key
    }

    func accepting(_ value: UInt32, policy: CounterPolicy) throws(PureAttestError) -> AttestedKey {
        var key = self
        key.counterState = try counterState.accepting(value, policy: policy)
        return key
    }
}

extension AttestedKey {
    /// Creates a key that another library verified. Checks only that the key is on P-256; trusts all other arguments.
    ///
    /// - Parameters:
    ///   - publicKeyX963: 04 ‖ x ‖ y, 65 bytes.
    ///   - appID: the app that created the key.
    ///   - environment: the environment in which the key was attested.
    ///   - counter: the greatest counter value used so far. All smaller values are treated as used.
    public init(
        trustingStoredKey publicKeyX963: some Collection<UInt8>, appID: AppID, environment: Environment, counter: UInt32
    ) throws(PureAttestError) {
        let publicKey: P256.Signing.PublicKey
        do { publicKey = try P256.Signing.PublicKey(x963Representation: publicKeyX963) } catch {
            throw .invalidPublicKey(error)
        }
        self.init(
            publicKey: publicKey, keyDigest: Self.digest(of: publicKey), environment: environment,
            rpIDHash: appID.rpIDHash, counterState: CounterState(greatest: counter), attestedAt: nil,
            system: SystemInformation())
    }
}
