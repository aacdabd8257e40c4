/// Measures the operations of a verifier, one after the other on one core.
struct Bench: Command {
    static let name = "bench"
    static let summary = "Measure operations per second on this machine."
    static let operands: [Operand] = []
    static let options: [Option] = [
        .value(
            "--seconds", "N", .decimal(0.01...3_600), "Time for each operation, 0.01 to 3600 (default: 1)."),
        .value("--only", "NAME", .words(BenchOperation.names), "Measure only this operation of the table."),
        .value(
            "--iterations", "N", .number(1...1_000_000),
            "Run it N times, 1 to 1000000, and print nothing: for counting instructions."),
        .json,
    ]
    static let discussion = """
        Each operation's input depends on the previous result, so the compiler cannot remove or reorder iterations. A virtual
        machine's clock drifts: compare only numbers of the same run.
        """

    private let seconds: Double
    private let json: Bool
    private let operations: [BenchOperation]
    private let iterations: Int?

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        seconds = try arguments.decimal("--seconds") ?? 1
        let only = try arguments.word("--only")
        operations = try BenchOperation.all().filter { only == nil || $0.name == only }
        iterations = try arguments.number("--iterations")
        guard iterations == nil || operations.count == 1 else { throw UnusableInput("--iterations needs --only") }
    }

    func run() throws -> ExitStatus {
        if let iterations {
            try operations[0].loop(iterations)
            return .success
        }
        var results: [Measurement] = []
        for operation in operations {
            if standardErrorIsTerminal { printError("\r\(operation.name.padded(to: 24))") }
            results.append(try Measurement(of: operation, seconds: seconds))
        }
        if standardErrorIsTerminal { printError("\r" + String(repeating: " ", count: 24) + "\r") }
        print(json ? JSON.object([("results", .array(results.map(\.json)))]).text + "\n" : Self.table(results))
        return .success
    }

    private static func table(_ results: [Measurement]) -> String {
        func row(_ name: String, _ cells: String...) -> String {
            name.padded(to: 24) + cells.map { String(repeating: " ", count: max(1, 14 - $0.count)) + $0 }.joined()
                + "\n"
        }
        return row("", "operations/s", "ns/operation", "MB/s")
            + results.map { result in
                row(
                    result.name, "\(Int64(result.operationsPerSecond))", "\(Int64(result.nanosecondsPerOperation))",
                    result.megabytesPerSecond.map { "\(Int64($0))" } ?? "")
            }.joined()
    }
}

/// What one operation took.
private struct Measurement {
    let name: String
    let nanosecondsPerOperation: Double
    let byteCount: Int?

    /// Doubles the iterations until a run takes a tenth of the time, then measures the rest as one run.
    init(of operation: BenchOperation, seconds: Double) throws {
        name = operation.name
        byteCount = operation.byteCount
        var iterations = 1
        var elapsed = try Self.seconds { try operation.loop(iterations) }
        while elapsed < seconds / 10 {
            iterations *= 2
            elapsed = try Self.seconds { try operation.loop(iterations) }
        }
        iterations = max(1, Int(Double(iterations) * seconds * 0.8 / elapsed))
        nanosecondsPerOperation = try Self.seconds { try operation.loop(iterations) } * 1e9 / Double(iterations)
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        // At least a nanosecond, so that it can be divided by.
        max(1e-9, try ContinuousClock().measure(body) / .seconds(1))
    }

    var operationsPerSecond: Double { 1e9 / nanosecondsPerOperation }

    var megabytesPerSecond: Double? { byteCount.map { Double($0) * operationsPerSecond / 1e6 } }

    var json: JSON {
        var members: [(String, JSON)] = [
            ("name", .string(name)),
            ("operationsPerSecond", .number(operationsPerSecond)),
            ("nanosecondsPerOperation", .number(nanosecondsPerOperation)),
        ]
        if let megabytesPerSecond { members.append(("megabytesPerSecond", .number(megabytesPerSecond))) }
        return .object(members)
    }
}
