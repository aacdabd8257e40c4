@_spi(Steps) import PureBytes
public import PureDER
import PureECDSA
import PureSHA2
package import PureX509

// Apple, "Validating apps that connect to your server", "Verify the attestation": one function per step, in order.

extension AppAttestVerifier {
    /// Verifies the attestation of a new key. The client must have passed the SHA-256 of `challenge` to `attestKey`.
    ///
    /// - Parameters:
    ///   - attestation: the object from `attestKey`, at most ``InputLimits/attestation`` bytes.
    ///   - keyID: the key identifier that the client sent, decoded from base64, 32 bytes.
    ///   - challenge: the bytes that the client hashed: the server's challenge, or client data that contain the
    ///     challenge. Take the challenge from the server's own store, not from the request, and consume it.
    ///   - time: the current time. For a stored attestation, pass the time at which the key was registered, because
    ///     leaf certificates expire after days to months.
    /// - Returns: the proof, which contains the key to store.
    /// - Throws: the error of the first step that failed.
    @inlinable
    public func verifyAttestation(
        _ attestation: some Collection<UInt8>, keyID: some Collection<UInt8>, challenge: some Collection<UInt8>,
        at time: UnixTime
    ) throws(PureAttestError) -> VerifiedAttestation {
        try verify(
            attestation: InputLimits.slice(attestation, upTo: InputLimits.attestation), keyID: ArraySlice(keyID),
            clientData: .challenge(ArraySlice(challenge)), at: time)
    }

    /// Verifies the attestation of a new key with the given client data hash.
    ///
    /// The other parameters have the same meaning as in ``verifyAttestation(_:keyID:challenge:at:)``. The hash may have
    /// any length except 0, because Apple's own samples pass the unhashed challenge.
    @inlinable
    public func verifyAttestation(
        _ attestation: some Collection<UInt8>, keyID: some Collection<UInt8>, clientDataHash: some Collection<UInt8>,
        at time: UnixTime
    ) throws(PureAttestError) -> VerifiedAttestation {
        try verify(
            attestation: InputLimits.slice(attestation, upTo: InputLimits.attestation), keyID: ArraySlice(keyID),
            clientData: .hash(ArraySlice(clientDataHash)), at: time)
    }

    @usableFromInline
    func verify(
        attestation: ArraySlice<UInt8>, keyID: ArraySlice<UInt8>, clientData: AttestedClientData, at time: UnixTime
    ) throws(PureAttestError) -> VerifiedAttestation {
        let received = ReceivedAttestation(object: attestation, keyID: keyID, clientData: clientData, time: time)
        var runner = FirstFailure<VerificationReport.Check, PureAttestError>()
        let found = try takeSteps(of: received, by: &runner)
        guard let receipt = found.object?.receipt, let launchInformation = found.authenticatorData?.launchInformation,
            let hash = found.clientDataHash, let key = found.key, let system = found.system, let app = found.app?.id
        else { preconditionFailure("every step passed, and each of them found its part") }
        let attested = AttestedKey(
            publicKey: key.publicKey, keyDigest: key.digest, environment: environment, rpIDHash: app.rpIDHash,
            counterState: CounterState(greatest: 0), attestedAt: time, system: system.information)
        return VerifiedAttestation(
            key: attested,
            appID: app,
            unverifiedReceipt: UnverifiedReceipt(
                unverifiedBytes: receipt,
                expected: ReceiptExpectation(
                    app: app, key: attested, clientDataHash: hash, chainVerifier: receiptChainVerifier,
                    authority: authority, clockSkew: clockSkew)),
            launchInformation: launchInformation,
            unverifiedLaunchInformation: found.authenticatorData?.unverifiedLaunchInformation,
            unverifiedCodeDirectoryHash: found.object?.unverifiedCodeDirectoryHash,
            osVersionUTF8: system.version)
    }

