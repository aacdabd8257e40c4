import PureDER

/// The rules that devices, systems and keys must meet. ``standard`` is strict enough for a bank. The documentation of
/// each property describes the risk of a weaker setting.
public struct KeyAttestationPolicy: Hashable, Sendable {
    /// The minimum security level of the attestation and of the key.
    ///
    /// With ``SecurityLevel/strongBox``, most devices are rejected. With ``SecurityLevel/software``, software keys are
    /// also accepted, although they prove nothing. However, every chain must still end at one of Google's hardware
    /// roots, which are not known to certify software keys.
    public var minimumSecurityLevel: SecurityLevel
    /// Whether the bootloader must be locked. An unlocked bootloader starts any system, which can attest any app.
    public var requiresLockedDevice: Bool
    /// The systems that owners may install, such as GrapheneOS. Each entry is the ``RootOfTrust/verifiedBootKey`` of a
    /// system. Systems of the device's manufacturer are always accepted.
    public var acceptedSelfSignedBootKeys: [[UInt8]]
    /// Whether every boot state is accepted. If `true`, nothing proves which system wrote the app's name.
    public var acceptsAnyBootState: Bool
    /// Whether imported keys are accepted. Copies of an imported key may exist outside the device's hardware.
    public var acceptsImportedKeys: Bool
    /// The minimum Android version, such as 130000, or `nil` to accept any version.
    public var minimumOSVersion: UInt64?
    /// The minimum patch month of system, vendor image and boot image, such as 202501, or `nil` for any patch level.
    public var minimumPatchLevel: UInt64?
    /// The maximum age of the system's patch level at the time of verification, in months, or `nil` for no limit.
    /// Manufacturers publish patches for 3 to 8 years.
    public var maximumPatchAge: UInt32?
    /// Whether the attestation key must be provisioned remotely.
    ///
    /// Each factory key is shared by many devices, and some factory keys have leaked. Remote provisioning is mandatory
    /// since Android 13. Most devices that were sold with Android 12 or older have only factory keys.
    public var requiresRemoteProvisioning: Bool
    /// The maximum number of certificates that the device may receive in 30 days, or `nil` for no limit. With a limit,
    /// chains that do not state this number, such as factory chains, are also rejected.
    public var maximumCertificatesIssued: UInt64?

    /// The default: hardware-generated keys, a locked bootloader, a verified system, patches of the last 12 months.
    public static var standard: KeyAttestationPolicy { KeyAttestationPolicy() }

    /// Creates a policy. The defaults are the values of ``standard``.
    public init(
        minimumSecurityLevel: SecurityLevel = .trustedEnvironment, requiresLockedDevice: Bool = true,
        acceptedSelfSignedBootKeys: [[UInt8]] = [], acceptsAnyBootState: Bool = false,
        acceptsImportedKeys: Bool = false, minimumOSVersion: UInt64? = nil, minimumPatchLevel: UInt64? = nil,
        maximumPatchAge: UInt32? = 12, requiresRemoteProvisioning: Bool = false,
        maximumCertificatesIssued: UInt64? = nil
    ) {
        self.minimumSecurityLevel = minimumSecurityLevel
        self.requiresLockedDevice = requiresLockedDevice
        self.acceptedSelfSignedBootKeys = acceptedSelfSignedBootKeys
        self.acceptsAnyBootState = acceptsAnyBootState
        self.acceptsImportedKeys = acceptsImportedKeys
        self.minimumOSVersion = minimumOSVersion
        self.minimumPatchLevel = minimumPatchLevel
        self.maximumPatchAge = maximumPatchAge
        self.requiresRemoteProvisioning = requiresRemoteProvisioning
        self.maximumCertificatesIssued = maximumCertificatesIssued
    }

    // Each function checks one rule, in the order of verification.

    /// Rule K11: checks the security level of the attestation and of the key.
    func checkSecurityLevel(_ description: KeyDescription) throws(KeyAttestationError) {
        let level = min(description.attestationSecurityLevel, description.keyMintSecurityLevel)
        guard level >= minimumSecurityLevel else { throw .securityLevelNotAllowed(level) }
    }

