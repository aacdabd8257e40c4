public import PureAttestTesting
import PureDER
public import PureKeyAttestation
import PureX509

/// The chain of an attested key, a request that the key signed, and the verdict of a correct verifier. A case contains
/// every input of the verification, and is one file of a corpus.
public struct AndroidCase: Sendable {
    /// The name, unique in a corpus and usable as a file name.
    public let name: String
    /// How the attestation key came to the device.
    public let provisioning: Provisioning
    /// The security level of the device's keys.
    public let securityLevel: SecurityLevel
    /// The kind of key.
    public let keyKind: VirtualAndroidDevice.KeyKind
    /// The accepted app of the verifier.
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
    /// The challenge that the server issued for the request. It is the whole client data.
    public let requestChallenge: [UInt8]
    /// The received request.
    public let clientData: [UInt8]
    /// The request's signature.
    public let signature: [UInt8]
    /// The fault, or `nil` if attestation and signature are valid.
    public let fault: AndroidFault?
    /// This library's error: for the signature if ``AndroidFault/isOfSignature``, otherwise for the attestation.
    public let error: KeyAttestationError?
}

extension AndroidCase {
    /// A verifier with this case's app and policy that trusts this case's root, and **not** Google's.
    public var verifier: KeyAttestationVerifier {
        guard let verifier = KeyAttestationVerifier.trusting(testRoot: root, apps: [app], policy: policy) else {
            preconditionFailure("the root of a test authority is no certificate")
        }
        return verifier
    }
}

extension VirtualAndroidDevice {
    /// Makes the chain of a new key and a request that the key signs, with at most one fault.
    ///
    /// - Parameters:
    ///   - name: the name of the case.
    ///   - kind: the kind of key.
    ///   - challenge: the challenge that the server issued for the attestation; not empty.
    ///   - requestChallenge: the challenge that the server issued for the request; not empty.
    ///   - isWithoutRoot: whether to omit the root certificate if there is no fault.
    ///   - fault: the fault. The case contains the revocation list and the policy that it needs.
    public func makeCase(
        _ name: String, _ kind: KeyKind = .p256, challenge: [UInt8], requestChallenge: [UInt8],
        isWithoutRoot: Bool = false, breaking fault: AndroidFault? = nil
    ) throws(AttestTestingError) -> AndroidCase {
        guard !challenge.isEmpty, !requestChallenge.isEmpty else { throw .invalidInput }
        guard fault?.applies(to: provisioning) ?? true else { throw .faultDoesNotApply }
        var draft = AndroidCaseDraft(
            provisioning: provisioning, time: currentTime, issuedChallenge: challenge,
            chain: self.draft(kind, challenge: challenge), app: app, signed: requestChallenge)
        let key = draft.chain.links[0].key
        fault?.definition(provisioning, at: draft.time).apply(&draft)
        var certificates = draft.chain.certificates
        // Saves one RSA signature.
        let root = fault == nil ? certificates[certificates.count - 1] : authority.root(provisioning)
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