    /// Runs the verification steps of an attestation, for verdicts and for reports. The numbers in the body are Apple's
    /// step numbers. If the chain is rejected, reports run the remaining steps on the unverified leaf.
    @inline(__always)
    func takeSteps<Runner: StepRunner<VerificationReport.Check, PureAttestError>>(
        of received: ReceivedAttestation, by runner: inout Runner
    ) throws(Runner.Stop) -> AttestationEvidence {
        let (keyID, time) = (received.keyID, received.time)
        let object = try runner.run(.attestationObject, on: received.object, AttestationObject.init(decoding:))
        let data = try runner.run(
            .authenticatorData, on: object?.authenticatorData, AuthenticatorData.init(attestation:))
        let leaf =
            try runner.run(.certificateChain, on: object) { (object) throws(PureAttestError) in  // 1
                try verifyCertificateChain(object.certificates, at: time)
            }
            ?? object.flatMap { $0.unverifiedLeaf }
        let clientDataHash = try runner.run(.clientDataHash, received.clientData.hash)  // 2
        let nonce = try runner.run(.nonce, on: data, clientDataHash) { $0.nonce(clientDataHash: $1) }  // 3
        try runner.run(.certifiedNonce, on: nonce, leaf, Self.checkNonce)  // 4
        let key = try runner.run(.keyID, on: keyID, leaf, Self.checkKeyID)  // 5
        let system = try runner.run(.systemInformation, on: leaf, LeafExtensions.system)
        let app = try runner.run(.acceptedApp, on: data) { (data) throws(PureAttestError) in  // 6
            try checkAppID(of: data, on: system?.information.platform)
        }
        try runner.run(.systemPolicy, each: app?.all, on: system?.information) {
            (app, system) throws(PureAttestError) in try app.systemPolicy.check(system, on: app.id.platform)
        }
        try runner.run(.attestationAge, each: app?.all, on: leaf?.notBefore) {
            (app, notBefore) throws(PureAttestError) in
            try app.agePolicy.checkAttestation(leafNotBefore: notBefore, at: time, clockSkew: clockSkew)
        }
        try runner.run(.counterIsZero, on: data, Self.checkCounterIsZero)  // 7
        try runner.run(.environment, on: data) { (data) throws(PureAttestError) in  // 8
            try checkEnvironment(of: data)
        }
        try runner.run(.credential, on: data, key?.publicKey) { (data, publicKey) throws(PureAttestError) in  // 9
            try Self.checkCredential(of: data, keyID: keyID, publicKey: publicKey)
        }
        try runner.run(.accessControlList, on: leaf, app) { (leaf, app) throws(PureAttestError) in  // macOS
            try checkAccessControlList(of: leaf, app: app.id)
        }
        let launched = app ?? AppDeclarations(ofOnlyAppIn: acceptedApps)
        try runner.takeLaunchSteps(on: data, of: launched, in: environment)  // 10, 11
        return AttestationEvidence(
            object: object, authenticatorData: data, leaf: leaf, clientDataHash: clientDataHash, nonce: nonce, key: key,
            system: system, app: app, launched: launched)
    }
}

struct ReceivedAttestation {
    let object: ArraySlice<UInt8>
    let keyID: ArraySlice<UInt8>
    let clientData: AttestedClientData
    let time: UnixTime
}

/// The results of an attestation's steps. In a report, properties have the same meaning as in ``AssertionEvidence``.
struct AttestationEvidence {
    let object: AttestationObject?
    let authenticatorData: AuthenticatorData?
    let leaf: Certificate?
    let clientDataHash: ArraySlice<UInt8>?
    let nonce: SHA256Digest?
    let key: LeafKey?
    let system: LeafSystem?
    let app: AppDeclarations?
    /// ``app``, or the only declared app if ``app`` is `nil`.
    let launched: AppDeclarations?
}

struct LeafKey {
    let publicKey: P256.Signing.PublicKey
    /// The key identifier.
    let digest: SHA256Digest
}

/// The data that an attestation binds: bytes to hash, or a hash.
@usableFromInline
enum AttestedClientData {
    case challenge(ArraySlice<UInt8>)
    case hash(ArraySlice<UInt8>)

    /// Step 2: "Create clientDataHash as the SHA256 hash of the one-time challenge".
    func hash() throws(PureAttestError) -> ArraySlice<UInt8> {
        switch self {
        case .challenge(let challenge):
            guard !challenge.isEmpty else { throw .emptyChallenge }
            return ArraySlice(SHA256.hash(data: challenge))
        case .hash(let hash):
            guard !hash.isEmpty else { throw .emptyClientDataHash }
            return hash
        }
    }
}

extension AppAttestVerifier {
    /// Step 1: "Verify that the x5c array contains the intermediate and leaf certificates for App Attest, starting from
    /// the credential certificate in the first data buffer in the array. Verify the validity of the certificates using
    /// Apple's App Attest root certificate."
    package func verifyCertificateChain(
        _ certificates: [ArraySlice<UInt8>], at time: UnixTime
    ) throws(PureAttestError) -> Certificate {
        guard certificates.count == 2 else { throw .wrongCertificateCount(certificates.count) }
        do {
            let leaf = try Certificate(derEncoded: certificates[0])
            let intermediate: Certificate
            if let prepared = chainVerifier.preparedCertificate(certificates[1]) {
                intermediate = prepared
            } else {
                intermediate = try Certificate(derEncoded: certificates[1])
            }
            try chainVerifier.verify(
                leaf, issuedBy: intermediate, at: evaluationTime(for: leaf, intermediate, at: time))
            return leaf
        } catch { throw .certificate(error.checked(at: time)) }
    }

