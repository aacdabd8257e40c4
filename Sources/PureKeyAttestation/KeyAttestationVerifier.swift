import PureBytes
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
        let chain = try AttestationChain(try Self.slices(chain), roots: roots)
        try chain.checkValidity(at: time)
        try chain.checkRevocation(revocation)
        let description = try Self.description(of: chain.leaf)
        try Self.checkChallenge(description, is: ArraySlice(challenge))
        try Self.checkLevel(description, of: chain)
        let publicKey = try AndroidPublicKey(ofLeaf: chain.leaf, description)
        let information = try ProvisioningInformation(of: chain.attestation)
        try policy.checkSecurityLevel(description)
        try policy.checkBoot(description)
        try policy.checkKey(description)
        let app = try checkApp(description)
        try policy.checkSystem(description, at: time)
        try policy.checkProvisioning(chain.provisioning, information)
        return VerifiedKeyAttestation(
            key: AttestedAndroidKey(
                publicKey: publicKey, packageNameUTF8: app.packageNameUTF8,
                securityLevel: min(description.attestationSecurityLevel, description.keyMintSecurityLevel),
                provisioning: chain.provisioning, attestedAt: time),
            app: app, description: description, provisioningInformation: information)
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

extension KeyAttestationVerifier {
    static func slices(_ chain: [some Collection<UInt8>]) throws(KeyAttestationError) -> [ArraySlice<UInt8>] {
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
