import PureDER

/// Which devices, systems and keys are accepted. What ``standard`` asks for is right for a bank; each weaker choice says what it gives
/// away.
public struct KeyAttestationPolicy: Hashable, Sendable {
    /// The least level, of the attestation and of the key. ``SecurityLevel/strongBox`` refuses most devices; a software key, which
    /// ``SecurityLevel/software`` would accept, shows nothing, and no chain to Google's roots for hardware has one alone.
    public var minimumSecurityLevel: SecurityLevel
    /// Whether the bootloader has to be locked. An unlocked one starts any system, which then writes what it likes of the app.
    public var requiresLockedDevice: Bool
    /// The keys of systems that the owner installed, such as GrapheneOS's, which are accepted besides the maker's. Compared with
    /// ``RootOfTrust/verifiedBootKey``.
    public var acceptedSelfSignedBootKeys: [[UInt8]]
    /// Whether any boot state is accepted: then nothing shows which system wrote the name of the app.
    public var acceptsAnyBootState: Bool
    /// Whether keys are accepted that the hardware did not make: others can have them.
    public var acceptsImportedKeys: Bool
    /// The first accepted version of Android, such as 130000; `nil`: any.
    public var minimumOSVersion: UInt64?
    /// The first accepted month of patches, such as 202501, of system, vendor and boot image; `nil`: any.
    public var minimumPatchLevel: UInt64?
    /// How many months old the system's patches may be at the time of verification; `nil`: any number. Devices get them for 3 to 8 years.
    public var maximumPatchAge: UInt32?
    /// Whether the key that attests has to be provisioned remotely. Keys from the factory are shared by many devices, and some of them are
    /// known to attackers; most devices that came with Android 12 or older have no others: remote provisioning is mandatory from 13 on.
    public var requiresRemoteProvisioning: Bool
    /// How many certificates a device may have been given in 30 days; `nil`: any number. Where the device's certificate does not say it,
    /// which those of the factory never do, a limit refuses.
    public var maximumCertificatesIssued: UInt64?

    /// Hardware, locked, verified, a key that was made there, patches of the last 12 months.
    public static var standard: KeyAttestationPolicy { KeyAttestationPolicy() }

    /// A policy; what is not given is as in ``standard``.
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

    // One function a rule, in the order in which they are asked.

    /// Rule K11, both levels: one says who speaks, the other where the key is.
    func checkSecurityLevel(_ description: KeyDescription) throws(KeyAttestationError) {
        let level = min(description.attestationSecurityLevel, description.keyMintSecurityLevel)
        guard level >= minimumSecurityLevel else { throw .securityLevelNotAllowed(level) }
    }

    /// Rule K12: `rootOfTrust` of the list that the hardware wrote.
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

    /// Rule K13: `origin` and `purpose` of the list that the hardware wrote; and `allApplications` of either.
    func checkKey(_ description: KeyDescription) throws(KeyAttestationError) {
        let list = description.hardwareEnforced
        guard acceptsImportedKeys || list.origin == .generated else { throw .originNotAllowed(list.origin) }
        // A key that signs attestations signs what looks like the word of the hardware.
        guard let purposes = list.purposes, purposes.contains(KeyPurpose.sign),
            !purposes.contains(KeyPurpose.attestKey)
        else { throw .purposeNotAllowed }
        guard !list.isForAllApplications, !description.softwareEnforced.isForAllApplications else {
            throw .keyForAllApplications
        }
    }

    /// Rule K15: `osVersion` and the three patch levels of the list that the hardware wrote.
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

    /// Rule K16: how the key that attests came to the device, and how many others did.
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

    /// From YYYYMM or YYYYMMDD; `nil` from anything else.
    init?(_ level: UInt64) {
        let month = level > 999_999 ? level / 100 : level
        guard 190_001...999_912 ~= month, 1...12 ~= month % 100 else { return nil }
        number = month / 100 &* 12 + month % 100 - 1
    }

    /// The month of a time, in the Gregorian calendar; 0 before 1970.
    init(at time: UnixTime) {
        guard time.secondsSince1970 >= 0 else {
            number = 0
            return
        }
        let date = CivilTime(time)
        number = UInt64(date.year &* 12 + date.month - 1)
    }
}
