import PureAttest

/// A monotonic clock for token buckets. It adds up the forward steps from each call's time to the next.
///
/// Times arrive out of order because threads read the clock and then wait, because a clock was set, or because one call
/// has a wrong time. None of these may refill buckets repeatedly, or keep them empty for longer than ``ordinaryLag``.
struct LimiterClock {
    /// The maximum lag behind the latest time, in seconds, that is attributed to a waiting thread. It is ample for such
    /// a thread, and short enough for a client to wait out.
    static let ordinaryLag: Int64 = 60

    /// The seconds since the first call. The number wraps only if clocks jump by 2⁶⁴ s.
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
            // The clock has reached `left` again. The time before `left` is already counted; otherwise two alternating
            // clocks would count it again with each call.
            move(from: left, to: now)
            self.left = nil
        } else if now >= latest {
            move(from: latest, to: now)
        } else if Self.seconds(from: now, to: latest) > Self.ordinaryLag {
            // The clock was set back, or an earlier call's time was too late. Continue from this earlier time.
            left = latest
            self.latest = now
        }
    }

    private mutating func move(from start: Int64, to end: Int64) {
        elapsed &+= Self.seconds(from: start, to: end)
        latest = end
    }

    /// Returns `end` − `start`, which is not negative and may exceed `Int64`.
    private static func seconds(from start: Int64, to end: Int64) -> UInt64 { UInt64(bitPattern: end &- start) }
}
