#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import struct PureDER.UnixTime

extension UnixTime {
    /// The time of the system's clock.
    public static var now: UnixTime {
        guard let now = UnixTime(Date()) else { preconditionFailure("a clock 292 billion years off") }
        return now
    }

    /// The second in which `date` lies; `nil` if the type has none for it, as for a date that is infinite or no number.
    public init?(_ date: Date) {
        guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
        self.init(secondsSince1970: seconds)
    }
}

extension Date {
    /// The beginning of the second. Exact to the second for 285 million years before and after (2⁵³ seconds).
    public init(_ time: UnixTime) {
        self.init(timeIntervalSince1970: TimeInterval(time.secondsSince1970))
    }
}
