import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return 1_024 }
    #if canImport(Darwin)
        limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
    #else
        limit.rlim_cur = limit.rlim_max
    #endif
    _ = setrlimit(resource, &limit)
    guard getrlimit(resource, &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
}

/// Descriptors for the store's files or connections, the standard streams, and the event loops (five per loop).
let reservedDescriptors = 64 + 5 * NIOSingletons.groupLoopCountSuggestion

/// Unblocks SIGTERM and SIGINT, which the process may inherit blocked from a thread of its parent.
func unblockShutdownSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}
