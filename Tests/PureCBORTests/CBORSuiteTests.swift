import Foundation
import Testing
import VectorSupport

/// Runs the published suites. The tests assert the number of cases, so a truncated file makes a test fail.
@Suite(
    .enabled(
        if: VectorDirectory.extra != nil,
        "PUREATTEST_EXTRA_VECTORS is not set: RFC 8949 appendix A and F and the CTAP 2.1 cases did not run"))
struct CBORSuiteTests {
    private func expect(_ count: Int, of name: String, _ run: (Data) throws -> SuiteOutcome) throws {
        let outcome = try run(Data(contentsOf: #require(VectorDirectory.extra).appending(path: "cbor/\(name)")))
        #expect(outcome.failures == [])
        #expect(outcome.passed == count && outcome.total == count)
    }

    @Test func appendixA() throws { try expect(82, of: "appendix_a.json", CBORSuites.appendixA) }
    @Test func appendixF() throws { try expect(94, of: "rfc8949_appendix_f.json", CBORSuites.appendixF) }
    @Test func canonical() throws { try expect(43, of: "ctap2_canonical.json", CBORSuites.canonical) }
}
