/// The proof that an attestation passed every step. Only verification creates such a value.
public struct VerifiedAttestation: Sendable {
    /// The attested key with its app, its environment and counter 0. Store it.
    public let key: AttestedKey
    /// The app that attested the key: one of the verifier's accepted apps.
    public let appID: AppID
    /// The receipt. No step of the attestation verifies it.
    public let unverifiedReceipt: UnverifiedReceipt
    /// The system's information about the running app, which has passed the launch policy.
    public let launchInformation: LaunchInformation
    /// Launch information that the app may have written, because the object does not prove that the system wrote it
    /// (``AuthenticatorData``). `nil` if absent, as on nearly every release. Policies use this information only under
    /// ``LaunchPolicy/believingForgeableInformation()``.
    public let unverifiedLaunchInformation: LaunchInformation?
    /// The build in an unsigned part of the object, on iOS 18.5 to 26; the app may have written it. No policy reads it.
    public let unverifiedCodeDirectoryHash: CodeDirectoryHash?
    /// The UTF-8 bytes of the system version in the leaf certificate, such as "17.5.1". `nil` if the version is missing
    /// or unreadable. No step reads these bytes; policies use ``system``.
    public let osVersionUTF8: [UInt8]?

    /// The system information in the leaf certificate. Parts that the certificate does not state are absent.
    public var system: SystemInformation { key.system }

    /// How the app was allowed to run. `nil` before iOS 27, or if the object does not prove that the system wrote it.
    public var validationCategory: ValidationCategory? { launchInformation.validationCategory }
    /// The app's bundle version. `nil` before iOS 27, or if the object does not prove that the system wrote it.
    public var bundleVersion: BundleVersion? { launchInformation.bundleVersion }
    /// The build that ran. `nil` in the same cases as ``bundleVersion``, or if the app does not request this value.
    public var codeDirectoryHash: CodeDirectoryHash? { launchInformation.codeDirectoryHash }
}

/// The proof that an assertion passed every step. Only verification creates such a value.
public struct VerifiedAssertion: Sendable {
    /// The key with its counter advanced. Store it in place of the old key.
    public let key: AttestedKey
    /// The app that signed the assertion: one of the verifier's accepted apps.
    public let appID: AppID
    /// The counter of this assertion. Under ``CounterPolicy/slidingWindow``, it may be less than the counter of
    /// ``key``.
    public let counter: UInt32
    /// The system's information about the running app, which has passed the launch policy.
    public let launchInformation: LaunchInformation
    /// Launch information that the app may have written: see ``VerifiedAttestation/unverifiedLaunchInformation``.
    public let unverifiedLaunchInformation: LaunchInformation?
    /// A build that the app may have named: see ``VerifiedAttestation/unverifiedCodeDirectoryHash``.
    public let unverifiedCodeDirectoryHash: CodeDirectoryHash?
    /// The signed bytes. Read the request from these bytes, not from another copy.
    public let clientData: ArraySlice<UInt8>

    /// How the app was allowed to run. `nil` before iOS 27, or if the object does not prove that the system wrote it.
    public var validationCategory: ValidationCategory? { launchInformation.validationCategory }
    /// The app's bundle version. `nil` before iOS 27, or if the object does not prove that the system wrote it.
    public var bundleVersion: BundleVersion? { launchInformation.bundleVersion }
    /// The build that ran. `nil` in the same cases as ``bundleVersion``, or if the app does not request this value.
    public var codeDirectoryHash: CodeDirectoryHash? { launchInformation.codeDirectoryHash }
}

#if !hasFeature(Embedded)
    extension VerifiedAttestation {
        /// The system's version, such as "17.5.1", from the leaf certificate.
        public var osVersion: String? { osVersionUTF8.map { String(decoding: $0, as: UTF8.self) } }
    }
#endif
