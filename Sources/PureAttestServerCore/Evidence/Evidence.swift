import PureAttest
import PureKeyAttestation

/// The evidence with which a device registers a key, and the rules specific to the device's platform.
/// `RelyingPartyRules.register` contains the rules that both platforms share.
protocol AttestationEvidence: Sendable {
    associatedtype Attestation: Sendable

    /// The name for which the challenge was issued: the key identifier, or the handle of a new Android key.
    var name: [UInt8] { get }
    /// The key identifier; `nil` if the client requested the challenge before it knew the identifier.
    var keyID: [UInt8]? { get }

    /// Checks sizes, and that the platform is accepted, before any limit counts the request.
    func checkInput() throws(Refusal)
    func verify(challenge: [UInt8], at time: UnixTime) throws(Refusal) -> Attestation
    /// Reports each step of ``verify(challenge:at:)``; `nil` if the platform has no reports.
    func explanation(challenge: [UInt8], at time: UnixTime) -> DecisionSubject.Explanation?
    func key(of attestation: Attestation) -> RegisteredKey
    /// Returns Apple's receipt for the key; empty for Android.
    func receipt(of attestation: Attestation) -> [UInt8]
    func launch(of attestation: Attestation) -> LaunchInformation?
}

/// The evidence with which a device uses its key, and the rules specific to the device's platform.
/// `RelyingPartyRules.authenticate` contains the rules that both platforms share.
protocol SignatureEvidence: Sendable {
    associatedtype Key: Sendable
    associatedtype Signature: Sendable

    /// Whether signatures carry a counter, so that the verifier can reject replays. Without a counter, only the
    /// consumed challenge reveals a replay.
    static var hasCounter: Bool { get }
    var challenge: [UInt8] { get }
    var signed: SignedContent { get }
    /// The decoy key to verify with if the real key cannot be used; `nil` if clients may learn that the real key cannot
    /// be used.
    var decoy: Key? { get }

    func checkInput() throws(Refusal)
    /// Returns the key if it belongs to this platform; otherwise `nil`.
    func key(of key: RegisteredKey) -> Key?
    func verify(by key: Key, at time: UnixTime) throws(Refusal) -> Signature
    /// Returns whether ``verify(by:at:)`` throws this error because of the key's record, before it verifies the
    /// signature.
    func precedesSignature(_ refusal: Refusal) -> Bool
    /// Verifies with a decoy key, which takes as long as rejecting an invalid signature.
    func verify(byDecoy decoy: Key, at time: UnixTime)
    func explanation(with key: Key, at time: UnixTime) -> DecisionSubject.Explanation?
    /// Returns the key to store after the use: with the advanced counter, or unchanged.
    func key(after signature: Signature) -> RegisteredKey
    func launch(of signature: Signature) -> LaunchInformation?
}

/// The decoy keys of both platforms, which replace unusable keys under ``AnswerPolicy/uniform``.
struct DecoyKeys: Sendable {
    let appAttest: AttestedKey?
    let android: AttestedAndroidKey?

    init() { (appAttest, android) = (nil, nil) }

    /// Creates decoy keys of the most common kind, which every policy accepts.
    init(
        verifier: AppAttestVerifier, android: KeyAttestationVerifier?,
        multiples: RelyingPartyConfiguration.PublicKeyMultiples
    ) {
        let key = try? AttestedKey(
            trustingStoredKey: basePoint, appID: AppID(bytes: []), environment: verifier.environment, counter: 0)
        appAttest = key?.withMultiples(if: multiples != .never)
        self.android = android?.apps.first.flatMap { app in
            AttestedAndroidKey(
                trustingP256: basePoint, packageNameUTF8: app.packageNameUTF8, securityLevel: .strongBox,
                provisioning: .remote, attestedAt: UnixTime(secondsSince1970: 0))
        }
    }
}

/// The base point of P-256 as 04 ‖ x ‖ y (SP 800-186 §3.2.1.3): the public key of private key 1.
let basePoint: [UInt8] = [
    0x04, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77, 0x03,
    0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96, 0x4F, 0xE3, 0x42, 0xE2, 0xFE,
    0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE,
    0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
]
