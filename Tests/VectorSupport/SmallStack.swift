import Foundation

/// Where hostile input is tried: on a thread with as little stack as a worker of a server may have, and not for ever.
public enum SmallStack {
    /// 512 KiB: the default of secondary threads on Apple's systems (Threading Programming Guide, "Thread creation costs").
    public static let byteCount = 512 << 10

    /// How long one input may take: a second, and in unoptimised code, which is about 50 times as slow, a minute.
    public static var timeLimit: Int {
        #if DEBUG
            60
        #else
            1
        #endif
    }

    /// What `body` returns; `nil` if it has not returned after `timeLimit` seconds: its thread is left to itself.
    public static func run<T: Sendable>(
        timeLimit: Int = timeLimit, _ body: @escaping @Sendable () -> T
    ) -> T? {
        let result = Result<T>()
        let thread = Thread {
            result.value = body()
            result.isThere.signal()
        }
        thread.stackSize = byteCount
        thread.start()
        return result.isThere.wait(timeout: .now() + .seconds(timeLimit)) == .success ? result.value : nil
    }

    /// The semaphore orders the write before the read.
    private final class Result<T>: @unchecked Sendable {
        let isThere = DispatchSemaphore(value: 0)
        var value: T?
    }
}
