import PureAttestTesting
public import PureDER

/// The system of a virtual device, as the hardware attests it.
public struct AndroidSystem: Hashable, Sendable {
    /// The version, such as 160000 for Android 16.
    public var osVersion: UInt32
    /// The system's patch month, such as 202605. The patches of vendor and boot image date from day 5 of this month.
    public var patchLevel: UInt32

    /// Creates a system.
    public init(osVersion: UInt32, patchLevel: UInt32) {
        (self.osVersion, self.patchLevel) = (osVersion, patchLevel)
    }

    /// Creates Android 16 with the patches of the month of `time`, from 1970 to 9999.
    public static func android16(patchedAt time: UnixTime) -> AndroidSystem {
        let date = CivilTime(time)
        return AndroidSystem(osVersion: 160_000, patchLevel: UInt32(clamping: date.year * 100 + date.month))
    }
}
