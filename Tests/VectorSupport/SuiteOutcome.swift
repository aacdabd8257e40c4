/// What running a file of cases gave.
public struct SuiteOutcome: Hashable, Sendable {
    /// How many cases gave what the file says.
    public private(set) var passed = 0

    /// The cases that did not, each with its identifier in the file.
    public private(set) var failures: [String] = []

    /// How many cases did not run, for each reason (a curve or hash that the package does not have).
    public private(set) var skipped: [String: Int] = [:]

    /// An outcome without cases.
    public init() {}

    /// How many cases ran.
    public var ran: Int { passed + failures.count }

    /// How many cases the file has.
    public var total: Int { ran + skipped.values.reduce(0, +) }

    /// Counts a case; `identifier` finds it again in the file when it failed.
    public mutating func record(_ identifier: @autoclosure () -> String, passed isPassed: Bool) {
        if isPassed { passed += 1 } else { failures.append(identifier()) }
    }

    /// Counts cases that can't run.
    public mutating func skip(_ reason: String, count: Int = 1) {
        skipped[reason, default: 0] += count
    }
}

extension SuiteOutcome: CustomStringConvertible {
    /// One line: the counts, the reasons and the failed identifiers.
    public var description: String {
        let reasons = skipped.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(passed) of \(total) passed, \(failures.count) failed, \(total - ran) not run"
            + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
            + (failures.isEmpty ? "" : "; failed: \(failures.joined(separator: "; "))")
    }
}
