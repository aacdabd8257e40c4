import PureAttest

/// A monotonic clock for token buckets. The clock adds up all forward steps between the times of successive calls. The
/// times can arrive out of order: a thread may wait after it reads the system clock, somebody may set that clock, or a
/// call may pass a wrong time. Even then, buckets must not refill repeatedly, or stay empty for longer than
/// ``ordinaryLag``.
struct LimiterClock {
    /// The maximum lag behind the latest time, in seconds, that the clock attributes to a waiting thread. If a time
    /// lags more, the clock continues from that earlier time. One minute is ample for a waiting thread. A client can
    /// wait that long if a bucket stays empty.
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
            // The time before `left` is already counted, so count only from `left` on. Otherwise calls that alternate
            // between two clocks would count the same time repeatedly.
            move(from: left, to: now)
            self.left = nil
        } else if now >= latest {
            move(from: latest, to: now)
        } else if Self.seconds(from: now, to: latest) > Self.ordinaryLag {
            // The clock was set back, or an earlier call passed a time in the future. Continue from `now`.
            left = latest
            self.latest = now
        }
    }

    private mutating func move(from start: Int64, to end: Int64) {
        elapsed &+= Self.seconds(from: start, to: end)
        latest = end
    }

    /// Returns `end` − `start`. `start` must not be later than `end`; the difference may exceed `Int64.max`.
    private static func seconds(from start: Int64, to end: Int64) -> UInt64 { UInt64(bitPattern: end &- start) }
}
