@_spi(Steps) import PureBytes
public import PureDER
import PureECDSA
import PureRSA
@_exported public import PureSignedContent
import PureX509

/// Verifies attestations of Android keys, and signatures made with attested keys.
///
/// The verifier has no mutable state, so several tasks can share it. It trusts only the embedded keys of Google's two
/// hardware attestation roots. The server must store challenges and keys, and must fetch the revocation list.
public struct KeyAttestationVerifier: Sendable {
    /// The maximum total length of a chain's certificates: 65,536 bytes, eight times the longest genuine chain.
    public static var maximumChainSize: Int { 65_536 }

    /// The accepted apps. If the list is empty, every key is rejected.
    public let apps: [AndroidApp]
    /// The rules that devices, systems and keys must meet.
    public let policy: KeyAttestationPolicy
    let roots: [ChainRoot]

    /// Creates a verifier that trusts Google's roots.
    public init(apps: [AndroidApp], policy: KeyAttestationPolicy = .standard) {
        self.init(apps: apps, policy: policy, roots: GoogleRoots.hardware)
    }

    /// Creates a verifier with different roots. Has package access, so no server can trust other roots by mistake.
    package init(apps: [AndroidApp], policy: KeyAttestationPolicy, roots: [ChainRoot]) {
        (self.apps, self.policy, self.roots) = (apps, policy, roots)
    }

    /// Verifies the attestation of a new key.
    ///
    /// - Parameters:
    ///   - chain: the DER certificates, leaf first. They come from `KeyStore.getCertificateChain()`, or from WebAuthn's
    ///     `x5c`, which may omit the root.
    ///   - challenge: the challenge that the server issued, which the app passed to `setAttestationChallenge`. Load the
    ///     challenge from the server's own store, never from the request, and consume it once.
    ///   - time: the current time. To verify a stored chain again, pass the time of registration, because certificates
    ///     of remotely provisioned keys expire after weeks.
    ///   - revocation: Google's revocation list.
    /// - Returns: the verified attestation, with the key to store.
    /// - Throws: the error of the first failed check.
    public func verify(
        chain: [some Collection<UInt8>], challenge: some Collection<UInt8>, at time: UnixTime,
        revocation: RevocationStatusList
    ) throws(KeyAttestationError) -> VerifiedKeyAttestation {
        try verify(Self.received(chain, challenge: challenge, time: time, revocation: revocation))
    }

    private func verify(_ received: ReceivedChain) throws(KeyAttestationError) -> VerifiedKeyAttestation {
        var runner = FirstFailure<KeyAttestationReport.Step, KeyAttestationError>()
        let found = try takeSteps(of: received, by: &runner)
        guard let chain = found.chain, let description = found.description, let publicKey = found.publicKey,
            let app = found.app
        else { preconditionFailure("every step passed, and each of them found its part") }
        return VerifiedKeyAttestation(
            key: AttestedAndroidKey(
                publicKey: publicKey, packageNameUTF8: app.packageNameUTF8,
                securityLevel: min(description.attestationSecurityLevel, description.keyMintSecurityLevel),
                provisioning: chain.provisioning, attestedAt: received.time),
            app: app, description: description, provisioningInformation: found.provisioningInformation)
    }

    /// Runs the steps, both for `verify` and for reports. Steps that depend on a rejected chain do not run.
    func takeSteps<Runner: StepRunner<KeyAttestationReport.Step, KeyAttestationError>>(
        of received: ReceivedChain, by runner: inout Runner
    ) throws(Runner.Stop) -> KeyAttestationEvidence {
        let time = received.time
        let chain = try runner.run(.chain) { () throws(KeyAttestationError) in
            try AttestationChain(received.certificates.get(), roots: roots)
        }
        try runner.run(.validity, on: chain) { (chain) throws(KeyAttestationError) in try chain.checkValidity(at: time)
        }
        try runner.run(.revocation, on: chain) { (chain) throws(KeyAttestationError) in
            try chain.checkRevocation(received.revocation)
        }
        let description = try runner.run(.description, on: chain?.leaf, Self.description)
        try runner.run(.challenge, on: description, received.challenge, Self.checkChallenge)
        try runner.run(.attestedLevel, on: description, chain, Self.checkLevel)
        let publicKey = try runner.run(.leafKey, on: chain?.leaf, description, AndroidPublicKey.init(ofLeaf:_:))
        let information = try runner.run(
            .provisioningInformation, on: chain?.attestation, ProvisioningInformation.init(of:))
        try runner.run(.securityLevel, on: description, policy.checkSecurityLevel)
        try runner.run(.boot, on: description, policy.checkBoot)
        try runner.run(.key, on: description, policy.checkKey)
        let app = try runner.run(.app, on: description, checkApp)
        try runner.run(.system, on: description, time, policy.checkSystem)
        try runner.run(.provisioning, on: chain?.provisioning) { (provisioning) throws(KeyAttestationError) in
            try policy.checkProvisioning(provisioning, information ?? nil)
        }
        return KeyAttestationEvidence(
            chain: chain, description: description, publicKey: publicKey, provisioningInformation: information ?? nil,
            app: app)
    }

