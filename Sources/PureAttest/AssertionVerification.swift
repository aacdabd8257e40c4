public import PureDER
import PureECDSA
import PureSHA2
public import PureSignedContent

// Apple, "Validating apps that connect to your server", "Verify the assertion": one function a step, in Apple's order.

extension AppAttestVerifier {
    /// Verifies that `key` signed the challenge, after everything that it signed before: see
    /// ``AssertionVerifier/verifyAssertion(_:challenge:signed:key:at:)``.
    @inlinable
    public func verifyAssertion(
        _ assertion: some Collection<UInt8>, challenge: some Collection<UInt8>, signed: SignedContent = .challenge,
        key: AttestedKey, at time: UnixTime? = nil
    ) throws(PureAttestError) -> VerifiedAssertion {
        try assertionVerifier.verifyAssertion(assertion, challenge: challenge, signed: signed, key: key, at: time)
    }
}

extension AssertionVerifier {
    /// Verifies that `key` signed the challenge, after everything that it signed before.
    ///
    /// - Parameters:
    ///   - assertion: the object from `generateAssertion`, at most ``InputLimits/assertion`` bytes.
    ///   - challenge: the challenge that the server issued.
    ///   - signed: the bytes whose SHA-256 the client passed to `generateAssertion`. By default they are the challenge.
    ///   - key: the stored key.
    ///   - time: now. Only ``AgePolicy/maximumKeyAge`` asks for it, and refuses everything without.
    /// - Returns: the proof, with the advanced key to store in place of the old one.
    /// - Throws: the first step that failed.
    @inlinable
    public func verifyAssertion(
        _ assertion: some Collection<UInt8>, challenge: some Collection<UInt8>, signed: SignedContent = .challenge,
        key: AttestedKey, at time: UnixTime? = nil
    ) throws(PureAttestError) -> VerifiedAssertion {
        // Before the copy that another collection than an array needs.
        guard assertion.count <= InputLimits.assertion else { throw .inputTooLarge }
        return try verify(
            assertion: ArraySlice(assertion), challenge: ArraySlice(challenge), signed: signed, key: key, at: time)
    }

    /// Verifies that `key` signed these bytes, without Apple's step 6: the caller must compare the challenge in them.
    ///
    /// Without that comparison only the counter rejects a recorded request. Call
    /// ``verifyAssertion(_:challenge:signed:key:at:)`` wherever the server issues challenges.
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
        guard !signed.isMissing(challenge) else { throw .emptyChallenge }
        let clientData = signed.signedBytes(challenge: challenge, keyID: key.keyID)
        try checkEnvironment(of: key)
        let object = try AssertionObject(decoding: assertion)
        let authenticatorData = try AuthenticatorData(assertion: object.authenticatorData)
        let clientDataHash = SHA256.hash(data: clientData)  // 1
        let nonce = authenticatorData.nonce(clientDataHash: clientDataHash)  // 2
        try Self.checkSignature(object.signature, of: nonce, by: key)  // 3
        let app = try checkAppID(of: authenticatorData, isOf: key)  // 4
        let advanced = try key.accepting(authenticatorData.counter, policy: counterPolicy)  // 5
        try app.checkKey(key, counter: authenticatorData.counter, at: time)
        try Self.checkChallenge(challenge, in: signed)  // 6
        try app.checkLaunch(authenticatorData, in: environment)  // 7, 8
        return VerifiedAssertion(
            key: advanced, appID: app.id, counter: authenticatorData.counter,
            launchInformation: authenticatorData.launchInformation,
            unverifiedLaunchInformation: authenticatorData.unverifiedLaunchInformation,
            unverifiedCodeDirectoryHash: object.unverifiedCodeDirectoryHash, clientData: clientData)
    }

    /// Assertions name no environment: the key's is the one it was attested in.
    func checkEnvironment(of key: AttestedKey) throws(PureAttestError) {
        guard key.environment == environment else { throw .keyOfOtherEnvironment(key.environment) }
    }

    /// Step 3: "Use the public key that you store from the attestation object to verify that the assertion's signature is
    /// valid for nonce."
    ///
    /// The nonce is the signed data: ECDSA with SHA-256 hashes it once more. Every genuine assertion refuses the reading
    /// in which the nonce is the digest.
    static func checkSignature(
        _ signature: ArraySlice<UInt8>, of nonce: SHA256Digest, by key: AttestedKey
    ) throws(PureAttestError) {
        let decoded: P256.Signing.ECDSASignature
        do { decoded = try P256.Signing.ECDSASignature(derRepresentation: signature) } catch {
            throw .malformedSignature(error)
        }
        // Passing `nonce` itself would choose the overload for digests.
        let digest = SHA256.hash(data: nonce)
        guard key.isValidSignature(decoded, for: digest) else { throw .invalidSignature }
    }

    /// Step 4: "Compute the SHA256 hash of the client's App ID, and verify that it matches the RP ID in the authenticator
    /// data." The client's app is the one that its key was attested for, and the verifier has it, on the key's platform.
    func checkAppID(of data: AuthenticatorData, isOf key: AttestedKey) throws(PureAttestError) -> AppDeclarations {
        guard let app = try declarations(of: key) else { throw .keyOfUnknownApp }
        guard app.id.digest.elementsEqual(data.rpIDHash) else { throw .appIDMismatch }
        return app
    }

    /// What was declared of a key's app on its platform. A record that knows when the key was attested and names no platform is a
    /// device's, as its attestation was judged; of one that knows neither, every declaration counts.
    func declarations(of key: AttestedKey) throws(PureAttestError) -> AppDeclarations? {
        let platform = key.system.platform?.appPlatform ?? (key.attestedAt == nil ? nil : .device)
        return try AppDeclarations(of: key.appDigest[...], among: acceptedApps, on: platform)
    }
}
