#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import struct PureDER.UnixTime

extension UnixTime {
    /// The current time of the system clock.
    public static var now: UnixTime {
        guard let now = UnixTime(Date()) else { preconditionFailure("a clock 292 billion years off") }
        return now
    }

    /// Creates a time from `date`, rounded down to a second. Returns `nil` if `date` is infinite, NaN or out of range.
    public init?(_ date: Date) {
        guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
        self.init(secondsSince1970: seconds)
    }
}

extension Date {
    /// Creates the date of `time`. The date is exact within 2⁵³ seconds (285 million years) before and after 1970.
    public init(_ time: UnixTime) {
        self.init(timeIntervalSince1970: TimeInterval(time.secondsSince1970))
    }
}
