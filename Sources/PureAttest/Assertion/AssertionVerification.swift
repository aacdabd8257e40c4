@_spi(Steps) import PureBytes
public import PureDER
import PureECDSA
import PureSHA2
@_exported @_spi(CheckedByCaller) public import PureSignedContent

// Apple, "Validating apps that connect to your server", "Verify the assertion": one function per step, in order.

extension AppAttestVerifier {
    /// Verifies that `key` signed the challenge and that the counter increased.
    ///
    /// ``AssertionVerifier/verifyAssertion(_:challenge:signed:key:at:)`` documents the parameters.
    @inlinable
    public func verifyAssertion(
        _ assertion: some Collection<UInt8>, challenge: some Collection<UInt8>, signed: SignedContent = .challenge,
        key: AttestedKey, at time: UnixTime? = nil
    ) throws(PureAttestError) -> VerifiedAssertion {
        try assertionVerifier.verifyAssertion(assertion, challenge: challenge, signed: signed, key: key, at: time)
    }
}

extension AssertionVerifier {
    /// Verifies that `key` signed the challenge and that the counter increased.
    ///
    /// - Parameters:
    ///   - assertion: the object from `generateAssertion`, at most ``InputLimits/assertion`` bytes.
    ///   - challenge: the challenge that the server issued.
    ///   - signed: the bytes whose SHA-256 the client passed to `generateAssertion`. By default they are the challenge.
    ///   - key: the stored key.
    ///   - time: the current time, which only ``AgePolicy/maximumKeyAge`` needs: with this limit, `nil` rejects every
    ///     key.
    /// - Returns: the proof. It contains the key with an advanced counter. Replace the stored key by this key.
    /// - Throws: the error of the first step that failed.
    @inlinable
    public func verifyAssertion(
        _ assertion: some Collection<UInt8>, challenge: some Collection<UInt8>, signed: SignedContent = .challenge,
        key: AttestedKey, at time: UnixTime? = nil
    ) throws(PureAttestError) -> VerifiedAssertion {
        try verify(
            assertion: InputLimits.slice(assertion, upTo: InputLimits.assertion), challenge: ArraySlice(challenge),
            signed: signed, key: key, at: time)
    }

    /// Verifies that `key` signed these bytes. Omits Apple's step 6, so the caller must compare the challenge.
    ///
    /// Without that comparison, only the counter protects against replay. If the server issues challenges, call
    /// ``verifyAssertion(_:challenge:signed:key:at:)``.
    public func verifyAssertion(
        _ assertion: some Collection<UInt8>, clientDataCheckedByCaller clientData: some Collection<UInt8>,
        key: AttestedKey, at time: UnixTime? = nil
    ) throws(PureAttestError) -> VerifiedAssertion {
        try verifyAssertion(
            assertion, challenge: [], signed: .clientDataCheckedByCaller(clientData), key: key, at: time)
    }

    @usableFromInline
    func verify(
        assertion: ArraySlice<UInt8>, challenge: ArraySlice<UInt8>, signed: SignedContent, key: AttestedKey,
        at time: UnixTime?
    ) throws(PureAttestError) -> VerifiedAssertion {
        let clientData = signed.signedBytes(challenge: challenge, keyID: key.keyID)
        var runner = FirstFailure<VerificationReport.Check, PureAttestError>()
        let found = try takeSteps(
            of: assertion, clientData: clientData, challenge: challenge, signed: signed, key: key, at: time,
            by: &runner,
            isValid: key.isValidSignature)
        return VerifiedAssertion(found, clientData: clientData)
    }

    /// Runs the verification steps of an assertion, for verdicts and for reports. The numbers in the body are Apple's
    /// step numbers. `isValid` returns whether a signature over a digest is valid under the key.
    @inline(__always)
    func takeSteps<Runner: StepRunner<VerificationReport.Check, PureAttestError>>(
        of assertion: ArraySlice<UInt8>, clientData: ArraySlice<UInt8>, challenge: ArraySlice<UInt8>,
        signed: SignedContent, key: AttestedKey, at time: UnixTime?, by runner: inout Runner,
        isValid: (P256.Signing.ECDSASignature, SHA256Digest) -> Bool
    ) throws(Runner.Stop) -> AssertionEvidence {
        let object = try runner.run(.assertionObject, on: assertion, AssertionObject.init(decoding:))
        try runner.run(.storedKey) { () throws(PureAttestError) in try checkEnvironment(of: key) }
        let data = try runner.run(
            .authenticatorData, on: object?.authenticatorData, AuthenticatorData.init(assertion:))
        let clientDataHash = try runner.run(.hashedClientData) { () throws(PureAttestError) in  // 1
            try Self.hash(clientData, holding: challenge, in: signed)
        }
        let nonce = try runner.run(.nonce, on: data, clientDataHash) { $0.nonce(clientDataHash: $1) }  // 2
        try runner.run(.assertionSignature, on: object?.signature, nonce) {
            (signature, nonce) throws(PureAttestError) in  // 3
            try Self.checkSignature(signature, of: nonce, isValid: isValid)
        }
        let app = try runner.run(.appOfKey, on: data) { (data) throws(PureAttestError) in  // 4
            try checkAppID(of: data, isOf: key)
        }
        let advancedKey = try runner.run(.counter, on: data?.counter) { (counter) throws(PureAttestError) in  // 5
            try checkCounter(counter, of: key, app)
        }
        try runner.run(.systemPolicy, each: app?.all, on: key.system) {
            (app, system) throws(PureAttestError) in try app.systemPolicy.check(system, on: app.id.platform)
        }
        try runner.run(.keyAge, each: app?.all, on: key) {
            (app, key) throws(PureAttestError) in try app.agePolicy.checkKey(key, at: time)
        }
        try runner.run(.challenge, on: clientDataHash) { (_) throws(PureAttestError) in  // 6
            try Self.checkChallenge(challenge, in: signed)
        }
        let launched = app ?? AppDeclarations(ofOnlyAppIn: acceptedApps)
        try runner.takeLaunchSteps(on: data, of: launched, in: environment)  // 7, 8
        return AssertionEvidence(
            object: object, authenticatorData: data, nonce: nonce, app: app, launched: launched,
            advancedKey: advancedKey)
    }

