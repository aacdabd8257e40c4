import Foundation

/// The time, and waiting for it.
public protocol AttestClock: Sendable {
    /// Now.
    var now: Date { get }
    /// Waits.
    func sleep(seconds: Double) async throws
}

/// The system's.
public struct SystemClock: AttestClock {
    /// The system's clock.
    public init() {}
    /// The system's time.
    public var now: Date { Date() }
    /// Waits, and ends early if the task is cancelled.
    public func sleep(seconds: Double) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1_000_000_000))
    }
}
