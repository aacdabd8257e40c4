import PureDER

/// The rules for accepted devices, systems and keys. ``standard`` is strict enough for a bank. Each property documents
/// the cost of a weaker choice.
public struct KeyAttestationPolicy: Hashable, Sendable {
    /// The minimum security level of the attestation and of the key.
    ///
    /// ``SecurityLevel/strongBox`` rejects most devices. ``SecurityLevel/software`` also accepts software keys, which
    /// prove nothing. Every chain must still end at one of Google's hardware roots, which are not known to certify
    /// software keys.
    public var minimumSecurityLevel: SecurityLevel
    /// Whether the bootloader must be locked. An unlocked one starts any system, which can then attest any app.
    public var requiresLockedDevice: Bool
    /// The ``RootOfTrust/verifiedBootKey`` of each accepted owner-installed system, such as GrapheneOS. Systems of the
    /// device's maker are always accepted.
    public var acceptedSelfSignedBootKeys: [[UInt8]]
    /// Whether any boot state is accepted. Then nothing proves which system wrote the app's name.
    public var acceptsAnyBootState: Bool
    /// Whether imported keys are accepted. Copies of imported keys may exist outside the device's hardware.
    public var acceptsImportedKeys: Bool
    /// The minimum Android version, such as 130000, or `nil` to accept any.
    public var minimumOSVersion: UInt64?
    /// The minimum patch month, such as 202501, of system, vendor and boot image, or `nil` to accept any.
    public var minimumPatchLevel: UInt64?
    /// The maximum age of the system's patches at verification, in months, or `nil` for no limit. Devices receive
    /// patches for 3 to 8 years.
    public var maximumPatchAge: UInt32?
    /// Whether the attestation key must be provisioned remotely.
    ///
    /// Many devices share each factory key, and attackers know some factory keys. Remote provisioning is mandatory from
    /// Android 13. Most devices that shipped with Android 12 or older have only factory keys.
    public var requiresRemoteProvisioning: Bool
    /// The maximum number of certificates that a device received in 30 days, or `nil` for no limit. A limit also
    /// rejects chains that do not state this number, such as all factory chains.
    public var maximumCertificatesIssued: UInt64?

    /// The default policy: hardware, locked, verified, generated keys, patches of the last 12 months.
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

    // One function per rule, in the order of verification.

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
        guard acceptsImportedKeys || list.origin == .generated else { throw .originNotAllowed(list.origin) }
        // An attestation key can sign forged attestations.
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

/// A month, counted from the year 0.
private struct PatchMonth {
    let number: UInt64

    /// Reads YYYYMM or YYYYMMDD, or returns `nil`.
    init?(_ level: UInt64) {
        let month = level > 999_999 ? level / 100 : level
        guard 190_001...999_912 ~= month, 1...12 ~= month % 100 else { return nil }
        number = month / 100 &* 12 + month % 100 - 1
    }

    /// Returns the month of a time in the Gregorian calendar, or 0 before 1970.
    init(at time: UnixTime) {
        guard time.secondsSince1970 >= 0 else {
            number = 0
            return
        }
        let date = CivilTime(time)
        number = UInt64(date.year &* 12 + date.month - 1)
    }
}
