import Foundation
import Metrics
import ServiceClient
import ServiceMetrics
import Testing

/// Tests `/metrics` with a strict parser of Prometheus's format, version 0.0.4.
@Suite struct MetricsTests {
    struct Scrape {
        var kinds: [String: String] = [:]
        var values: [String: Double] = [:]
        var labels: [[String: [UInt8]]] = []
    }

    struct Malformed: Error { let line: String }

    private func scrape(_ text: String) throws -> Scrape {
        #expect(text.isEmpty || text.utf8.last == UInt8(ascii: "\n"))
        var scrape = Scrape()
        var family = ""
        for line in Array(text.utf8).split(separator: UInt8(ascii: "\n")).map({ Array($0) }) {
            let malformed = Malformed(line: String(decoding: line, as: UTF8.self))
            if line.first == UInt8(ascii: "#") {
                let parts = malformed.line.split(separator: " ", maxSplits: 3).map(String.init)
                guard parts.count == 4, isName(parts[2]) else { throw malformed }
                switch parts[1] {
                case "HELP" where scrape.kinds[parts[2]] == nil: family = parts[2]
                case "TYPE"
                where parts[2] == family && scrape.kinds[family] == nil
                    && ["counter", "gauge", "histogram"].contains(parts[3]):
                    scrape.kinds[family] = parts[3]
                default: throw malformed
                }
                continue
            }
            let (name, labels, value) = try sample(line, malformed)
            let suffixes = scrape.kinds[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
            guard suffixes.contains(where: { name == family + $0 }), name.hasSuffix("_bucket") == (labels["le"] != nil),
                scrape.values.updateValue(value, forKey: "\(name)\(labels.sorted { $0.key < $1.key })") == nil
            else { throw malformed }
            scrape.labels.append(labels)
        }
        return scrape
    }

    private func isName(_ text: String) -> Bool { text.wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil }

    private func sample(_ line: [UInt8], _ malformed: Malformed) throws -> (String, [String: [UInt8]], Double) {
        var rest = line[...]
        func name() -> String {
            let end = rest.firstIndex { !(0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F) }
            defer { rest = rest[(end ?? rest.endIndex)...] }
            return String(decoding: rest[..<(end ?? rest.endIndex)], as: UTF8.self)
        }
        func take(_ character: Unicode.Scalar) throws {
            guard rest.first == UInt8(ascii: character) else { throw malformed }
            rest.removeFirst()
        }
        let metric = name()
        var labels: [String: [UInt8]] = [:]
        if rest.first == UInt8(ascii: "{") {
            repeat {
                rest.removeFirst()
                let label = name()
                guard isName(label), !label.hasPrefix("__"), labels[label] == nil else { throw malformed }
                try take("=")
                try take("\"")
                var value: [UInt8] = []
                while let byte = rest.first, byte != UInt8(ascii: "\"") {
                    rest.removeFirst()
                    guard byte == UInt8(ascii: "\\") else {
                        value.append(byte)
                        continue
                    }
                    switch rest.popFirst() {
                    case UInt8(ascii: "n"): value.append(UInt8(ascii: "\n"))
                    case UInt8(ascii: "\\"): value.append(UInt8(ascii: "\\"))
                    case UInt8(ascii: "\""): value.append(UInt8(ascii: "\""))
                    default: throw malformed
                    }
                }
                try take("\"")
                labels[label] = value
            } while rest.first == UInt8(ascii: ",")
            try take("}")
        }
        try take(" ")
        guard isName(metric), let value = Double(String(decoding: rest, as: UTF8.self)) else { throw malformed }
        return (metric, labels, value)
    }

    /// A combining mark hides a quotation mark from a search by `Character`.
    @Test func labelValuesAreEscapedByBytes() throws {
        let registry = MetricsRegistry()
        let values = [
            "d\"\\\ne", "\u{600}\"", "\"\u{301}", "\u{301}\"\u{301}\",x=\"", "\\\u{301}", "\n\u{301}", "\r\n",
            "\u{600}\n",
            "\u{200D}\"\u{200D}", "", "\u{85}\u{2028}", "e\u{301}", "é",
        ]
        for value in values { registry.makeCounter(label: "a.b", dimensions: [("c", value)]).increment(by: 2) }
        let scrape = try scrape(registry.text)
        #expect(Set(scrape.labels.compactMap { $0["c"] }) == Set(values.map { Array($0.utf8) }))
        #expect(scrape.labels.count == values.count && Array(scrape.values.values) == values.map { _ in 2 })
        #expect(scrape.kinds == ["a_b_total": "counter"])
    }

    @Test func namesAreSanitized() throws {
        let registry = MetricsRegistry()
        registry.makeCounter(label: "9\u{301}x", dimensions: [("a.b", "1"), ("a_b", "2"), ("le", "3"), ("1", "4")])
            .increment(by: 1)
        registry.makeCounter(label: "x_total", dimensions: []).increment(by: 1)
        registry.makeTimer(label: "t", dimensions: [("le", "z")]).recordNanoseconds(1)
        registry.makeMeter(label: "g\nh", dimensions: []).set(Double.infinity)
        registry.makeMeter(label: "n", dimensions: []).set(Double.nan)
        let scrape = try scrape(registry.text)
        #expect(
            scrape.kinds == [
                "_9__x_total": "counter", "x_total": "counter", "t": "histogram", "g_h": "gauge", "n": "gauge",
            ])
    }

