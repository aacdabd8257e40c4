import Foundation
import Testing

@testable import VectorSupport

/// Tests the lists of cases that deviate from their suites.
struct SuiteDeviationsTests {
    private static let file = "nist-cavp/ec/CAVP_186-3_PKV.rsp"

    /// Runs NIST's point validation cases with every expected rejection changed to an acceptance. So 16 cases deviate.
    private func run(_ entries: [(name: String, outcome: String)]) throws -> SuiteOutcome {
        let text = try String(decoding: VectorDirectory.committedFile(Self.file), as: UTF8.self)
            .replacing("Result = F", with: "Result = P")
        let list = entries.map {
            ["file": "PKV.rsp", "case": $0.name, "outcome": $0.outcome, "reason": "for \($0.outcome)"]
        }
        let json = try JSONSerialization.data(withJSONObject: ["deviations": list])
        return try VectorFile(
            running: Data(text.utf8), deviations: SuiteDeviations(json: json).entries(of: "nist/PKV.rsp")
        ).outcome
    }

    @Test func aListedDeviationIsNoFailure() throws {
        let failed = try run([]).failedCases
        #expect(failed.count == 16 && failed.allSatisfy { $0.finding == .refused })
        let outcome = try run(failed.prefix(3).map { ($0.name, "refused") })
        #expect(outcome.failedCases == Array(failed.dropFirst(3)))
        #expect(outcome.deviations == ["for refused": 3] && outcome.staleDeviations == [])
        #expect(outcome.passed == 8 && outcome.ran == 24 && outcome.skippedCount == 156 && outcome.total == 180)
    }

    /// An entry is stale if the case passes, deviates differently, does not run, or does not exist.
    @Test func anEntryThatExplainsNothingIsAFailure() throws {
        let passing = (1...12).map { "[P-256] \($0)" }.filter { name in
            (try? run([]))?.failedCases.contains { $0.name == name } == false
        }
        let failing = try #require(try run([]).failedCases.first).name
        for (name, outcome) in [
            (try #require(passing.first), "refused"), (failing, "accepted"), (failing, "differs"),
            ("[P-521] 1", "refused"), ("[P-256] 99", "refused"),
        ] {
            let result = try run([(name, outcome)])
            #expect(result.staleDeviations == ["\(name): stale deviation, it is not \(outcome)"])
            #expect(result.failures.count == 17 && result.failedCases.count == 16 && result.total == 180)
        }
    }

    @Test func aFileIsNamedByTheEndOfItsPath() throws {
        let json = #"{"deviations":[{"file":"a/x.json","case":"1","outcome":"accepted","reason":"r"}]}"#
        let list = try SuiteDeviations(json: Data(json.utf8))
        for (path, count) in [("a/x.json", 1), ("/b/a/x.json", 1), ("x.json", 0), ("ba/x.json", 0), ("a/x.json/y", 0)] {
            #expect(list.entries(of: path).count == count, "\(path)")
        }
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"{"deviations":[{"file":"x","case":"1","outcome":"accepted"}]}"#,
        #"{"deviations":[{"file":"x","case":"1","outcome":"accepted","reason":""}]}"#,
        #"{"deviations":[{"file":"","case":"1","outcome":"accepted","reason":"r"}]}"#,
        #"{"deviations":[{"file":"x","case":"1","outcome":"passed","reason":"r"}]}"#,
        #"""
        {"deviations":[{"file":"x","case":"1","outcome":"accepted","reason":"r"},
        {"file":"x","case":"1","outcome":"refused","reason":"r"}]}
        """#,
    ])
    func rejectsMalformedLists(_ json: String) {
        #expect(throws: (any Error).self) { try SuiteDeviations(json: Data(json.utf8)) }
    }
}
