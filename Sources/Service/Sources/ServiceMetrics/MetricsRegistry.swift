public import Metrics
import Synchronization

/// What swift-metrics reports to in this service: numbers in memory, as text in Prometheus's format. As small as that can be; a service
/// with a collector of its own bootstraps swift-metrics with its library instead.
public final class MetricsRegistry: MetricsFactory {
    private struct Key: Hashable, Comparable {
        let name: String
        let labels: String

        init(_ label: String, _ dimensions: [(String, String)]) {
            name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
            labels = dimensions.sorted { $0.0 < $1.0 }.map { name, value in
                let name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
                return "\(name)=\"\(value.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline })\""
            }.joined(separator: ",")
        }

        static func < (left: Key, right: Key) -> Bool { (left.name, left.labels) < (right.name, right.labels) }
    }

    private let numbers = Mutex<[Key: Number]>([:])

    /// No metrics.
    public init() {}

    /// All metrics, sorted.
    public var text: String {
        let sorted = numbers.withLock { Array($0) }.sorted { $0.key < $1.key }
        return sorted.map { $1.lines($0.name, $0.labels) }.joined()
    }

    private func number(_ label: String, _ dimensions: [(String, String)], _ kind: Number.Kind) -> Number {
        numbers.withLock { numbers in
            let key = Key(label, dimensions)
            if let number = numbers[key] { return number }
            let number = Number(kind)
            numbers[key] = number
            return number
        }
    }

    /// A number that only grows.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        number(label, dimensions, .counter)
    }

    /// A number that is set.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        number(label, dimensions, .gauge)
    }

    /// A sum and how many it is of.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        number(label, dimensions, aggregate ? .histogram : .gauge)
    }

    /// Seconds in buckets.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        number(label, dimensions, .histogram)
    }

    /// Metrics stay for the life of the process.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// The same.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// The same.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// The same.
    public func destroyTimer(_ handler: any TimerHandler) {}
}

/// A metric of any kind.
private final class Number: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    enum Kind { case counter, gauge, histogram }

    private struct State {
        var sum = 0.0
        var count = 0
        var buckets = [Int](repeating: 0, count: Number.bounds.count)
    }

    /// In seconds: from a verification to a store that is out of order.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    private let kind: Kind
    private let state = Mutex(State())

    init(_ kind: Kind) { self.kind = kind }

    func increment(by amount: Int64) { state.withLock { $0.sum += Double(amount) } }
    func reset() { state.withLock { $0 = State() } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0.sum = value } }
    func increment(by amount: Double) { state.withLock { $0.sum += amount } }
    func decrement(by amount: Double) { state.withLock { $0.sum -= amount } }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard kind == .histogram else { return set(value) }
        state.withLock { state in
            state.sum += value
            state.count += 1
            if let index = Self.bounds.firstIndex(where: { value <= $0 }) { state.buckets[index] += 1 }
        }
    }

    func lines(_ name: String, _ labels: String) -> String {
        let state = state.withLock { $0 }
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        guard kind == .histogram else {
            return "\(name)\(kind == .counter ? "_total" : "")\(braces) \(state.sum)\n"
        }
        var lines = ""
        var below = 0
        let separator = labels.isEmpty ? "" : ","
        for (bound, count) in zip(Self.bounds, state.buckets) {
            below += count
            lines += "\(name)_bucket{\(labels)\(separator)le=\"\(bound)\"} \(below)\n"
        }
        return lines + "\(name)_bucket{\(labels)\(separator)le=\"+Inf\"} \(state.count)\n"
            + "\(name)_sum\(braces) \(state.sum)\n\(name)_count\(braces) \(state.count)\n"
    }
}