    /// All metrics with one name must have the same kind (counter, gauge or histogram). The registry drops and counts a
    /// metric whose name already has another kind, and the text stays valid.
    @Test func aNameHasOneKind() throws {
        let registry = MetricsRegistry()
        registry.makeMeter(label: "x", dimensions: []).set(Double(1))
        registry.makeTimer(label: "x", dimensions: []).recordNanoseconds(1)
        let scrape = try scrape(registry.text)
        #expect(scrape.kinds == ["x": "gauge", "metrics_series_dropped_total": "counter"])
    }

    @Test func theNumberOfSeriesIsBounded() throws {
        let registry = MetricsRegistry()
        for index in 0..<(MetricsRegistry.maximumSeries + 500) {
            registry.makeCounter(label: "a", dimensions: [("i", "\(index)")]).increment(by: 1)
        }
        let scrape = try scrape(registry.text)
        #expect(scrape.labels.count == MetricsRegistry.maximumSeries + 1)
        #expect(scrape.values["metrics_series_dropped_total[]"] == 500)
    }

    @Test func theServicesTextIsPrometheus() throws {
        let folder = try TemporaryFolder()
        let token = "0123456789abcdef"
        let service = try RunningService(database: folder.database, ["ATTEST_METRICS_TOKEN": token])
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 90))
        try device.attest(over: connection)
        #expect(try connection.send("GET", "/health").status == 200)
        func series() throws -> Scrape { try scrape(connection.send("GET", "/metrics", token: token).text) }
        _ = try series()
        // Methods that the HTTP decoder supports but the metrics do not name.
        let methods = ["PROPFIND", "MKCOL", "LOCK", "UNLOCK", "SEARCH", "REPORT", "PURGE", "MERGE", "CHECKOUT", "LINK"]
        func probe(_ method: String) throws {
            for path in ["/health", "/x\(method)", "/x\"\\\(method)"] {
                #expect(try connection.send(method, path).status == 404)
            }
        }
        try probe(methods[0])
        let before = try series()
        for method in methods.dropFirst() { try probe(method) }
        let after = try series()
        #expect(after.labels.count == before.labels.count)
        #expect(
            after.kinds == [
                "attest_decision_seconds": "histogram", "http_server_request_duration_seconds": "histogram",
                "http_server_active_requests": "gauge",
            ])
        #expect(!after.labels.contains { $0["error_type"] != nil })
        let counts = after.values.filter { $0.key.hasPrefix("http_server_request_duration_seconds_count") }
        #expect(counts.values.reduce(0, +) == 5 + 30)
        #expect(after.values["http_server_active_requests[]"] == 1)
        let text = try connection.send("GET", "/metrics", token: token)
        #expect(text.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    }
}
