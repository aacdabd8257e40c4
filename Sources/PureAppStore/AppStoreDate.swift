public import PureDER
import PureJSON

/// A time in signed data, in milliseconds.
public struct AppStoreDate: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z. Negative for earlier times.
    public let millisecondsSince1970: Int64

    /// Creates a time from milliseconds since 1970-01-01T00:00:00Z.
    public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    /// Reads a JSON number. Drops fractions of a millisecond, which Xcode writes.
    init?(_ number: JSONNumber) {
        guard let milliseconds = number.truncated else { return nil }
        self.init(millisecondsSince1970: milliseconds)
    }

    /// The time in whole seconds, rounded down.
    public var unixTime: UnixTime {
        let (seconds, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1_000)
        return UnixTime(secondsSince1970: rest < 0 ? seconds - 1 : seconds)
    }

    /// Whether `earlier` precedes `later`.
    public static func < (earlier: AppStoreDate, later: AppStoreDate) -> Bool {
        earlier.millisecondsSince1970 < later.millisecondsSince1970
    }
}
