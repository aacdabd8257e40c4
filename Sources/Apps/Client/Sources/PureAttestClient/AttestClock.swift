import Foundation

/// A clock that returns the current time and waits.
public protocol AttestClock: Sendable {
    /// The current time.
    var now: Date { get }
    /// Waits for this number of seconds.
    func sleep(seconds: Double) async throws
}

/// The system's clock.
public struct SystemClock: AttestClock {
    /// Creates the clock.
    public init() {}
    /// The current time.
    public var now: Date { Date() }
    /// Waits for this number of seconds, or until the task is cancelled.
    public func sleep(seconds: Double) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1_000_000_000))
    }
}
