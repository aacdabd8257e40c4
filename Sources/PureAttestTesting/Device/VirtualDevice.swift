public import PureAttest
import PureBytes
import PureDER
import PureECDSA
import PureSHA2
import Synchronization

/// A device made of Swift: attests keys and signs assertions as DCAppAttestService does, in the Simulator, in CI and on
/// servers. **For tests only**: its keys follow from its seed.
///
/// The objects verify under ``TestCertificateAuthority/attestationRoot`` and nowhere else; a server under test gets a verifier
/// from ``PureAttest/AppAttestVerifier/trustingTestDevices(of:)``, or, if it is not written in Swift, that root as its trust anchor.
///
/// The methods have the names and the behaviour of DCAppAttestService, in a blocking and in an `async` form.
public final class VirtualDevice: Sendable {
    /// The app that calls.
    public let app: AppID
    /// The App Attest service that attests.
    public let environment: Environment
    /// Whose objects are made.
    public let system: DeviceSystem
    /// Who certifies keys.
    public let authority: TestCertificateAuthority
    /// How the system lets the app run; sent from iOS 27 on.
    public let validationCategory: ValidationCategory
    /// The app's version; sent from iOS 27 on.
    public let bundleVersion: BundleVersion
    /// How receipts are encoded.
    public let receiptEncoding: ReceiptEncoding
    private let state: Mutex<State>
    /// Of its own, as it is read while a key is in use.
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
        /// When the key was attested, and what with.
        var attestation: (time: UnixTime, clientDataHash: [UInt8])?
        /// The counter value of the last assertion.
        var counter: UInt32 = 0
    }

    /// A device.
    ///
    /// - Parameters:
    ///   - app: its platform must be the system's ``DeviceSystem/appPlatform``; this is not checked.
    ///   - environment: which of Apple's services attests its keys.
    ///   - system: what it runs, which decides what its objects say.
    ///   - authority: who certifies its keys, in Apple's place.
    ///   - seed: the same seed gives the same keys and objects, whatever other devices do.
    ///   - time: the device's clock, which stands still until ``time`` is set.
    ///   - validationCategory: where the app came from.
    ///   - bundleVersion: the app's.
    ///   - codeDirectoryHash: see ``codeDirectoryHash``.
    ///   - receiptEncoding: how the receipt's CMS object is encoded.
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

    /// The device's clock: the time of attestations and receipts.
    public var time: UnixTime {
        get { state.withLock { $0.time } }
        set { state.withLock { $0.time = newValue } }
    }

    /// The hash of the app's code directory, 32 bytes, for an app that asks the system to tell it; `nil` for one that does not. Set it to
    /// another one for an app that is updated or substituted: its keys stay. From iOS 27 and macOS 27 on it is signed; on iOS 18.5 to
    /// 26 its first 20 bytes stand beside what is signed; earlier systems do not tell.
    public var codeDirectoryHash: [UInt8]? {
        get { build.withLock(\.self) }
        set { build.withLock { $0 = newValue } }
    }

    /// The counter value of the key's last assertion; 0 before the first.
    ///
    /// - Throws: ``AttestTestingError/invalidKey``.
    public func counter(of keyID: String) throws(AttestTestingError) -> UInt32 {
        try withKey(keyID) { (key, _) throws(AttestTestingError) in key.counter }
    }

    /// Advances a key's counter, as assertions do that never arrive at the server.
    ///
    /// - Throws: ``AttestTestingError/invalidKey``, also if the counter cannot go so far.
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

    /// Calls `body` with a key, to change, and the device's time. No other call changes the device meanwhile.
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
