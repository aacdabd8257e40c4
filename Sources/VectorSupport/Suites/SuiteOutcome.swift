/// The outcome of running the test cases of a file.
package struct SuiteOutcome: Hashable, Sendable {
    /// The kind of difference between the actual result and the result in the file.
    package enum Finding: String, Codable, Hashable, Sendable {
        /// Accepted, although the file expects a rejection.
        case accepted
        /// Rejected, although the file expects acceptance.
        case refused
        /// The value, or the reason for the rejection, differs from the file.
        case differs
    }

    /// A case whose result differs from the result in the file.
    package struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// The identifier of the case in the file.
        package let name: String
        /// The result.
        package let finding: Finding
        /// Further explanation.
        package let detail: String?

        /// One line.
        package var description: String { detail.map { "\(name): \($0)" } ?? name }
    }

    /// The number of cases whose result agrees with the file.
    package private(set) var passed = 0

    /// The cases whose result differs from the file.
    package private(set) var failedCases: [Failure] = []

    /// Entries of the list of deviations that explain no failed case. They do not count as cases.
    package private(set) var staleDeviations: [String] = []

    /// One line for each failed case and each stale deviation, with the identifier of the case.
    package var failures: [String] { failedCases.map(\.description) + staleDeviations }

    /// The number of cases that a listed deviation explains, by reason.
    package private(set) var deviations: [String: Int] = [:]

    /// The number of skipped cases, by reason (for example an unsupported curve or hash).
    package private(set) var skipped: [String: Int] = [:]

    /// An outcome without cases.
    package init() {}

    /// The number of cases that ran.
    package var ran: Int { passed + failedCases.count + deviationCount }

    /// The number of skipped cases.
    package var skippedCount: Int { skipped.values.reduce(0, +) }

    /// The number of cases that a listed deviation explains.
    package var deviationCount: Int { deviations.values.reduce(0, +) }

    /// The number of cases in the file.
    package var total: Int { ran + skippedCount }

    /// Counts a case whose result is a verdict.
    package mutating func record(
        _ name: @autoclosure () -> String, accepted isAccepted: Bool, expected isAcceptable: Bool,
        detail: @autoclosure () -> String? = nil
    ) {
        record(name(), isAccepted == isAcceptable ? nil : isAccepted ? .accepted : .refused, detail: detail())
    }

    /// Counts a case whose result is a value.
    package mutating func record(
        _ name: @autoclosure () -> String, passed isPassed: Bool, detail: @autoclosure () -> String? = nil
    ) {
        record(name(), isPassed ? nil : .differs, detail: detail())
    }

    /// Counts a case. If `finding` is `nil`, the case passed; otherwise it failed with this finding.
    package mutating func record(
        _ name: @autoclosure () -> String, _ finding: Finding?, detail: @autoclosure () -> String? = nil
    ) {
        if let finding {
            failedCases.append(Failure(name: name(), finding: finding, detail: detail()))
        } else {
            passed += 1
        }
    }

    /// Counts a case that a listed deviation explains.
    package mutating func deviate(_ reason: String) { deviations[reason, default: 0] += 1 }

    /// Counts cases that cannot run.
    package mutating func skip(_ reason: String, count: Int = 1) {
        guard count > 0 else { return }
        skipped[reason, default: 0] += count
    }

    /// Moves each failure to the ``deviations`` if an entry explains it. Each entry explains one case. An entry becomes
    /// one of the ``staleDeviations`` if its case passed, had a different result, did not run, or does not exist.
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
    /// One line with the counts, the reasons, and the identifiers of the failed cases.
    package var description: String {
        let reasons = skipped.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(passed) of \(total) passed, \(failedCases.count) failed, \(total - ran) not run"
            + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
            + (deviations.isEmpty ? "" : ", \(deviationCount) deviations")
            + (failures.isEmpty ? "" : "; failed: \(failures.joined(separator: "; "))")
    }
}
