/// A limit on the requests of each key, account or client address.
public struct RateLimit: Hashable, Sendable {
    /// The burst size: the maximum number of requests at once, at least 1.
    public let burst: UInt32
    /// The sustained rate: the maximum average number of requests per minute, at least 1.
    public let perMinute: UInt32

    /// Creates a limit. Values of 0 are raised to 1.
    public init(burst: UInt32, perMinute: UInt32) {
        self.burst = max(burst, 1)
        self.perMinute = max(perMinute, 1)
    }
}
