import Foundation

struct Measurement: Sendable {
    /// The implementation and the operation, such as `pure/p256-verify`.
    let name: String
    /// Runs the operation at least the given number of times; returns the number of runs. Throws for a wrong result.
    let loop: @Sendable (Int) async throws -> Int

    init(_ name: String, _ loop: @escaping @Sendable (Int) async throws -> Int) {
        self.name = name
        self.loop = loop
    }

    /// Creates a measurement of a verification. The previous verdict selects one of two inputs, so that the compiler
    /// cannot hoist the verification out of the loop.
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

struct WrongResult: Error {
    let name: String
}

struct Run: Encodable {
    let operations: Int
    /// User and system time of all threads, in seconds.
    let cpu: Double
    /// Elapsed time, in seconds.
    let wall: Double
}

extension Measurement {
    /// Repeats the operation for at least `seconds` of CPU time, and at least once.
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
            // Take smaller steps near the end, so that the run does not exceed `seconds` by much.
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
