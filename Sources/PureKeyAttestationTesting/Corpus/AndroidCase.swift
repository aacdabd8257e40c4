public import PureAttestTesting
import PureDER
public import PureKeyAttestation
import PureX509

/// The chain of an attested key with everything that verifies it, a request that the key signed, and what a correct verifier says to
/// both: one file of a corpus.
public struct AndroidCase: Sendable {
    /// Unique in a corpus; good as a file's name.
    public let name: String
    /// How the key that attests came to the device.
    public let provisioning: Provisioning
    /// Where the device keeps keys.
    public let securityLevel: SecurityLevel
    /// What the key is.
    public let keyKind: VirtualAndroidDevice.KeyKind
    /// The accepted app.
    public let app: AndroidApp
    /// The policy of the verifier.
    public let policy: KeyAttestationPolicy
    /// The DER of the only root to trust.
    public let root: [UInt8]
    /// The revocation list, JSON as Google publishes it.
    public let revocationList: [UInt8]
    /// When the server verifies.
    public let time: UnixTime
    /// What the server issued for the attestation.
    public let challenge: [UInt8]
    /// DER, leaf first; the root's last, or not there.
    public let certificateChain: [[UInt8]]
    /// What the server issued for the request, which is all that the client data hold.
    public let requestChallenge: [UInt8]
    /// The request as it arrived.
    public let clientData: [UInt8]
    /// Its signature.
    public let signature: [UInt8]
    /// The fault; `nil` if the attestation and the signature are accepted.
    public let fault: AndroidFault?
    /// The error that this library reports: of the attestation, or of the signature if ``AndroidFault/isOfSignature``.
    public let error: KeyAttestationError?
}

extension AndroidCase {
    /// A verifier that trusts the root, and **not** Google's, with the app and the policy of this case.
    public var verifier: KeyAttestationVerifier {
        guard let verifier = KeyAttestationVerifier.trusting(testRoot: root, apps: [app], policy: policy) else {
            preconditionFailure("the root of a test authority is no certificate")
        }
        return verifier
    }
}

extension VirtualAndroidDevice {
    /// The chain of a new key and a request that it signs, with a fault in one of them.
    ///
    /// - Parameters:
    ///   - name: what the case is called.
    ///   - kind: what the key is.
    ///   - challenge: what the server issued for the attestation; not empty.
    ///   - requestChallenge: what the server issued for the request; not empty.
    ///   - isWithoutRoot: whether the root's certificate is left out, if nothing is wrong.
    ///   - fault: what is wrong. It may be in the revocation list or against a policy, so that both are part of the case.
    /// - Throws: `AttestTestingError.faultDoesNotApply`, or `invalidInput` of an empty challenge.
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
        // A signature of RSA less.
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
