import PureAttest

/// An object from `attestKey`.
struct AppAttestAttestation: AttestationEvidence {
    let attestation: [UInt8]
    let name: [UInt8]
    let rules: RelyingPartyRules
    var keyID: [UInt8]? { name }

    func checkInput() throws(Refusal) {
        guard attestation.count <= InputLimits.attestation else { throw .malformedRequest }
    }

    func verify(challenge: [UInt8], at time: UnixTime) throws(Refusal) -> VerifiedAttestation {
        do throws(PureAttestError) {
            let verified = try rules.verifier.verifyAttestation(
                attestation, keyID: name, challenge: challenge, at: time)
            if rules.configuration.verifiesFirstReceipt { _ = try verified.unverifiedReceipt.verify(at: time) }
            return verified
        } catch { throw .verification(error) }
    }

    func explanation(challenge: [UInt8], at time: UnixTime) -> DecisionSubject.Explanation? {
        #if hasFeature(Embedded)
            nil
        #else
            { rules.verifier.explainAttestation(attestation, keyID: name, challenge: challenge, at: time) }
        #endif
    }

    func key(of attestation: VerifiedAttestation) -> RegisteredKey {
        .appAttest(attestation.key.withMultiples(if: rules.configuration.publicKeyMultiples == .fromRegistration))
    }

    func receipt(of attestation: VerifiedAttestation) -> [UInt8] {
        [UInt8](attestation.unverifiedReceipt.unverifiedBytes)
    }
    func launch(of attestation: VerifiedAttestation) -> LaunchInformation? { attestation.launchInformation }
}

/// An object from `generateAssertion`.
struct AppAttestAssertion: SignatureEvidence {
    static let hasCounter = true
    let assertion: [UInt8]
    let challenge: [UInt8]
    let signed: SignedContent
    let rules: RelyingPartyRules
    var decoy: AttestedKey? { rules.decoys.appAttest }

    func checkInput() throws(Refusal) {
        guard assertion.count <= InputLimits.assertion else { throw .malformedRequest }
    }

    func key(of key: RegisteredKey) -> AttestedKey? { key.appAttest }

    func verify(by key: AttestedKey, at time: UnixTime) throws(Refusal) -> VerifiedAssertion {
        do throws(PureAttestError) {
            return try rules.verifier.assertionVerifier.verifyAssertion(
                assertion, challenge: challenge, signed: signed, key: key, at: time)
        } catch { throw .verification(error) }
    }

    func precedesSignature(_ refusal: Refusal) -> Bool {
        if case .verification(.keyOfOtherEnvironment) = refusal { true } else { false }
    }

    func verify(byDecoy decoy: AttestedKey, at time: UnixTime) { _ = try? verify(by: decoy, at: time) }

    func explanation(with key: AttestedKey, at time: UnixTime) -> DecisionSubject.Explanation? {
        #if hasFeature(Embedded)
            nil
        #else
            {
                rules.verifier.explainAssertion(assertion, challenge: challenge, signed: signed, key: key, at: time)
            }
        #endif
    }

    func key(after signature: VerifiedAssertion) -> RegisteredKey {
        .appAttest(signature.key.withMultiples(if: rules.configuration.publicKeyMultiples != .never))
    }

    func launch(of signature: VerifiedAssertion) -> LaunchInformation? { signature.launchInformation }
}

extension AttestedKey {
    /// Returns the key to store, with the multiples of its public key if `wanted`. Embedded builds omit the multiples,
    /// because they do not link the code that computes them.
    func withMultiples(if wanted: Bool) -> AttestedKey {
        #if hasFeature(Embedded)
            self
        #else
            wanted ? withPublicKeyMultiples() : self
        #endif
    }
}
