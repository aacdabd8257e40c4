import PureAttest

/// The time by which buckets fill: the seconds by which the times of the calls moved forward. It never goes back.
///
/// Times that are not in order come from threads that read the clock and wait, from a clock that was set, or from one call
/// with a wrong one. None of them may fill buckets again and again, nor keep them empty for longer than ``ordinaryLag``.
struct LimiterClock {
    /// How far times may be behind the latest and mean nothing but another order of calls, in seconds: ample for a thread that
    /// waits, and short enough to wait for.
    static let ordinaryLag: Int64 = 60

    /// Seconds since the first call. Wraps, which takes clocks that jump by 2⁶⁴ s.
    private(set) var elapsed: UInt64 = 0
    private var latest: Int64?
    /// The latest time before the clock went back by more than ``ordinaryLag``.
    private var left: Int64?

    mutating func advance(to time: UnixTime) {
        let now = time.secondsSince1970
        guard let latest else {
            self.latest = now
            return
        }
        if let left, now >= left {
            // Back where it was: what lies between was counted then, or calls with two clocks in turn would count it each time.
            move(from: left, to: now)
            self.left = nil
        } else if now >= latest {
            move(from: latest, to: now)
        } else if Self.seconds(from: now, to: latest) > Self.ordinaryLag {
            // The clock was set back, or was ahead in one call: from here on it runs again.
            left = latest
            self.latest = now
        }
    }

    private mutating func move(from start: Int64, to end: Int64) {
        elapsed &+= Self.seconds(from: start, to: end)
        latest = end
    }

    /// `end` − `start`, which is not negative and may exceed `Int64`.
    private static func seconds(from start: Int64, to end: Int64) -> UInt64 { UInt64(bitPattern: end &- start) }
}
