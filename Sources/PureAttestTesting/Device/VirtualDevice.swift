public import PureAttest
import PureBytes
import PureDER
import PureECDSA
import PureSHA2
import Synchronization

/// A virtual device that attests keys and signs assertions like DCAppAttestService. It works in the Simulator, in CI
/// and on servers.
///
/// **For tests only**: anyone who knows the seed knows the keys. The objects are valid only under the root
/// ``TestCertificateAuthority/attestationRoot``. A Swift server under test must use a verifier from
/// ``PureAttest/AppAttestVerifier/trustingTestDevices(of:)``. A server in a different language must use this root as
/// its trust anchor.
///
/// The methods of DCAppAttestService have the same names and behaviour here. Each has a blocking and an `async` form.
public final class VirtualDevice: Sendable {
    /// The calling app.
    public let app: AppID
    /// The App Attest environment.
    public let environment: Environment
    /// The operating system, which determines the shape of the objects.
    public let system: DeviceSystem
    /// The authority that certifies keys in place of Apple.
    public let authority: TestCertificateAuthority
    /// The category of launch constraints under which the app runs. Systems since iOS 27 send this value.
    public let validationCategory: ValidationCategory
    /// The app's bundle version. Systems since iOS 27 send this value.
    public let bundleVersion: BundleVersion
    /// The encoding of receipts.
    public let receiptEncoding: ReceiptEncoding
    private let state: Mutex<State>
    /// The build has its own lock, because it is read while the lock of `state` is held.
    private let build: Mutex<[UInt8]?>

    private struct State {
        var time: UnixTime
        var random: TestRandom
        var keys: [Key] = []
    }

    struct Key: Sendable {
        let signingKey: SigningKey<P256>
        let id: [UInt8]
        /// The time and the client data hash of the attestation, or `nil` if the key is not attested.
        var attestation: (time: UnixTime, clientDataHash: [UInt8])?
        var counter: UInt32 = 0
    }

    /// Creates a device.
    ///
    /// The platform of `app` must equal ``DeviceSystem/appPlatform`` of `system`, but the initialiser does not check
    /// this. The same `seed` always produces the same keys and objects, independently of other devices. The other
    /// parameters set the properties with the same names.
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

    /// The device's clock, which determines the time of attestations and receipts. It changes only if you set it.
    public var time: UnixTime {
        get { state.withLock { $0.time } }
        set { state.withLock { $0.time = newValue } }
    }

    /// The hash of the app's code directory, 32 bytes, or `nil` if the app does not request this value.
    ///
    /// To simulate an update or a substitution of the app, set a different hash. The keys remain. Since iOS 27 and
    /// macOS 27, objects contain the hash in signed data. On iOS 18.5 to 26, objects contain the first 20 bytes of the
    /// hash, but not in the signed data. Earlier systems do not send the hash.
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

    /// Advances the counter of a key, as if the key had signed assertions that never reached the server.
    ///
    /// - Throws: ``AttestTestingError/invalidKey`` if the key is unknown or the counter would overflow.
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
            return base64EncodedString(id)
        }
    }

    /// Holds the device's lock while `body` runs, so `body` may change the key.
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