    /// Returns the moment nearest to `time` at which both certificates are valid, if this moment is within the clock
    /// skew. Otherwise, returns the moment within the skew that is nearest to the period in which both are valid. If
    /// there is no such period, the leaf's validity period replaces it. The trust anchor has no validity period (RFC
    /// 5280 §6.1.1 d). If a certificate is not valid at the returned moment, verification at this moment fails. The
    /// error then names a certificate that is expired or not yet valid at that moment.
    func evaluationTime(for leaf: Certificate, _ intermediate: Certificate, at time: UnixTime) -> UnixTime {
        var first = max(leaf.notBefore, intermediate.notBefore)
        var last = min(leaf.notAfter, intermediate.notAfter)
        // If the leaf's own period ends before it begins, the error states that the leaf has expired.
        if last < first { (first, last) = (leaf.notBefore, max(leaf.notBefore, leaf.notAfter)) }
        if time < first { return min(first, time.adding(Int64(clockSkew))) }
        if last < time { return max(last, time.adding(-Int64(clockSkew))) }
        return time
    }

    /// Step 4: "Obtain the value of the credCert extension with OID 1.2.840.113635.100.8.2, which is a DER-encoded
    /// ASN.1 sequence. Decode the sequence and extract the single octet string that it contains. Verify that the string
    /// equals nonce."
    static func checkNonce(_ nonce: SHA256Digest, in leaf: Certificate) throws(PureAttestError) {
        guard let value = leaf.extension(.nonce)?.value else { throw .nonceExtensionMissing }
        let certified: ArraySlice<UInt8>
        do { certified = try LeafExtensions.octets(in: value, tag: 1) } catch { throw .malformedNonceExtension(error) }
        guard nonce.elementsEqual(certified) else { throw .nonceMismatch }
    }

    /// Step 5: "Create the SHA256 hash of the public key in credCert with X9.62 uncompressed point format, and verify
    /// that it matches the key identifier from your app."
    static func checkKeyID(
        _ keyID: ArraySlice<UInt8>, isOf leaf: Certificate
    ) throws(PureAttestError) -> LeafKey {
        guard case .p256(let publicKey) = leaf.publicKey else { throw .unsupportedLeafKey }
        let digest = AttestedKey.digest(of: publicKey)
        guard digest.elementsEqual(keyID) else { throw .keyIDMismatch }
        return LeafKey(publicKey: publicKey, digest: digest)
    }

    /// Step 6: "Compute the SHA256 hash of your app's App ID, and verify that it's the same as the authenticator data's
    /// RP ID hash."
    ///
    /// The app must be declared for the leaf's platform. Leaves before iOS 18 name no platform, but Macs could not
    /// attest then. Therefore, if an app is declared for both platforms, a leaf without a platform counts as a device's
    /// leaf.
    func checkAppID(
        of data: AuthenticatorData, on platform: SystemPlatform?
    ) throws(PureAttestError) -> AppDeclarations {
        let app = try AppDeclarations(of: data.rpIDHash, among: acceptedApps, on: platform?.appPlatform)
        guard let app else { throw .appIDMismatch }
        return platform == nil ? app.preferringDevices : app
    }

    /// Step 7: "Verify that the authenticator data's counter field equals 0."
    static func checkCounterIsZero(_ data: AuthenticatorData) throws(PureAttestError) {
        guard data.counter == 0 else { throw .counterNotZero(data.counter) }
    }

    /// Step 8: "Verify that the authenticator data's aaguid field is either appattestdevelop if operating in the
    /// development environment, or appattest followed by seven 0x00 bytes if operating in the production environment."
    func checkEnvironment(of data: AuthenticatorData) throws(PureAttestError) {
        guard let aaguid = data.credential?.aaguid, let found = Environment(aaguid: aaguid) else {
            throw .unknownEnvironment
        }
        guard found == environment else { throw .environmentMismatch(found) }
    }

    /// Step 9: "Verify that the authenticator data's credentialId field is the same as the key identifier." Then checks
    /// that the COSE key equals the leaf's key, because other programs may read the COSE key. Apple's steps do not read
    /// it.
    static func checkCredential(
        of data: AuthenticatorData, keyID: ArraySlice<UInt8>, publicKey: P256.Signing.PublicKey
    ) throws(PureAttestError) {
        guard let credential = data.credential, areEqual(credential.id, keyID) else { throw .credentialIDMismatch }
        let coordinates = publicKey.rawRepresentation
        guard areEqual(coordinates.prefix(32), credential.x), areEqual(coordinates.dropFirst(32), credential.y) else {
            throw .credentialKeyMismatch
        }
    }

    /// Checks the leaf's access control list, which shows whether a Mac started with Full Security and System Integrity
    /// Protection. The list is not checked for other platforms, because current iPhones send a different list.
    func checkAccessControlList(of leaf: Certificate, app: AppID) throws(PureAttestError) {
        guard app.platform == .macOS else { return }
        guard let value = leaf.extension(.accessControlList)?.value,
            let list = try? LeafExtensions.octets(in: value, tag: 3)
        else { throw .accessControlListMissing }
        guard list == macOSAccessControlList[...] else { throw .accessControlListMismatch }
    }
}
