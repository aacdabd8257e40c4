import PureAttestTesting
public import PureDER

/// The operating system of a virtual device, as stated in attestations.
public struct AndroidSystem: Hashable, Sendable {
    /// The version. For example, 160000 is Android 16.
    public var osVersion: UInt32
    /// The patch month, such as 202605. The patch levels of the vendor and boot images are day 5 of this month.
    public var patchLevel: UInt32

    /// Creates a system.
    public init(osVersion: UInt32, patchLevel: UInt32) {
        (self.osVersion, self.patchLevel) = (osVersion, patchLevel)
    }

    /// Creates Android 16, patched in the month that contains `time`, which must be from 1970 to 9999.
    public static func android16(patchedAt time: UnixTime) -> AndroidSystem {
        let date = CivilTime(time)
        return AndroidSystem(osVersion: 160_000, patchLevel: UInt32(clamping: date.year * 100 + date.month))
    }
}
