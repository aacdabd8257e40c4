import PureBytes
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

    init(
        publicKey: P256.Signing.PublicKey, keyDigest: SHA256Digest, environment: Environment, appDigest: [UInt8],
        counterState: CounterState
    ) {
        self.publicKey = publicKey
        self.keyDigest = keyDigest
        self.environment = environment
        self.appDigest = appDigest
        self.counterState = counterState
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

    private static let version: UInt8 = 1

    /// The key as 111 bytes: version 1, environment (1 production, 2 development), RP ID hash (32), public key as
    /// 04 ‖ x ‖ y (65), greatest counter value (4, big-endian), used values (8, big-endian; bit i: greatest − i).
    ///
    /// Not authenticated: keep it where clients can't write.
    public var serialized: [UInt8] {
        var bytes = [AttestedKey.version, environment.rawValue]
        bytes += appDigest
        bytes += publicKeyX963
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: counterState.greatest >> UInt32(shift)))
        }
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: counterState.used >> UInt64(shift)))
        }
        return bytes
    }

    /// Restores what ``serialized`` wrote. Each value has one encoding: whatever is accepted serialises to the same bytes.
    ///
    /// - Throws: ``PureAttestError/unsupportedKeyRecord(version:)``, ``PureAttestError/malformedKeyRecord``,
    ///   ``PureAttestError/invalidPublicKey(_:)`` for a point that is not on the curve.
    public init(serialized: some Collection<UInt8>) throws(PureAttestError) {
        var reader = ByteReader(ArraySlice(serialized))
        guard let version = reader.peek() else { throw .malformedKeyRecord }
        guard version == AttestedKey.version else { throw .unsupportedKeyRecord(version: version) }
        let environment: UInt8
        let appDigest, x963: ArraySlice<UInt8>
        let greatest: UInt32
        let used: UInt64
        do {
            _ = try reader.readByte()
            environment = try reader.readByte()
            appDigest = try reader.readBytes(32)
            x963 = try reader.readBytes(65)
            greatest = try reader.readBigEndian()
            used = try reader.readBigEndian()
        } catch { throw .malformedKeyRecord }
        guard reader.isAtEnd, let environment = Environment(rawValue: environment),
            let counterState = CounterState(greatest: greatest, used: used)
        else { throw .malformedKeyRecord }
        let publicKey: P256.Signing.PublicKey
        do { publicKey = try P256.Signing.PublicKey(x963Representation: x963) } catch { throw .invalidPublicKey(error) }
        self.init(
            publicKey: publicKey, keyDigest: Self.digest(of: publicKey), environment: environment,
            appDigest: [UInt8](appDigest), counterState: counterState)
    }
}
