struct BenchSamples {
    let name: String
    let byteCount: Int?
    /// The CPU time of one operation in µs.
    private(set) var microseconds: [Double] = []
    /// The CPU times of the peer program, measured right after each sample. Empty if there is no peer program.
    private(set) var otherMicroseconds: [Double] = []

    init(of operation: BenchOperation) {
        name = operation.name
        byteCount = operation.byteCount
    }

    mutating func add(_ sample: Double, other: Double?) {
        microseconds.append(sample)
        if let other { otherMicroseconds.append(other) }
    }

    var median: Double { Self.median(of: microseconds) }
    var range: ClosedRange<Double> { (microseconds.min() ?? 0)...(microseconds.max() ?? 0) }
    /// The peer program's time divided by this package's time, for each round. Above 1, this package is faster.
    var ratios: [Double] { zip(otherMicroseconds, microseconds).map { $0 / $1 } }

    var megabytesPerSecond: Double? { byteCount.map { Double($0) / median } }

    static func median(of samples: [Double]) -> Double {
        let sorted = samples.sorted(), middle = sorted.count / 2
        guard !sorted.isEmpty else { return 0 }
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

/// Runs the benchmark in interleaved rounds. Each round measures every operation once, in order, so a drift of the
/// processor's clock affects all operations alike.
struct BenchRounds {
    let count: Int
    /// The measuring time for each operation, the total over all rounds.
    let seconds: Double
    let openSSL: OpenSSLSpeed?

    /// - Parameter progress: called when an operation begins, with the round and the name of the operation.
    func run(
        _ operations: [BenchOperation], progress: (_ round: Int, _ name: String) -> Void
    ) throws -> [BenchSamples] {
        var samples = operations.map { BenchSamples(of: $0) }
        let iterations = try operations.map { operation in
            progress(0, operation.name)
            return try calibrate(operation)
        }
        for round in 1...count {
            for (index, operation) in operations.enumerated() {
                progress(round, operation.name)
                let time = try cpuSeconds { try operation.loop(iterations[index]) }
                samples[index].add(
                    time * 1e6 / Double(iterations[index]), other: try openSSL?.microseconds(of: operation.name))
            }
        }
        return samples
    }

    /// The maximum number of runs in a round. Only an operation that the optimiser removed could reach this limit.
    private static var maximumIterations: Int { 1 << 30 }

    /// Returns how many runs of an operation fill its share of a round's time. Doubles the number until the runs take a
    /// tenth of the share, then extrapolates.
    private func calibrate(_ operation: BenchOperation) throws -> Int {
        let share = seconds / Double(count)
        var iterations = 1
        var elapsed = try cpuSeconds { try operation.loop(iterations) }
        while elapsed < share / 10, iterations < Self.maximumIterations {
            iterations *= 2
            elapsed = try cpuSeconds { try operation.loop(iterations) }
        }
        return max(1, Int(min(Double(iterations) * share / elapsed, Double(Self.maximumIterations))))
    }
}

/// Returns the CPU time of `body` in seconds. The result is at least a nanosecond, because callers divide by it.
private func cpuSeconds(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return max(1e-9, now() - start)
}