    /// Verifies a signature made with an attested key: ECDSA or RSASSA-PKCS1-v1_5, each with SHA-256.
    ///
    /// Signatures contain no counter, so they can be replayed. Issue a challenge for each request, and consume it once.
    ///
    /// - Parameters:
    ///   - signature: the signature over the signed bytes.
    ///   - challenge: the challenge that the server issued.
    ///   - signed: the signed bytes; by default the challenge.
    ///   - key: the stored key.
    /// - Throws: ``KeyAttestationError/invalidKeySignature``, or an error about the challenge or the key.
    public func verifySignature(
        _ signature: some Collection<UInt8>, challenge: some Collection<UInt8>, signed: SignedContent = .challenge,
        key: AttestedAndroidKey
    ) throws(KeyAttestationError) -> VerifiedKeySignature {
        let challenge = ArraySlice(challenge)
        guard !signed.isMissing(challenge) else { throw .emptyChallenge }
        guard apps.contains(where: { $0.packageNameUTF8 == key.packageNameUTF8 }) else { throw .keyOfUnknownApp }
        guard key.securityLevel >= policy.minimumSecurityLevel else {
            throw .securityLevelNotAllowed(key.securityLevel)
        }
        guard !policy.requiresRemoteProvisioning || key.provisioning == .remote else {
            throw .remoteProvisioningRequired
        }
        let clientData = signed.signedBytes(challenge: challenge, keyID: key.keyID)
        guard key.publicKey.isValidSignature(signature, for: clientData) else { throw .invalidKeySignature }
        // Rule K17 is checked after the signature, so the caller's closure reads only bytes that the key signed.
        switch signed.fault(of: challenge) {
        case nil: break
        case .empty: throw .emptyChallenge
        case .notFound: throw .challengeNotFound
        case .different: throw .signedChallengeMismatch
        }
        return VerifiedKeySignature(key: key, clientData: clientData)
    }
}

struct ReceivedChain {
    /// The encoded certificates, or a failure if there are too many certificates or bytes.
    let certificates: Result<[ArraySlice<UInt8>], KeyAttestationError>
    let challenge: ArraySlice<UInt8>
    let time: UnixTime
    let revocation: RevocationStatusList
}

/// The results of the steps. In a report, a failed step has no result. A later step may have rejected a result that is
/// present.
struct KeyAttestationEvidence {
    let chain: AttestationChain?
    let description: KeyDescription?
    let publicKey: AndroidPublicKey?
    let provisioningInformation: ProvisioningInformation?
    let app: AndroidApp?
}

extension KeyAttestationVerifier {
    static func received(
        _ chain: [some Collection<UInt8>], challenge: some Collection<UInt8>, time: UnixTime,
        revocation: RevocationStatusList
    ) -> ReceivedChain {
        let certificates: Result<[ArraySlice<UInt8>], KeyAttestationError>
        do throws(KeyAttestationError) {
            // Checks the size first, because the conversion below copies collections that are not arrays.
            try checkSize(of: chain)
            certificates = .success(chain.map { ArraySlice($0) })
        } catch {
            certificates = .failure(error)
        }
        return ReceivedChain(
            certificates: certificates, challenge: ArraySlice(challenge), time: time, revocation: revocation)
    }

    /// Rejects a chain with more certificates or bytes than any genuine chain.
    package static func checkSize(of chain: [some Collection<UInt8>]) throws(KeyAttestationError) {
        // The longest chain has a leaf, three issuers and the root.
        guard chain.count <= 5 else { throw .wrongCertificateCount(chain.count) }
        var size = 0
        for certificate in chain {
            guard certificate.count <= maximumChainSize - size else { throw .inputTooLarge }
            size += certificate.count
        }
    }

    static func description(of leaf: LeafCertificate) throws(KeyAttestationError) -> KeyDescription {
        guard let value = leaf.keyDescription else { throw .descriptionMissing }
        return try KeyDescription(decoding: value)
    }

    /// Rule K8: compares the challenge.
    static func checkChallenge(
        _ description: KeyDescription, is challenge: ArraySlice<UInt8>
    ) throws(KeyAttestationError) {
        guard !challenge.isEmpty else { throw .emptyChallenge }
        guard constantTimeEquals(description.attestationChallenge, challenge) else { throw .challengeMismatch }
    }

    /// Rule K9: checks that the attestation claims the same level as the attestation certificate. So an attestation key
    /// in a trusted environment cannot attest keys as if they were in a StrongBox. Older factory certificates do not
    /// state the level of a trusted environment. If such certificates certify StrongBox keys, the subject of the
    /// attestation certificate or of its issuer contains "StrongBox".
    static func checkLevel(_ description: KeyDescription, of chain: AttestationChain) throws(KeyAttestationError) {
        let claimed = description.attestationSecurityLevel
        guard chain.attestedLevel.map({ $0 == claimed }) ?? (claimed != .strongBox || chain.namesStrongBox) else {
            throw .securityLevelMismatch
        }
    }

    /// Rule K14: checks `attestationApplicationId`, which only the software-enforced list may contain. Apps with the
    /// same user ID share their keys, so every app that the attestation names must be accepted.
    func checkApp(_ description: KeyDescription) throws(KeyAttestationError) -> AndroidApp {
        guard description.hardwareEnforced.attestationApplicationID == nil,
            let found = description.softwareEnforced.attestationApplicationID
        else { throw .applicationMissing }
        var first: AndroidApp?
        for package in found.packages {
            guard 1...AttestedAndroidKey.maximumPackageNameSize ~= package.name.count,
                apps.contains(where: { $0.isPackage(package) })
            else { throw .packageNotAllowed }
            // Builds with the same package name may be signed with different keys. Each set of keys has its own
            // declaration.
            guard let app = apps.first(where: { $0.isPackage(package) && $0.isSigned(with: found.signatureDigests) })
            else { throw .signingDigestMismatch }
            if first == nil { first = app }
        }
        guard let first else { throw .applicationMissing }
        return first
    }
}
