import Foundation
public import PureAttestTesting

/// Latencies of the requests to one endpoint.
public struct Latencies: Sendable {
    /// In seconds, unsorted.
    public var seconds: [Double] = []
    /// Requests with a status other than 200.
    public var failures = 0

    /// Returns a percentile in milliseconds; `part` is a fraction (0.99 for the 99th percentile).
    public func milliseconds(_ part: Double) -> Double {
        let sorted = seconds.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)] * 1_000
    }
}

/// The measurements of a load run.
public struct LoadReport: Sendable {
    /// The latencies of `/session` and `/protected`.
    public var byPath: [String: Latencies] = [:]
    /// The number of sessions that each key opened and the service acknowledged.
    public var sessions: [[UInt8]: UInt32] = [:]
    /// The reason why a device could not register a key; `nil` if all devices have a key.
    public var unregistered: String?
    /// The duration of each phase, in seconds.
    public var duration: [String: Double] = [:]
    /// The number of processors that the client used in each phase, including for signing.
    public var processors: [String: Double] = [:]

    /// The report, one line for each endpoint.
    public var lines: [String] {
        ["/session", "/protected"].map { path in
            let latencies = byPath[path] ?? Latencies()
            let rate = Double(latencies.seconds.count) / (duration[path] ?? .nan)
            return String(
                format: "%@  %d requests, %d failures, %.0f/s, p50 %.2f ms, p99 %.2f ms; client %.2f of a processor",
                path,
                latencies.seconds.count, latencies.failures, rate, latencies.milliseconds(0.5),
                latencies.milliseconds(0.99), processors[path] ?? .nan)
        }
    }
}

/// Runs `body` in `count` threads, and waits for all threads.
public func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        let thread = Thread {
            body(index)
            group.leave()
        }
        thread.start()
    }
    group.wait()
}

/// Puts services under load for a bounded time. Each of `clients` threads has its own connection, device and key.
///
/// In the first phase, all clients repeatedly open sessions. Each session takes one signature and one request, because
/// each answer contains the next challenge. In the second phase, each client sends all its requests within one session.
public func runLoad(
    ports: [Int], clients: Int, secondsPerPhase: Double, makeDevice: @escaping @Sendable (Int) -> VirtualDevice
) -> LoadReport {
    let report = Locked(LoadReport())
    let ready = Locked<[Int: (ServiceDevice, HTTPConnection)]>([:])
    inThreads(clients) { index in
        do {
            let connection = try HTTPConnection(port: ports[index % ports.count])
            let device = ServiceDevice(makeDevice(index))
            try device.attest(over: connection)
            ready.change { $0[index] = (device, connection) }
        } catch let answer as UnexpectedAnswer {
            report.change { $0.unregistered = "\(answer.status) \(answer.word); the service's log says more" }
        } catch { report.change { $0.unregistered = "\(error)" } }
    }
    for path in ["/session", "/protected"] {
        let (start, used) = (Date(), processorSeconds())
        let end = start.addingTimeInterval(secondsPerPhase)
        inThreads(clients) { index in
            guard let (device, connection) = ready.value[index] else {
                report.change { $0.byPath[path, default: Latencies()].failures += 1 }
                return
            }
            var latencies = Latencies()
            var sessions: UInt32 = 0
            do {
                let token = path == "/protected" ? try device.session(over: connection) : nil
                if token != nil { sessions += 1 }
                while Date() < end {
                    let request = token == nil ? try device.signedSessionRequest(over: connection) : nil
                    let sent = Date()
                    let answer = try connection.send(token == nil ? "POST" : "GET", path, json: request, token: token)
                    latencies.seconds.append(Date().timeIntervalSince(sent))
                    device.note(answer)
                    if answer.status != 200 { latencies.failures += 1 } else if token == nil { sessions += 1 }
                }
            } catch { latencies.failures += 1 }
            report.change { [latencies, sessions] report in
                report.byPath[path, default: Latencies()].seconds += latencies.seconds
                report.byPath[path, default: Latencies()].failures += latencies.failures
                report.sessions[device.keyID ?? [], default: 0] += sessions
            }
        }
        let duration = Date().timeIntervalSince(start)
        report.change {
            $0.duration[path] = duration
            $0.processors[path] = (processorSeconds() - used) / duration
        }
    }
    return report.value
}

private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A value behind a lock.
public final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    /// Creates a locked value.
    public init(_ value: Value) { stored = value }

    /// The current value.
    public var value: Value { lock.withLock { stored } }

    /// Changes the value.
    public func change(_ body: (inout Value) -> Void) { lock.withLock { body(&stored) } }
}
