/// Measures the operations of a verifier on one core.
struct Bench: Command {
    static let name = "bench"
    static let summary = "Measure the CPU time of operations on this machine."
    static let operands: [Operand] = []
    static let options: [Option] = [
        .value(
            "--seconds", "N", .decimal(0.01...3_600),
            "Time for each operation over all rounds, 0.01 to 3600\n(default: 1)."),
        .value(
            "--rounds", "N", .number(1...1_000),
            "Rounds, 1 to 1000 (default: 15; with --compare 5). Each round runs\nevery operation, in order."),
        .value("--only", "NAME", .words(BenchOperation.names), "Measure only this operation of the table."),
        .value(
            "--compare", "NAME", .words(["openssl"]),
            "Run openssl speed after each sample of P-256, P-384 and RSA, for two\nseconds, and print the ratio."),
        .value(
            "--iterations", "N", .number(1...1_000_000),
            "Run it N times, 1 to 1000000, and print nothing: for counting instructions.\nNeeds --only, and takes no other option."
        ),
        .json,
    ]
    static let discussion = """
        The table has the median and the range of the rounds, in µs of CPU time. A ratio is OpenSSL's time divided by this
        package's in the same round: above 1, this package is faster. --json has every sample.

        Each operation's input depends on the previous result, so the compiler cannot remove or reorder iterations. A virtual
        machine's clock drifts: compare only numbers of the same run.
        """

    private let rounds: BenchRounds
    private let json: Bool
    private let operations: [BenchOperation]
    private let iterations: Int?

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        let seconds = try arguments.decimal("--seconds") ?? 1
        let count = try arguments.number("--rounds", as: Int.self)
        let only = try arguments.word("--only")
        operations = try BenchOperation.all().filter { only == nil || $0.name == only }
        iterations = try arguments.number("--iterations")
        guard iterations == nil || operations.count == 1 else { throw UnusableInput("--iterations needs --only") }
        for name in ["--compare", "--rounds", "--seconds", "--json"] {
            try arguments.checkAtMostOne(of: "--iterations", name)
        }
        let openSSL = try arguments.word("--compare").map { _ in try OpenSSLSpeed() }
        if let only, openSSL != nil, OpenSSLSpeed.algorithms[only] == nil {
            throw UnusableInput(
                "--compare: OpenSSL has no counterpart of \(only); it has those of \(Value.list(OpenSSLSpeed.algorithms.keys.sorted(), "and"))"
            )
        }
        rounds = BenchRounds(count: count ?? (openSSL == nil ? 15 : 5), seconds: seconds, openSSL: openSSL)
    }

    func run() throws -> ExitStatus {
        if let iterations {
            try operations[0].loop(iterations)
            return .success
        }
        let width = 48
        let results = try rounds.run(operations) { round, name in
            guard standardErrorIsTerminal else { return }
            let place = round == 0 ? "preparing" : "round \(round) of \(rounds.count)"
            printError("\r" + "\(place): \(name)".padded(to: width))
        }
        if standardErrorIsTerminal { printError("\r" + String(repeating: " ", count: width) + "\r") }
        print(json ? report(results).text + "\n" : table(results))
        return .success
    }

    private func table(_ results: [BenchSamples]) -> String {
        func row(_ name: String, _ cells: [String]) -> String {
            name.padded(to: 28) + cells.map { String(repeating: " ", count: max(2, 16 - $0.count)) + $0 }.joined()
                + "\n"
        }
        let other = rounds.openSSL == nil ? [] : ["OpenSSL, µs", "× OpenSSL"]
        var text = row("", ["median, µs", "range, µs", "operations/s", "MB/s"] + other)
        for result in results {
            let range = result.range
            var cells = [
                Self.text(result.median), "\(Self.text(range.lowerBound))–\(Self.text(range.upperBound))",
                "\(Int64(1e6 / result.median))", result.megabytesPerSecond.map { "\(Int64($0))" } ?? "",
            ]
            if !result.ratios.isEmpty {
                cells += [
                    Self.text(BenchSamples.median(of: result.otherMicroseconds)),
                    Self.text(BenchSamples.median(of: result.ratios)),
                ]
            }
            text += row(result.name, cells)
        }
        text += "\(rounds.count) \(rounds.count == 1 ? "round" : "rounds"), CPU time"
        return text + (rounds.openSSL.map { "; compared with \($0.version)".printable } ?? "") + "\n"
    }

    private static func text(_ number: Double) -> String {
        let hundredths = Int64((number * 100).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }

    private func report(_ results: [BenchSamples]) -> JSON {
        func numbers(_ samples: [Double]) -> JSON { .array(samples.map { .number($0) }) }
        let items = results.map { result in
            var members: [(String, JSON)] = [
                ("name", .string(result.name)), ("operationsPerSecond", .number(1e6 / result.median)),
                ("nanosecondsPerOperation", .number(result.median * 1e3)),
                ("minimumNanoseconds", .number(result.range.lowerBound * 1e3)),
                ("maximumNanoseconds", .number(result.range.upperBound * 1e3)),
                ("samplesMicroseconds", numbers(result.microseconds)),
            ]
            if let rate = result.megabytesPerSecond { members.append(("megabytesPerSecond", .number(rate))) }
            if !result.ratios.isEmpty {
                members += [
                    ("opensslSamplesMicroseconds", numbers(result.otherMicroseconds)),
                    ("ratioToOpenSSL", .number(BenchSamples.median(of: result.ratios))),
                ]
            }
            return JSON.object(members)
        }
        return .object([
            ("rounds", .integer(Int64(rounds.count))),
            ("openssl", .text(rounds.openSSL?.version)), ("results", .array(items)),
        ])
    }
}