    /// Rule K12: checks `rootOfTrust` in the hardware-enforced list.
    func checkBoot(_ description: KeyDescription) throws(KeyAttestationError) {
        guard let root = description.hardwareEnforced.rootOfTrust else { throw .rootOfTrustMissing }
        guard !requiresLockedDevice || root.isDeviceLocked else { throw .deviceUnlocked }
        guard !acceptsAnyBootState else { return }
        switch root.verifiedBootState {
        case .verified: return
        case .selfSigned:
            guard acceptedSelfSignedBootKeys.contains(where: { $0.elementsEqual(root.verifiedBootKey) }) else {
                throw .bootKeyNotAllowed
            }
        case .unverified, .failed: throw .bootStateNotAllowed(root.verifiedBootState)
        }
    }

    /// Rule K13: checks `origin` and `purpose` in the hardware-enforced list, and `allApplications` in both lists.
    func checkKey(_ description: KeyDescription) throws(KeyAttestationError) {
        let list = description.hardwareEnforced
        let isImported = list.origin == .imported || list.origin == .securelyImported
        guard list.origin == .generated || acceptsImportedKeys && isImported else {
            throw .originNotAllowed(list.origin)
        }
        // Attestation keys are rejected, because the holder of such a key can sign forged attestations.
        guard let purposes = list.purposes, purposes.contains(KeyPurpose.sign),
            !purposes.contains(KeyPurpose.attestKey)
        else { throw .purposeNotAllowed }
        guard !list.isForAllApplications, !description.softwareEnforced.isForAllApplications else {
            throw .keyForAllApplications
        }
    }

    /// Rule K15: checks `osVersion` and the three patch levels in the hardware-enforced list.
    func checkSystem(_ description: KeyDescription, at time: UnixTime) throws(KeyAttestationError) {
        let list = description.hardwareEnforced
        if let minimumOSVersion {
            guard let version = list.osVersion, version >= minimumOSVersion else {
                throw .osVersionNotAllowed(list.osVersion)
            }
        }
        if let minimumPatchLevel {
            for level in [list.osPatchLevel, list.vendorPatchLevel, list.bootPatchLevel] {
                guard let month = level.flatMap(PatchMonth.init), let first = PatchMonth(minimumPatchLevel),
                    month.number >= first.number
                else { throw .patchLevelNotAllowed(level) }
            }
        }
        if let maximumPatchAge {
            guard let month = list.osPatchLevel.flatMap(PatchMonth.init),
                month.number + UInt64(maximumPatchAge) >= PatchMonth(at: time).number
            else { throw .patchLevelNotAllowed(list.osPatchLevel) }
        }
    }

    /// Rule K16: checks how the attestation key was provisioned, and how many certificates the device received.
    func checkProvisioning(
        _ provisioning: Provisioning, _ information: ProvisioningInformation?
    ) throws(KeyAttestationError) {
        guard !requiresRemoteProvisioning || provisioning == .remote else { throw .remoteProvisioningRequired }
        if let maximumCertificatesIssued {
            guard let count = information?.certificatesIssued, count <= maximumCertificatesIssued else {
                throw .tooManyCertificatesIssued(information?.certificatesIssued)
            }
        }
    }
}

/// A month, represented by the number of months since the year 0.
private struct PatchMonth {
    let number: UInt64

    /// Reads YYYYMM or YYYYMMDD. Returns `nil` for any other number.
    init?(_ level: UInt64) {
        let month = level > 999_999 ? level / 100 : level
        guard 190_001...999_912 ~= month, 1...12 ~= month % 100 else { return nil }
        number = month / 100 &* 12 + month % 100 - 1
    }

    /// Creates the month of a time in the Gregorian calendar. The number is 0 for times before 1970.
    init(at time: UnixTime) {
        guard time.secondsSince1970 >= 0 else {
            number = 0
            return
        }
        let date = CivilTime(time)
        number = UInt64(date.year &* 12 + date.month - 1)
    }
}
