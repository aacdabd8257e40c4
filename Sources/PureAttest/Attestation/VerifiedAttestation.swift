/// The proof that an attestation passed every step. Only a successful verification creates such a proof.
public struct VerifiedAttestation: Sendable {
    /// The attested key with its app, its environment and counter 0. Store it.
    public let key: AttestedKey
    /// The app that attested the key: one of the verifier's accepted apps.
    public let appID: AppID
    /// The receipt, which the steps of the attestation do not verify.
    public let unverifiedReceipt: UnverifiedReceipt
    /// The system's information about the running app, which the launch policy has accepted. All values are `nil`
    /// before iOS 27, or if the object does not prove that the system wrote them.
    public let launchInformation: LaunchInformation
    /// Launch information that the app may have written, because the object does not prove that the system wrote it
    /// (see ``AuthenticatorData``). The value is `nil` if the object contains no such information. Nearly all released
    /// systems send none, but some betas do. Policies use this information only under
    /// ``LaunchPolicy/believingForgeableInformation()``.
    public let unverifiedLaunchInformation: LaunchInformation?
    /// The build hash in the unsigned member `cdHash` of iOS 18.5 to 26. The app may have written it. No policy reads
    /// it.
    public let unverifiedCodeDirectoryHash: CodeDirectoryHash?
    /// The UTF-8 bytes of the system version in the leaf certificate, such as "17.5.1". `nil` if the version is missing
    /// or unreadable. No step reads these bytes. Policies use ``system`` instead.
    public let osVersionUTF8: [UInt8]?

    /// The system information in the leaf certificate. Values that the certificate does not contain are `nil`.
    public var system: SystemInformation { key.system }
}

/// The proof that an assertion passed every step. Only a successful verification creates such a proof.
public struct VerifiedAssertion: Sendable {
    /// The key, whose counter has advanced. Store this key in place of the old key.
    public let key: AttestedKey
    /// The app that signed the assertion: one of the verifier's accepted apps.
    public let appID: AppID
    /// The counter of this assertion. Under ``CounterPolicy/slidingWindow``, it may be less than the counter of
    /// ``key``.
    public let counter: UInt32
    /// The system's information about the running app, which the launch policy has accepted: see
    /// ``VerifiedAttestation/launchInformation``.
    public let launchInformation: LaunchInformation
    /// Launch information that the app may have written: see ``VerifiedAttestation/unverifiedLaunchInformation``.
    public let unverifiedLaunchInformation: LaunchInformation?
    /// A build hash that the app may have written: see ``VerifiedAttestation/unverifiedCodeDirectoryHash``.
    public let unverifiedCodeDirectoryHash: CodeDirectoryHash?
    /// The signed bytes. Read the request from these bytes, not from a separate copy.
    public let clientData: ArraySlice<UInt8>
}

#if !hasFeature(Embedded)
    extension VerifiedAttestation {
        /// The system's version, such as "17.5.1", from the leaf certificate.
        public var osVersion: String? { osVersionUTF8.map { String(decoding: $0, as: UTF8.self) } }
    }
#endif