    /// Step 1: "Compute clientDataHash as the SHA256 hash of clientData." Rejects an empty challenge first.
    static func hash(
        _ clientData: ArraySlice<UInt8>, holding challenge: ArraySlice<UInt8>, in signed: SignedContent
    ) throws(PureAttestError) -> SHA256Digest {
        guard !signed.isMissing(challenge) else { throw .emptyChallenge }
        return SHA256.hash(data: clientData)
    }

    /// Checks the environment of the key's attestation, because an assertion does not name its environment.
    func checkEnvironment(of key: AttestedKey) throws(PureAttestError) {
        guard key.environment == environment else { throw .keyOfOtherEnvironment(key.environment) }
    }

    /// Step 3: "Use the public key that you store from the attestation object to verify that the assertion's signature
    /// is valid for nonce." ECDSA with SHA-256 signs the nonce as its message, so this function hashes the nonce again.
    /// If it used the nonce itself as the digest, it would reject genuine assertions.
    @inline(__always)
    static func checkSignature(
        _ signature: ArraySlice<UInt8>, of nonce: SHA256Digest,
        isValid: (P256.Signing.ECDSASignature, SHA256Digest) -> Bool
    ) throws(PureAttestError) {
        let decoded: P256.Signing.ECDSASignature
        do { decoded = try P256.Signing.ECDSASignature(derRepresentation: signature) } catch {
            throw .malformedSignature(error)
        }
        let digest = SHA256.hash(bytes: nonce.bytes.span)
        guard isValid(decoded, digest) else { throw .invalidSignature }
    }

    /// Step 4: "Compute the SHA256 hash of the client's App ID, and verify that it matches the RP ID in the
    /// authenticator data." The client's app is the app that attested the key. It must be declared for the key's
    /// platform.
    func checkAppID(of data: AuthenticatorData, isOf key: AttestedKey) throws(PureAttestError) -> AppDeclarations {
        guard let app = try declarations(of: key) else { throw .keyOfUnknownApp }
        guard app.id.digest.elementsEqual(data.rpIDHash) else { throw .appIDMismatch }
        return app
    }

    /// Step 5: "Verify that the authenticator data's counter value is greater than the value from the previous
    /// assertion, or greater than 0 on the first assertion." Then checks the maximum counter increase of each
    /// declaration (rule A10).
    func checkCounter(
        _ counter: UInt32, of key: AttestedKey, _ app: AppDeclarations?
    ) throws(PureAttestError) -> AttestedKey {
        let advanced = try key.accepting(counter, policy: counterPolicy)
        if let app {
            for app in app.all { try app.agePolicy.checkCounter(counter, of: key) }
        }
        return advanced
    }

    /// Step 6: "Verify that the embedded challenge in the client data matches the earlier challenge to the client."
    static func checkChallenge(_ challenge: ArraySlice<UInt8>, in signed: SignedContent) throws(PureAttestError) {
        switch signed.fault(of: challenge) {
        case nil: break
        case .empty: throw .emptyChallenge
        case .notFound: throw .challengeNotFound
        case .different: throw .challengeMismatch
        }
    }

    /// Returns the declarations of the key's app for the key's platform. A record with an attestation time but no
    /// platform belongs to a device, because a Mac's leaf always names the platform. If a record has neither, every
    /// declaration of the app applies.
    func declarations(of key: AttestedKey) throws(PureAttestError) -> AppDeclarations? {
        let platform = key.system.platform?.appPlatform ?? (key.attestedAt == nil ? nil : .device)
        return try AppDeclarations(of: key.rpIDHash[...], among: acceptedApps, on: platform)
    }
}

/// The results of an assertion's steps. In a report, a property is `nil` if its step failed. A later step may have
/// rejected a property that is not `nil`.
struct AssertionEvidence {
    let object: AssertionObject?
    let authenticatorData: AuthenticatorData?
    let nonce: SHA256Digest?
    let app: AppDeclarations?
    /// ``app``, or the only declared app if ``app`` is `nil`.
    let launched: AppDeclarations?
    let advancedKey: AttestedKey?
}

extension VerifiedAssertion {
    init(_ found: AssertionEvidence, clientData: ArraySlice<UInt8>) {
        guard let counter = found.authenticatorData?.counter,
            let launchInformation = found.authenticatorData?.launchInformation, let advanced = found.advancedKey,
            let app = found.app?.id
        else { preconditionFailure("every step passed, and each of them found its part") }
        self.init(
            key: advanced, appID: app, counter: counter, launchInformation: launchInformation,
            unverifiedLaunchInformation: found.authenticatorData?.unverifiedLaunchInformation,
            unverifiedCodeDirectoryHash: found.object?.unverifiedCodeDirectoryHash, clientData: clientData)
    }
}
