import PureAttest
import PureKeyAttestation
@_spi(CheckedByCaller) import PureSignedContent

/// The certificates of `KeyStore.getCertificateChain()`.
struct AndroidKeyAttestation: AttestationEvidence {
    let chain: [[UInt8]]
    /// The handle. The device needs the challenge to create the key, so the challenge cannot name the key.
    let name: [UInt8]
    let android: AndroidVerification?
    /// The relying party's environment, which is stored with the key because Android keys have no environment.
    let environment: Environment
    var keyID: [UInt8]? { nil }

    func checkInput() throws(Refusal) {
        do { try KeyAttestationVerifier.checkSize(of: chain) } catch { throw .malformedRequest }
        guard android != nil else { throw .androidNotAccepted }
    }

    func verify(challenge: [UInt8], at time: UnixTime) throws(Refusal) -> VerifiedKeyAttestation {
        guard let android else { throw .androidNotAccepted }
        guard let revocation = android.revocationList(time) else { throw .revocationListMissing }
        do throws(KeyAttestationError) {
            return try android.verifier.verify(chain: chain, challenge: challenge, at: time, revocation: revocation)
        } catch { throw .keyAttestation(error) }
    }

    func explanation(challenge: [UInt8], at time: UnixTime) -> DecisionSubject.Explanation? { nil }
    func key(of attestation: VerifiedKeyAttestation) -> RegisteredKey { .android(attestation.key, environment) }
    func receipt(of attestation: VerifiedKeyAttestation) -> [UInt8] { [] }
    func launch(of attestation: VerifiedKeyAttestation) -> LaunchInformation? { nil }
}

/// A signature with `SHA256withECDSA` or `SHA256withRSA`.
struct AndroidSignature: SignatureEvidence {
    static let hasCounter = false
    /// The length of an RSA signature by a 4,096-bit key, the longest accepted key.
    private static let maximumByteCount = 512
    let signature: [UInt8]
    let challenge: [UInt8]
    let signed: SignedContent
    let verifier: KeyAttestationVerifier?
    let environment: Environment
    let decoy: AttestedAndroidKey?

    func checkInput() throws(Refusal) {
        guard signature.count <= Self.maximumByteCount else { throw .malformedRequest }
        guard verifier != nil else { throw .androidNotAccepted }
    }

    func key(of key: RegisteredKey) -> AttestedAndroidKey? { key.android }

    func verify(by key: AttestedAndroidKey, at time: UnixTime) throws(Refusal) -> VerifiedKeySignature {
        guard let verifier else { throw .androidNotAccepted }
        do throws(KeyAttestationError) {
            return try verifier.verifySignature(signature, challenge: challenge, signed: signed, key: key)
        } catch { throw .keyAttestation(error) }
    }

    func precedesSignature(_ refusal: Refusal) -> Bool {
        switch refusal {
        case .keyAttestation(.keyOfUnknownApp), .keyAttestation(.securityLevelNotAllowed),
            .keyAttestation(.remoteProvisioningRequired):
            true
        default: false
        }
    }

    /// Does not search the signed bytes for the challenge, because the outcome is ignored.
    func verify(byDecoy decoy: AttestedAndroidKey, at time: UnixTime) {
        let bytes = signed.clientData(challenge: challenge, keyID: decoy.keyID)
        _ = try? verifier?.verifySignature(
            signature, challenge: [], signed: .clientDataCheckedByCaller(bytes), key: decoy)
    }

    func explanation(with key: AttestedAndroidKey, at time: UnixTime) -> DecisionSubject.Explanation? { nil }
    func key(after signature: VerifiedKeySignature) -> RegisteredKey { .android(signature.key, environment) }
    func launch(of signature: VerifiedKeySignature) -> LaunchInformation? { nil }
}
