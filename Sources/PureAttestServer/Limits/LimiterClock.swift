import PureAttest

/// A monotonic clock for token buckets. Its reading is the sum of all forward steps between the times of successive
/// calls.
///
/// The times of calls can be out of order. A thread may wait after it reads the clock, a clock may be set, or one call
/// may pass a wrong time. No such time may refill buckets repeatedly, or keep buckets empty for longer than
/// ``ordinaryLag``.
struct LimiterClock {
    /// The maximum lag behind the latest time, in seconds, that is attributed to a waiting thread. After a greater lag,
    /// the clock continues from the earlier time. The limit is ample for a waiting thread, and short enough for a
    /// client to wait out.
    static let ordinaryLag: Int64 = 60

    /// The seconds since the first call. This number wraps only if clocks jump by a total of 2⁶⁴ s.
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
            // The clock has reached `left` again. Count only the time from `left` on, because the time before `left` is
            // already counted. Otherwise calls that alternate between two clocks would count the same time repeatedly.
            move(from: left, to: now)
            self.left = nil
        } else if now >= latest {
            move(from: latest, to: now)
        } else if Self.seconds(from: now, to: latest) > Self.ordinaryLag {
            // The clock was set back, or an earlier call's time was too late. Continue from the earlier time `now`.
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
