public import PureAttest
import PureBytes
import PureDER
import PureECDSA
import PureSHA2
import Synchronization

/// A device that attests keys and signs assertions as DCAppAttestService does: in the Simulator, in CI and on servers.
///
/// **For tests only**: anyone who knows the seed knows the keys. The objects verify only under
/// ``TestCertificateAuthority/attestationRoot``. A Swift server under test uses a verifier from
/// ``PureAttest/AppAttestVerifier/trustingTestDevices(of:)``. Other servers use this root as their trust anchor.
///
/// The methods have the names and behaviour of DCAppAttestService, each in a blocking and an `async` form.
public final class VirtualDevice: Sendable {
    /// The calling app.
    public let app: AppID
    /// The App Attest environment.
    public let environment: Environment
    /// The operating system, which determines the shape of the objects.
    public let system: DeviceSystem
    /// The authority that certifies keys.
    public let authority: TestCertificateAuthority
    /// How the system lets the app run. Sent since iOS 27.
    public let validationCategory: ValidationCategory
    /// The app's bundle version, sent since iOS 27.
    public let bundleVersion: BundleVersion
    /// The encoding of receipts.
    public let receiptEncoding: ReceiptEncoding
    private let state: Mutex<State>
    /// The build has its own lock, because it is read while a key is locked.
    private let build: Mutex<[UInt8]?>

    private struct State {
        var time: UnixTime
        var random: TestRandom
        var keys: [Key] = []
    }

    /// A key in the device's enclave.
    struct Key: Sendable {
        let signingKey: SigningKey<P256>
        let id: [UInt8]
        /// The time and the client data hash of the key's attestation.
        var attestation: (time: UnixTime, clientDataHash: [UInt8])?
        /// The counter of the last assertion.
        var counter: UInt32 = 0
    }

    /// Creates a device.
    ///
    /// - Parameters:
    ///   - app: the app. Its platform must be ``DeviceSystem/appPlatform`` of the system. This is not checked.
    ///   - environment: the Apple service that attests the keys.
    ///   - system: the operating system, which determines the shape of the objects.
    ///   - authority: the authority that certifies the keys, in place of Apple.
    ///   - seed: the seed of keys and objects. The same seed gives the same keys and objects, independent of other
    ///     devices.
    ///   - time: the device's clock, which does not advance until ``time`` is set.
    ///   - validationCategory: the origin of the app.
    ///   - bundleVersion: the app's bundle version.
    ///   - codeDirectoryHash: see ``codeDirectoryHash``.
    ///   - receiptEncoding: the encoding of the receipt's CMS object.
    public init(
        app: AppID, environment: Environment = .production, system: DeviceSystem = .iOS27ExtensionFlag,
        authority: TestCertificateAuthority, seed: UInt64, time: UnixTime,
        validationCategory: ValidationCategory = .appStore, bundleVersion: BundleVersion = "1.0",
        codeDirectoryHash: [UInt8]? = nil, receiptEncoding: ReceiptEncoding = .indefiniteLength
    ) {
        self.app = app
        self.environment = environment
        self.system = system
        self.authority = authority
        self.validationCategory = validationCategory
        self.bundleVersion = bundleVersion
        self.receiptEncoding = receiptEncoding
        build = Mutex(codeDirectoryHash)
        state = Mutex(State(time: time, random: TestRandom(seed: seed, purpose: "device")))
    }

    /// The device's clock, which determines the time of attestations and receipts.
    public var time: UnixTime {
        get { state.withLock { $0.time } }
        set { state.withLock { $0.time = newValue } }
    }

    /// The hash of the app's code directory, 32 bytes, or `nil` if the app does not request this value.
    ///
    /// Set another hash to update or substitute the app; its keys remain. Since iOS 27 and macOS 27 the hash is signed.
    /// On iOS 18.5 to 26 its first 20 bytes are outside the signed data. Earlier systems do not state it.
    public var codeDirectoryHash: [UInt8]? {
        get { build.withLock(\.self) }
        set { build.withLock { $0 = newValue } }
    }

    /// Returns the counter of the key's last assertion, or 0 before the first assertion.
    ///
    /// - Throws: ``AttestTestingError/invalidKey``.
    public func counter(of keyID: String) throws(AttestTestingError) -> UInt32 {
        try withKey(keyID) { (key, _) throws(AttestTestingError) in key.counter }
    }

    /// Advances a key's counter, as assertions that never reach the server do.
    ///
    /// - Throws: ``AttestTestingError/invalidKey``, also if the counter would overflow.
    public func advanceCounter(of keyID: String, by count: UInt32 = 1) throws(AttestTestingError) {
        try withKey(keyID) { (key, _) throws(AttestTestingError) in
            guard count <= .max - key.counter else { throw .invalidKey }
            key.counter += count
        }
    }

    func makeKey() -> String {
        state.withLock { state in
            let key = SigningKey<P256>(from: &state.random)
            let id = [UInt8](SHA256.hash(data: key.x963))
            state.keys.append(Key(signingKey: key, id: id))
            return String(decoding: base64(id), as: UTF8.self)
        }
    }

    /// Calls `body` with a mutable key and the device's time, while no other call runs.
    func withKey<T: Sendable>(
        _ keyID: String, _ body: (inout Key, UnixTime) throws(AttestTestingError) -> T
    ) throws(AttestTestingError) -> T {
        guard let id = try? Base64.decode(Array(keyID.utf8)) else { throw .invalidKey }
        return try state.withLock { (state) throws(AttestTestingError) in
            guard let index = state.keys.firstIndex(where: { $0.id == id }) else { throw .invalidKey }
            return try body(&state.keys[index], state.time)
        }
    }
}
