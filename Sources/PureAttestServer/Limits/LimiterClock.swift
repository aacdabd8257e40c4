import PureAttest

/// A monotonic clock for token buckets: the sum of the forward steps of the calls' times.
///
/// Times arrive out of order because threads read the clock and then wait, because a clock was set, or because one call
/// has a wrong time. None of these may refill buckets repeatedly, or keep them empty for longer than ``ordinaryLag``.
struct LimiterClock {
    /// The greatest lag behind the latest time that is explained by the order of calls, in seconds. It is ample for a
    /// waiting thread, and short enough to wait for.
    static let ordinaryLag: Int64 = 60

    /// The seconds since the first call. They wrap only if clocks jump by 2⁶⁴ s.
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
            // The clock has reached `left` again. The time up to `left` was counted before it went back. Counting that
            // time again would let two alternating clocks count it with each call.
            move(from: left, to: now)
            self.left = nil
        } else if now >= latest {
            move(from: latest, to: now)
        } else if Self.seconds(from: now, to: latest) > Self.ordinaryLag {
            // The clock was set back, or was ahead in one call. It continues from this earlier time.
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
