import PureAttestTesting
public import PureDER

/// What a virtual device runs, as the hardware says it.
public struct AndroidSystem: Hashable, Sendable {
    /// The version, such as 160000 of Android 16.
    public var osVersion: UInt32
    /// The month of the system's patches, such as 202605. Vendor and boot image are patched on the fifth of it.
    public var patchLevel: UInt32

    /// A system.
    public init(osVersion: UInt32, patchLevel: UInt32) {
        (self.osVersion, self.patchLevel) = (osVersion, patchLevel)
    }

    /// Android 16 with the patches of the month of this time, from 1970 to 9999.
    public static func android16(patchedAt time: UnixTime) -> AndroidSystem {
        let date = CivilTime(time)
        return AndroidSystem(osVersion: 160_000, patchLevel: UInt32(clamping: date.year * 100 + date.month))
    }
}
