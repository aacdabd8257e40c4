/// A time in seconds. As in POSIX, leap seconds are not counted, so each day has 86,400 seconds.
@frozen
public struct UnixTime: Hashable, Comparable, Sendable {
    /// The number of seconds since 1970-01-01T00:00:00Z, negative for earlier times.
    public var secondsSince1970: Int64

    /// Creates the time `secondsSince1970` seconds after 1970-01-01T00:00:00Z.
    @inlinable
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Whether `earlier` precedes `later`.
    @inlinable
    public static func < (earlier: UnixTime, later: UnixTime) -> Bool {
        earlier.secondsSince1970 < later.secondsSince1970
    }

    /// Returns the time `seconds` later, clamped to the representable range.
    @inlinable
    package func adding(_ seconds: Int64) -> UnixTime {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return UnixTime(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}

extension UnixTime {
    /// Creates a time from a UTC date in the proleptic Gregorian calendar. Returns `nil` if the year is not 0 to 9999,
    /// or if the day or time does not exist. Leap seconds (second 60) are rejected.
    public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard 0...9999 ~= year, 1...12 ~= month, 1...Self.daysIn(month, of: year) ~= day,
            0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second
        else { return nil }
        // Computes days since 1970-01-01 (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
        // The algorithm starts each year in March, so that a leap day is the last day of its year. Adding 400 keeps the
        // year non-negative, so divisions round down.
        let marchYear = year + 400 - (month <= 2 ? 1 : 0)
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
        // Subtracts the 146,097 days of the 400 added years, and 719,468, because 0000-03-01 is day −719,468.
        let daysSince1970 = Int64(days) - 719_468 - 146_097
        // Four-digit years cannot overflow. A checked 64-bit product calls `__multi3`, which bare wasm32 modules lack.
        secondsSince1970 = daysSince1970 &* 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    private static func daysIn(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
