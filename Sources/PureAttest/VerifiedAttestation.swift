/// The proof that an attestation passed every step: there is no other way to get one.
public struct VerifiedAttestation: Sendable {
    /// The attested key with its app, its environment and counter 0: store it.
    public let key: AttestedKey
    /// The app, one of the verifier's.
    public let appID: AppID
    /// The receipt. No step of the attestation's verification covers it.
    public let unverifiedReceipt: UnverifiedReceipt
    /// What the system says of the running app; it has passed the launch policy.
    public let launchInformation: LaunchInformation
    /// Launch information of which nothing shows that the system wrote it: the app can have (``AuthenticatorData``). `nil` if there
    /// is none, as on nearly every release. It counts only under ``LaunchPolicy/believingForgeableInformation()``.
    public let unverifiedLaunchInformation: LaunchInformation?
    /// The build that the object names beside everything that is signed, on iOS 18.5 to 26: the app can have written it, and no policy
    /// sees it. `nil` if there is none.
    public let unverifiedCodeDirectoryHash: CodeDirectoryHash?
    /// The UTF-8 bytes of the system's version, such as "17.5.1", from the leaf certificate; `nil` if it names none that
    /// can be read. No step depends on it.
    public let osVersionUTF8: [UInt8]?

    /// What Apple certified of the device's system, as far as the leaf certificate says it.
    public var system: SystemInformation { key.system }

    /// How the app was allowed to run; `nil` before iOS 27, or if nothing shows that the system said it.
    public var validationCategory: ValidationCategory? { launchInformation.validationCategory }
    /// The app's bundle version; `nil` before iOS 27, or if nothing shows that the system said it.
    public var bundleVersion: BundleVersion? { launchInformation.bundleVersion }
    /// The build that ran; `nil` if the app does not ask for it, or nothing shows that the system said it.
    public var codeDirectoryHash: CodeDirectoryHash? { launchInformation.codeDirectoryHash }
}

/// The proof that an assertion passed every step: there is no other way to get one.
public struct VerifiedAssertion: Sendable {
    /// The key with its counter advanced: store it in place of the old one.
    public let key: AttestedKey
    /// The app, one of the verifier's.
    public let appID: AppID
    /// The counter value of this assertion, which under ``CounterPolicy/slidingWindow`` may be less than the key's.
    public let counter: UInt32
    /// What the system says of the running app; it has passed the launch policy.
    public let launchInformation: LaunchInformation
    /// Launch information that the app can have written, as ``VerifiedAttestation/unverifiedLaunchInformation``.
    public let unverifiedLaunchInformation: LaunchInformation?
    /// A build that the app can have written, as ``VerifiedAttestation/unverifiedCodeDirectoryHash``.
    public let unverifiedCodeDirectoryHash: CodeDirectoryHash?
    /// The bytes that were signed. Read the request from these and not from another copy.
    public let clientData: ArraySlice<UInt8>

    /// How the app was allowed to run; `nil` before iOS 27, or if nothing shows that the system said it.
    public var validationCategory: ValidationCategory? { launchInformation.validationCategory }
    /// The app's bundle version; `nil` before iOS 27, or if nothing shows that the system said it.
    public var bundleVersion: BundleVersion? { launchInformation.bundleVersion }
    /// The build that ran; `nil` if the app does not ask for it, or nothing shows that the system said it.
    public var codeDirectoryHash: CodeDirectoryHash? { launchInformation.codeDirectoryHash }
}

#if !hasFeature(Embedded)
    extension VerifiedAttestation {
        /// The system's version, such as "17.5.1", from the leaf certificate.
        public var osVersion: String? { osVersionUTF8.map { String(decoding: $0, as: UTF8.self) } }
    }
#endif
