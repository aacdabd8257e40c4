import Foundation

/// Where hostile input is tried: on a thread with as little stack as a worker of a server may have, and not for ever.
public enum SmallStack {
    /// 512 KiB: the default of secondary threads on Apple's systems (Threading Programming Guide, "Thread creation costs").
    public static let byteCount = 512 << 10

    /// How much processor time one input may take: a second, and in unoptimised code, which is about 50 times as slow, a minute.
    /// Other work on the machine does not count.
    public static var timeLimit: Double {
        #if DEBUG
            60
        #else
            1
        #endif
    }

    /// What `body` returns; `nil` if it took more than `timeLimit`, or has not returned after two minutes: its thread is
    /// then left to itself.
    public static func run<T: Sendable>(
        timeLimit: Double = timeLimit, _ body: @escaping @Sendable () -> T
    ) -> T? {
        let result = Result<T>()
        let thread = Thread {
            let start = processorSeconds
            let value = body()
            if processorSeconds - start <= timeLimit { result.value = value }
            result.isThere.signal()
        }
        thread.stackSize = byteCount
        thread.start()
        return result.isThere.wait(timeout: .now() + .seconds(120)) == .success ? result.value : nil
    }

    /// The processor time of this thread.
    private static var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The semaphore orders the write before the read.
    private final class Result<T>: @unchecked Sendable {
        let isThere = DispatchSemaphore(value: 0)
        var value: T?
    }
}
