import PureAttest
import Synchronization

/// A set of token buckets, one per name, in bounded memory of this process. Full buckets carry no information, so they
/// are deleted. When ``capacity`` names have buckets, all other names share one bucket. Only full buckets are evicted:
/// evicting another bucket would reset its name's limit, and an attacker with enough names could force this.
final class RateLimiter: Sendable {
    let limit: RateLimit?
    let capacity: Int
    private let state = Mutex(State())

    private struct Bucket {
        /// The level in sixtieths of a request. Each second adds `perMinute` sixtieths.
        var level: UInt64
        /// The value of ``LimiterClock/elapsed`` when `level` was computed.
        var time: UInt64
    }

    private struct State {
        var clock = LimiterClock()
        var buckets: [[UInt8]: Bucket] = [:]
        var overflow: Bucket?
        /// The time of the last deletion of full buckets. A deletion runs at most once a second, because it visits all
        /// buckets.
        var swept: UInt64?
    }

    private static let requestCost: UInt64 = 60

    /// Creates a limiter; `limit: nil` admits everything.
    init(_ limit: RateLimit?, capacity: Int) {
        self.limit = limit
        self.capacity = capacity
    }

    /// Consumes one request from the bucket of `name`, and returns `nil`. If the bucket is empty, the method returns
    /// the seconds to wait.
    func admit(_ name: [UInt8], at time: UnixTime) -> Int64? { request(of: name, at: time, takes: true) }

    /// Returns the same result as ``admit(_:at:)``, but leaves the bucket unchanged.
    func check(_ name: [UInt8], at time: UnixTime) -> Int64? { request(of: name, at: time, takes: false) }

    /// Puts back one request that ``admit(_:at:)`` consumed. Has no effect on the shared bucket.
    func giveBack(_ name: [UInt8], at time: UnixTime) {
        guard let limit else { return }
        state.withLock { state in
            state.clock.advance(to: time)
            let now = state.clock.elapsed
            guard let bucket = state.buckets[name] else { return }
            state.buckets[name] = Bucket(
                level: min(level(of: bucket, limit, now) + Self.requestCost, full(limit)), time: now)
        }
    }

    private func request(of name: [UInt8], at time: UnixTime, takes: Bool) -> Int64? {
        guard let limit else { return nil }
        return state.withLock { state -> Int64? in
            state.clock.advance(to: time)
            let now = state.clock.elapsed
            let known = state.buckets[name]
            // The limiter's clock never goes back, so a `now` that differs from `swept` is later.
            if known == nil, state.buckets.count >= capacity, state.swept != now {
                state.swept = now
                state.buckets = state.buckets.filter { level(of: $0.value, limit, now) < full(limit) }
            }
            let isNamed = known != nil || state.buckets.count < capacity
            var bucket = (isNamed ? known : state.overflow) ?? Bucket(level: full(limit), time: now)
            let wait = take(from: &bucket, limit, now)
            guard takes else { return wait }
            if isNamed { state.buckets[name] = bucket } else { state.overflow = bucket }
            return wait
        }
    }

    private func full(_ limit: RateLimit) -> UInt64 { UInt64(limit.burst) * Self.requestCost }

    private func level(of bucket: Bucket, _ limit: RateLimit, _ now: UInt64) -> UInt64 {
        // Levels stay below 2³² · 60, so their sum cannot overflow.
        let (added, overflow) = (now &- bucket.time).multipliedReportingOverflow(by: UInt64(limit.perMinute))
        return overflow ? full(limit) : min(bucket.level + min(added, full(limit)), full(limit))
    }

    private func take(from bucket: inout Bucket, _ limit: RateLimit, _ now: UInt64) -> Int64? {
        bucket.level = level(of: bucket, limit, now)
        bucket.time = now
        guard bucket.level >= Self.requestCost else {
            let perSecond = UInt64(limit.perMinute)
            return Int64((Self.requestCost - bucket.level + perSecond - 1) / perSecond)
        }
        bucket.level -= Self.requestCost
        return nil
    }
}
