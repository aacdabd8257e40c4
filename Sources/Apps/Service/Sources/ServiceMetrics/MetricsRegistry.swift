public import Metrics
import Synchronization

/// A backend of swift-metrics that keeps numbers in memory and prints them in Prometheus's format (version 0.0.4).
///
/// If you use another metrics collector, bootstrap swift-metrics with that collector's library instead.
public final class MetricsRegistry: MetricsFactory {
    /// The maximum number of series, so that labels that clients influence cannot fill the memory. Further series are
    /// not shown. `metrics_series_dropped_total` counts each request for such a series.
    public static let maximumSeries = 1_000

    private struct State {
        var families: [[UInt8]: Family] = [:]
        var series = 0
        var dropped = 0
    }

    private struct Family {
        let kind: Number.Kind
        let label: String
        var numbers: [[UInt8]: Number] = [:]
    }

    private let state = Mutex(State())

    /// Creates an empty registry.
    public init() {}

    /// All metrics, sorted.
    public var text: String {
        let state = state.withLock { $0 }
        var text = PrometheusText()
        for (name, family) in state.families.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            text.append(
                family: name, kind: family.kind.rawValue, help: MetricsHelp.text(of: family.label),
                series: family.numbers.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { labels, number in
                    number.samples.map { (suffix: $0.suffix, labels: labels, bound: $0.bound, value: $0.value) }
                })
        }
        if state.dropped > 0 {
            text.append(
                family: Array("metrics_series_dropped_total".utf8), kind: "counter",
                help: "Requests for a series that were dropped, as the registry is full or the name has another kind.",
                series: [(suffix: "", labels: [], bound: nil, value: Double(state.dropped))])
        }
        return text.string
    }

    private func number(_ label: String, _ dimensions: [(String, String)], _ kind: Number.Kind) -> Number {
        let name = PrometheusText.familyName(label, isCounter: kind == .counter)
        let labels = PrometheusText.labels(dimensions)
        return state.withLock { state in
            if let number = state.families[name]?.numbers[labels], state.families[name]?.kind == kind { return number }
            let number = Number(kind)
            let isOther = state.families[name].map { $0.kind != kind } ?? false
            guard !isOther, state.series < Self.maximumSeries else {
                state.dropped += 1
                return number
            }
            state.families[name, default: Family(kind: kind, label: label)].numbers[labels] = number
            state.series += 1
            return number
        }
    }

    /// Makes a counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        number(label, dimensions, .counter)
    }

    /// Makes a gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        number(label, dimensions, .gauge)
    }

    /// Makes a histogram, or a gauge if `aggregate` is `false`.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        number(label, dimensions, aggregate ? .histogram : .gauge)
    }

    /// Makes a histogram of durations in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        number(label, dimensions, .histogram)
    }

    /// Does nothing: metrics stay for the life of the process.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing.
    public func destroyTimer(_ handler: any TimerHandler) {}
}

private enum MetricsHelp {
    static func text(of label: String) -> String {
        switch label {
        case "attest_decision_seconds": "Time of the relying party's decisions, by operation and outcome."
        case "http_server_request_duration_seconds": "Time from a request's head to the end of its response."
        case "http_server_active_requests": "Requests in flight."
        default: "Reported as \(label)."
        }
    }
}

private final class Number: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    enum Kind: String { case counter, gauge, histogram }

    private struct State {
        var sum = 0.0
        var count = 0
        var buckets = [Int](repeating: 0, count: Number.bounds.count)
    }

    /// The upper bounds of the buckets in seconds, from the time of one verification to the timeout of a store.
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

    /// The samples to print: one value, or the buckets, sum and count of a histogram.
    var samples: [(suffix: String, bound: String?, value: Double)] {
        let state = state.withLock { $0 }
        guard kind == .histogram else { return [("", nil, state.sum)] }
        var samples: [(suffix: String, bound: String?, value: Double)] = []
        var below = 0
        for (bound, count) in zip(Self.bounds, state.buckets) {
            below += count
            samples.append(("_bucket", "\(bound)", Double(below)))
        }
        samples.append(("_bucket", "+Inf", Double(state.count)))
        return samples + [("_sum", nil, state.sum), ("_count", nil, Double(state.count))]
    }
}
