import Foundation

/// One thing to measure.
struct Measurement: Sendable {
    /// Who and what, such as `pure/p256-verify`.
    let name: String
    /// Runs the operation at least that many times and returns how often; throws if one has another result than it must.
    let loop: @Sendable (Int) async throws -> Int

    init(_ name: String, _ loop: @escaping @Sendable (Int) async throws -> Int) {
        self.name = name
        self.loop = loop
    }

    /// An operation that tells whether it verified. Two inputs in turn; which one comes next depends on the result before, so
    /// that nothing can be taken out of the loop.
    static func verdict(_ name: String, _ isValid: @escaping @Sendable (Int) throws -> Bool) -> Measurement {
        Measurement(name) { iterations in
            var index = 0
            for _ in 0..<iterations {
                guard try isValid(index) else { throw WrongResult(name: name) }
                index ^= 1
            }
            return iterations
        }
    }
}

/// A measured operation did not do what it is measured for.
struct WrongResult: Error {
    let name: String
}

/// What a run took.
struct Run: Encodable {
    let operations: Int
    /// Of all threads, user and system, in seconds.
    let cpu: Double
    /// By the clock, in seconds.
    let wall: Double
}

extension Measurement {
    /// Runs for at least `seconds` of CPU time, and at least once.
    func run(seconds: Double) async throws -> Run {
        var operations = 0
        var next = 1
        let cpuStart = cpuTime()
        let wallStart = ContinuousClock.now
        while true {
            operations += try await loop(next)
            let cpu = cpuTime() - cpuStart
            guard cpu < seconds else {
                return Run(operations: operations, cpu: cpu, wall: (ContinuousClock.now - wallStart).seconds)
            }
            // Toward the end in steps that don't go far beyond it.
            next = max(1, min(operations, Int(Double(operations) * (seconds - cpu) / max(cpu, 1e-6)) + 1))
        }
    }
}

private func cpuTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
