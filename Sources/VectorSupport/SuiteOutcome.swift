/// What running a file of cases gave.
public struct SuiteOutcome: Hashable, Sendable {
    /// What came of a case that its file says something else of.
    public enum Finding: String, Codable, Hashable, Sendable {
        /// Accepted, and the file says refused.
        case accepted
        /// Refused, and the file says accepted.
        case refused
        /// Another value than the file's, or another reason for a refusal.
        case differs
    }

    /// A case that did not give what the file says.
    public struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// Finds the case again in the file.
        public let name: String
        /// What came of it.
        public let finding: Finding
        /// More for people.
        public let detail: String?

        /// One line.
        public var description: String { detail.map { "\(name): \($0)" } ?? name }
    }

    /// How many cases gave what the file says.
    public private(set) var passed = 0

    /// The cases that did not.
    public private(set) var failedCases: [Failure] = []

    /// Entries of a list of deviations that explain no case. They are no cases themselves.
    public private(set) var staleDeviations: [String] = []

    /// Both as lines of text, each with its case's identifier in the file.
    public var failures: [String] { failedCases.map(\.description) + staleDeviations }

    /// How many cases go another way than the file says, as a list of deviations has it, for each reason.
    public private(set) var deviations: [String: Int] = [:]

    /// How many cases did not run, for each reason (a curve or hash that the package does not have).
    public private(set) var skipped: [String: Int] = [:]

    /// An outcome without cases.
    public init() {}

    /// How many cases ran.
    public var ran: Int { passed + failedCases.count + deviationCount }

    /// How many cases did not run.
    public var skippedCount: Int { skipped.values.reduce(0, +) }

    /// How many cases go another way, as a list has it.
    public var deviationCount: Int { deviations.values.reduce(0, +) }

    /// How many cases the file has.
    public var total: Int { ran + skippedCount }

    /// Counts a case with a verdict.
    public mutating func record(
        _ name: @autoclosure () -> String, accepted isAccepted: Bool, expected isAcceptable: Bool,
        detail: @autoclosure () -> String? = nil
    ) {
        record(name(), isAccepted == isAcceptable ? nil : isAccepted ? .accepted : .refused, detail: detail())
    }

    /// Counts a case with a value.
    public mutating func record(
        _ name: @autoclosure () -> String, passed isPassed: Bool, detail: @autoclosure () -> String? = nil
    ) {
        record(name(), isPassed ? nil : .differs, detail: detail())
    }

    /// Counts a case that passed, or what came of it instead.
    public mutating func record(
        _ name: @autoclosure () -> String, _ finding: Finding?, detail: @autoclosure () -> String? = nil
    ) {
        if let finding {
            failedCases.append(Failure(name: name(), finding: finding, detail: detail()))
        } else {
            passed += 1
        }
    }

    /// Counts a case that goes another way than the file says, for a reason that is written down.
    public mutating func deviate(_ reason: String) { deviations[reason, default: 0] += 1 }

    /// Counts cases that can't run.
    public mutating func skip(_ reason: String, count: Int = 1) {
        guard count > 0 else { return }
        skipped[reason, default: 0] += count
    }

    /// Takes the failures that a list explains for deviations. Entries that explain none are ``staleDeviations``: their case
    /// passes, goes otherwise, did not run, or is not there. One entry explains one case.
    mutating func excuse(_ entries: [SuiteDeviations.Entry]) {
        var unused = Dictionary(grouping: entries, by: \.case)
        var unexplained: [Failure] = []
        for failure in failedCases {
            if let index = unused[failure.name]?.firstIndex(where: { $0.outcome == failure.finding }),
                let entry = unused[failure.name]?.remove(at: index)
            {
                deviate(entry.reason)
            } else {
                unexplained.append(failure)
            }
        }
        failedCases = unexplained
        staleDeviations = entries.filter { unused[$0.case]?.contains($0) ?? false }.map { entry in
            "\(entry.case): stale deviation, it is not \(entry.outcome.rawValue)"
        }
    }
}

extension SuiteOutcome: CustomStringConvertible {
    /// One line: the counts, the reasons and the failed identifiers.
    public var description: String {
        let reasons = skipped.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(passed) of \(total) passed, \(failedCases.count) failed, \(total - ran) not run"
            + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
            + (deviations.isEmpty ? "" : ", \(deviationCount) deviations")
            + (failures.isEmpty ? "" : "; failed: \(failures.joined(separator: "; "))")
    }
}
