/// A limit on the requests of each key, account or client address.
public struct RateLimit: Hashable, Sendable {
    /// The maximum number of requests at once after a pause, at least 1.
    public let burst: UInt32
    /// The maximum number of requests per minute in the long run, at least 1.
    public let perMinute: UInt32

    /// Creates a limit; 0 is raised to 1.
    public init(burst: UInt32, perMinute: UInt32) {
        self.burst = max(burst, 1)
        self.perMinute = max(perMinute, 1)
    }
}
