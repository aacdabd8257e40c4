#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Raises the limit of descriptors to the most that the process may have.
///
/// - Returns: how many those are.
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

/// What the process needs beside connections: the store's files or connections, event loops, standard streams.
let reservedDescriptors = 64

/// Takes SIGTERM and SIGINT even where whoever started the process had them blocked, as threads of a pool have.
func unblockShutdownSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}
