import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs code that reads hostile input, with a time limit, on a thread with a stack as small as a server worker's.
package enum SmallStack {
    /// The stack size, 512 KiB: the default for secondary threads on Apple's systems (Threading Programming Guide,
    /// "Thread creation costs").
    package static let byteCount = 512 << 10

    /// The limit of CPU time for one input: one second, or one minute in unoptimised code, which is about 50 times
    /// slower. Other processes do not affect CPU time.
    package static var timeLimit: Double {
        #if DEBUG
            60
        #else
            1
        #endif
    }

    /// Returns the result of `body`. Returns `nil` if `body` took more than `timeLimit`, or did not return within two
    /// minutes. In the second case, the thread is abandoned.
    package static func run<T: Sendable>(
        timeLimit: Double = timeLimit, _ body: @escaping @Sendable () -> T
    ) -> T? {
        let result = Result<T>()
        startThread {
            let start = processorSeconds
            let value = body()
            if processorSeconds - start <= timeLimit { result.value = value }
            result.isThere.signal()
        }
        return result.isThere.wait(timeout: .now() + .seconds(120)) == .success ? result.value : nil
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        var attributes = pthread_attr_t()
        let argument = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
        let status = unsafe pthread_attr_init(&attributes)
        let isSmall = unsafe pthread_attr_setstacksize(&attributes, byteCount)
        let isDetached = unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let isStarted = unsafe pthread_create(&thread, &attributes, { unsafe SmallStack.runBody($0) }, argument)
        // With a different stack size, the run would prove nothing.
        precondition(status == 0 && isSmall == 0 && isDetached == 0 && isStarted == 0, "no thread with a small stack")
        unsafe pthread_attr_destroy(&attributes)
    }

    /// Some C libraries declare the argument of a thread's function, here the closure, as optional.
    private static func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument = unsafe argument else { preconditionFailure("the thread was started without a body") }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// `@unchecked` is safe, because the semaphore orders the write before the read.
    private final class Result<T>: @unchecked Sendable {
        let isThere = DispatchSemaphore(value: 0)
        var value: T?
    }
}
