import Foundation
import Testing
import VectorSupport

@testable import PureAttest

/// `explain.mjs` has the text of every code, and no stale one.
@Suite struct ReportTextsInJavaScriptTests {
    private typealias Report = VerificationReport

    /// Returns the lines of a table in `report-texts.mjs`.
    private func lines(_ table: String) throws -> [String] {
        let script = try String(
            contentsOf: VectorDirectory.committed.deletingLastPathComponent()
                .appending(path: "Sources/Bindings/JavaScript/report-texts.mjs"), encoding: .utf8)
        let part = try #require(script.components(separatedBy: "export const \(table) = ").dropFirst().first)
        return part.components(separatedBy: "\n").dropFirst().prefix { $0 != "];" && $0 != "};" }.map { $0 }
    }

    private func entries(_ codes: [(code: String, text: String)]) -> [String] {
        ["  undefined,"]
            + codes.map { code, text in
                let mark = text.contains("\"") ? "'" : "\""
                return "  [\"\(code)\", \(mark)\(text)\(mark)],"
            }
    }

    @Test func textsInJavaScript() throws {
        #expect(try lines("AUTHORITIES") == entries(Report.Authority.allCases.map { ("\($0)", $0.name) }))
        #expect(try lines("CHECKS") == entries(Report.Check.allCases.map { ("\($0)", $0.title) }))
        #expect(try lines("CAUSES") == entries(Report.CauseCode.allCases.map { ("\($0)", $0.text) }))
        #expect(try lines("VALUES") == entries(Report.ValueCode.allCases.map { ("\($0)", $0.text) }))
    }

    @Test func stepNumbersInJavaScript() throws {
        let expected = Report.Check.allCases.map { check in
            let numbers = [Report.Subject.attestation, .assertion].map { check.number(in: $0) }
            return numbers[0] == numbers[1]
                ? "  \(check): \"\(numbers[0])\","
                : "  \(check): { attestation: \"\(numbers[0])\", assertion: \"\(numbers[1])\" },"
        }
        #expect(try lines("NUMBERS") == expected)
    }
}
