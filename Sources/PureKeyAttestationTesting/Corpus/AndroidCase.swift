public import PureAttestTesting
import PureDER
public import PureKeyAttestation
import PureX509

/// A test case: the chain of an attested key, a request that the key signed, and the expected result. A case contains
/// every input of the verification, and is stored as a single file of a corpus.
public struct AndroidCase: Sendable {
    /// The name of the case, which is unique in a corpus and can be used as a file name.
    public let name: String
    /// How the attestation key came to the device.
    public let provisioning: Provisioning
    /// The security level of the device's keys.
    public let securityLevel: SecurityLevel
    /// The kind of key.
    package let keyKind: VirtualAndroidDevice.KeyKind
    /// The app that the verifier accepts.
    public let app: AndroidApp
    /// The verifier's policy.
    public let policy: KeyAttestationPolicy
    /// The only trusted root, as DER.
    public let root: [UInt8]
    /// The revocation list, in the JSON format that Google publishes.
    public let revocationList: [UInt8]
    /// The time of verification.
    public let time: UnixTime
    /// The challenge that the server issued for the attestation.
    public let challenge: [UInt8]
    /// The DER certificates, leaf first, with or without the root.
    public let certificateChain: [[UInt8]]
    /// The challenge that the server issued for the request. The client data consists only of this challenge.
    public let requestChallenge: [UInt8]
    /// The received request.
    public let clientData: [UInt8]
    /// The signature of the request.
    public let signature: [UInt8]
    /// The fault, or `nil` if the attestation and the signature are valid.
    public let fault: AndroidFault?
    /// The error that this library throws, or `nil` for a valid case. The error concerns the signature if
    /// ``AndroidFault/isOfSignature`` is true, and otherwise the attestation.
    public let error: KeyAttestationError?
}

extension AndroidCase {
    /// A verifier with the app and policy of this case. It trusts only this case's root, and does **not** trust Google.
    public var verifier: KeyAttestationVerifier {
        guard let verifier = KeyAttestationVerifier.trusting(testRoot: root, apps: [app], policy: policy) else {
            preconditionFailure("the root of a test authority is no certificate")
        }
        return verifier
    }
}

extension VirtualAndroidDevice {
    /// Creates a case: the chain of a new key and a request that the key signs, with at most one fault.
    ///
    /// - Parameters:
    ///   - name: the name of the case.
    ///   - kind: the kind of key.
    ///   - challenge: the challenge that the server issued for the attestation. It must not be empty.
    ///   - requestChallenge: the challenge that the server issued for the request. It must not be empty.
    ///   - isWithoutRoot: whether to omit the root certificate. Ignored if there is a fault.
    ///   - fault: the fault, or `nil` for a valid case. The case contains the revocation list and the policy that are
    ///     needed to detect the fault.
    public func makeCase(
        _ name: String, _ kind: KeyKind = .p256, challenge: [UInt8], requestChallenge: [UInt8],
        isWithoutRoot: Bool = false, breaking fault: AndroidFault? = nil
    ) throws(AttestTestingError) -> AndroidCase {
        guard !challenge.isEmpty, !requestChallenge.isEmpty else { throw .invalidInput }
        guard fault?.applies(to: provisioning) ?? true else { throw .faultDoesNotApply }
        var draft = AndroidCaseDraft(
            provisioning: provisioning, time: time, issuedChallenge: challenge,
            chain: self.draft(kind, challenge: challenge), app: app, signed: requestChallenge)
        let key = draft.chain.links[0].key
        fault?.definition(provisioning, at: draft.time).apply(&draft)
        var certificates = draft.chain.certificates
        let root = provisioning == .remote ? authority.remoteRoot : authority.factoryRoot
        if isWithoutRoot, fault == nil { certificates.removeLast() }
        draft.alterCertificates(&certificates)
        var signature = (draft.signer ?? key).sign(draft.signed)
        draft.alterSignature(&signature)
        return AndroidCase(
            name: name, provisioning: provisioning, securityLevel: securityLevel, keyKind: kind, app: draft.app,
            policy: draft.policy, root: root, revocationList: draft.revocationList, time: draft.time,
            challenge: challenge, certificateChain: certificates, requestChallenge: requestChallenge,
            clientData: draft.sent ?? draft.signed, signature: signature, fault: fault,
            error: fault?.expectedError(provisioning, at: draft.time))
    }
}
