@_spi(Steps) import PureBytes
public import PureDER
import PureECDSA
import PureRSA
@_exported public import PureSignedContent
import PureX509

/// Verifies what Android's devices send: attestations of new keys, and what those keys sign.
///
/// A value without hidden state: share it between tasks. It trusts the keys of Google's two roots for attestations by hardware, which are
/// part of this library, and nothing else. It keeps no challenges and no keys, and fetches no revocation list; the server does.
public struct KeyAttestationVerifier: Sendable {
    /// The most bytes of all certificates of a chain, 65,536: eight times the longest genuine one.
    public static var maximumChainSize: Int { 65_536 }

    /// The accepted apps; without any, every key is refused.
    public let apps: [AndroidApp]
    /// Which devices, systems and keys.
    public let policy: KeyAttestationPolicy
    let roots: [ChainRoot]

    /// A verifier that trusts Google.
    public init(apps: [AndroidApp], policy: KeyAttestationPolicy = .standard) {
        self.init(apps: apps, policy: policy, roots: GoogleRoots.hardware)
    }

    /// A verifier that trusts these roots in place of Google's. Not public: no server does by mistake.
    package init(apps: [AndroidApp], policy: KeyAttestationPolicy, roots: [ChainRoot]) {
        (self.apps, self.policy, self.roots) = (apps, policy, roots)
    }

    /// Verifies the attestation of a new key.
    ///
    /// - Parameters:
    ///   - chain: the certificates of `KeyStore.getCertificateChain()`, or of WebAuthn's `x5c`, which may lack the root's; DER, leaf first.
    ///   - challenge: what the app gave to `setAttestationChallenge`. It must come from the server's own store and not from the request,
    ///     and be used once.
    ///   - time: now, or the time at which the key was registered: certificates of remotely provisioned keys live for weeks.
    ///   - revocation: Google's list.
    /// - Returns: the proof, with the key to store.
    /// - Throws: the first check that failed.
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

    /// The steps of an attestation, for verdicts and reports. What a refused chain holds is not looked at.
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

    /// Verifies a signature of an attested key: ECDSA or RSASSA-PKCS1-v1_5, each with SHA-256.
    ///
    /// There is no counter, so that a signature can be sent again: the challenge has to be one that the server issued for this request
    /// and takes once.
    ///
    /// - Parameters:
    ///   - signature: over the signed bytes.
    ///   - challenge: the challenge that the server issued.
    ///   - signed: which bytes were signed. By default they are the challenge.
    ///   - key: the stored key.
    /// - Throws: ``KeyAttestationError/invalidKeySignature``, or what is wrong with the challenge or the key.
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
        // Rule K17. Only of bytes that the key signed: the closure reads nothing that others made.
        switch signed.fault(of: challenge) {
        case nil: break
        case .empty: throw .emptyChallenge
        case .notFound: throw .challengeNotFound
        case .different: throw .signedChallengeMismatch
        }
        return VerifiedKeySignature(key: key, clientData: clientData)
    }
}

/// A chain as it arrived, and what it is verified against.
struct ReceivedChain {
    /// The encoded certificates; a failure if there are too many, or too many bytes.
    let certificates: Result<[ArraySlice<UInt8>], KeyAttestationError>
    let challenge: ArraySlice<UInt8>
    let time: UnixTime
    let revocation: RevocationStatusList
}

/// What the steps found. In a report, a part is `nil` if its step failed, and parts can be refused by later steps.
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
        do throws(KeyAttestationError) { certificates = .success(try slices(chain)) } catch {
            certificates = .failure(error)
        }
        return ReceivedChain(
            certificates: certificates, challenge: ArraySlice(challenge), time: time, revocation: revocation)
    }

    private static func slices(_ chain: [some Collection<UInt8>]) throws(KeyAttestationError) -> [ArraySlice<UInt8>] {
        var slices: [ArraySlice<UInt8>] = []
        var size = 0
        // Before the copy that another collection than an array needs; and by the count alone where there are too many.
        guard chain.count <= 5 else { throw .wrongCertificateCount(chain.count) }
        for certificate in chain {
            guard certificate.count <= maximumChainSize - size else { throw .inputTooLarge }
            size += certificate.count
            slices.append(ArraySlice(certificate))
        }
        return slices
    }

    /// The extension of the leaf.
    static func description(of leaf: LeafCertificate) throws(KeyAttestationError) -> KeyDescription {
        guard let value = leaf.keyDescription else { throw .descriptionMissing }
        return try KeyDescription(decoding: value)
    }

    /// Rule K8.
    static func checkChallenge(
        _ description: KeyDescription, is challenge: ArraySlice<UInt8>
    ) throws(KeyAttestationError) {
        guard !challenge.isEmpty else { throw .emptyChallenge }
        guard constantTimeEquals(description.attestationChallenge, challenge) else { throw .challengeMismatch }
    }

    /// Rule K9: the hardware that a certificate was made for says no more than what it is: a trusted environment's key can't speak for a
    /// StrongBox. Older factories' certificates for a trusted environment say nothing; those for a StrongBox always do.
    static func checkLevel(_ description: KeyDescription, of chain: AttestationChain) throws(KeyAttestationError) {
        let claimed = description.attestationSecurityLevel
        guard chain.attestedLevel.map({ $0 == claimed }) ?? (claimed != .strongBox || chain.namesStrongBox) else {
            throw .securityLevelMismatch
        }
    }

    /// Rule K14: `attestationApplicationId` of the system's list, and there alone.
    ///
    /// Apps that share a user ID share its keys, so that each of them has to be an accepted one.
    func checkApp(_ description: KeyDescription) throws(KeyAttestationError) -> AndroidApp {
        guard description.hardwareEnforced.attestationApplicationID == nil,
            let found = description.softwareEnforced.attestationApplicationID
        else { throw .applicationMissing }
        var first: AndroidApp?
        for package in found.packages {
            guard 1...AttestedAndroidKey.maximumPackageNameSize ~= package.name.count,
                apps.contains(where: { $0.isPackage(package) })
            else { throw .packageNotAllowed }
            // One name may be declared several times, as for builds that are signed with different keys.
            guard let app = apps.first(where: { $0.isPackage(package) && $0.isSigned(with: found.signatureDigests) })
            else { throw .signingDigestMismatch }
            if first == nil { first = app }
        }
        guard let first else { throw .applicationMissing }
        return first
    }
}
