public import PureDER
import PureECDSA
import PureSHA2

/// A verified key with the app, the environment and the counter that it goes with: what a server stores per key.
///
/// One value, so that a key can't meet another key's counter, nor a production verifier a development key. Store
/// ``serialized`` under ``keyID``, and replace it after each assertion by that of ``VerifiedAssertion/key`` with a
/// compare-and-set on the bytes that were read: of two requests with the same old value one has to lose.
public struct AttestedKey: Hashable, Sendable {
    let publicKey: P256.Signing.PublicKey
    let keyDigest: SHA256Digest
    /// Where the key was attested.
    public let environment: Environment
    let appDigest: [UInt8]
    private(set) var counterState: CounterState
    /// When the key was attested: the time that ``AppAttestVerifier/verifyAttestation(_:keyID:challenge:at:)`` was given.
    /// `nil` if that is not known: the record is of version 1, or another library verified the key.
    public let attestedAt: UnixTime?
    /// What Apple certified of the device's system when the key was attested. The device may have been updated since: only a new
    /// attestation tells. What is not known is absent, all of it for a key whose ``attestedAt`` is `nil`.
    public let system: SystemInformation
    /// See ``withPublicKeyMultiples()``.
    var multiples: P256.Signing.PublicKeyMultiples?
    #if !hasFeature(Embedded)
        /// See ``withPublicKeyTable()``.
        var table = PublicKeyTable()
    #endif

    init(
        publicKey: P256.Signing.PublicKey, keyDigest: SHA256Digest, environment: Environment, appDigest: [UInt8],
        counterState: CounterState, attestedAt: UnixTime? = nil, system: SystemInformation = SystemInformation(),
        multiples: P256.Signing.PublicKeyMultiples? = nil
    ) {
        self.publicKey = publicKey
        self.keyDigest = keyDigest
        self.environment = environment
        self.appDigest = appDigest
        self.counterState = counterState
        self.attestedAt = attestedAt
        self.system = system
        self.multiples = multiples
    }

    /// The identifier of a key.
    static func digest(of publicKey: P256.Signing.PublicKey) -> SHA256Digest {
        SHA256.hash(data: publicKey.x963Representation)
    }

    /// The key identifier: SHA-256 of ``publicKeyX963``, 32 bytes.
    public var keyID: [UInt8] { [UInt8](keyDigest) }
    /// The public key: 04 ‖ x ‖ y, 65 bytes.
    public var publicKeyX963: [UInt8] { publicKey.x963Representation }
    /// SHA-256 of the App ID, 32 bytes.
    public var rpIDHash: [UInt8] { appDigest }
    /// The greatest counter value that the key has used; 0 after the attestation.
    public var counter: UInt32 { counterState.greatest }

    /// The same key with another counter; every smaller value counts as used. For tools that are told what a server had stored.
    package func resumed(at counter: UInt32) -> AttestedKey {
        var key = self
        key.counterState = CounterState(greatest: counter)
        return key
    }

    /// The same key after an assertion with counter value `value`.
    func accepting(_ value: UInt32, policy: CounterPolicy) throws(PureAttestError) -> AttestedKey {
        var key = self
        key.counterState = try counterState.accepting(value, policy: policy)
        return key
    }
}

extension AttestedKey {
    /// A key that another library verified and stored. Nothing of it is proved here but that it is a key of P-256: what
    /// the caller passes is trusted.
    ///
    /// - Parameters:
    ///   - publicKeyX963: 04 ‖ x ‖ y, 65 bytes.
    ///   - appID: the app that made the key.
    ///   - environment: where it was attested.
    ///   - counter: the greatest value used so far; every smaller one counts as used.
    public init(
        trustingStoredKey publicKeyX963: some Collection<UInt8>, appID: AppID, environment: Environment, counter: UInt32
    ) throws(PureAttestError) {
        let publicKey: P256.Signing.PublicKey
        do { publicKey = try P256.Signing.PublicKey(x963Representation: publicKeyX963) } catch {
            throw .invalidPublicKey(error)
        }
        self.init(
            publicKey: publicKey, keyDigest: Self.digest(of: publicKey), environment: environment,
            appDigest: appID.rpIDHash,
            counterState: CounterState(greatest: counter))
    }
}
