import Foundation
import Testing
import VectorSupport

/// Runs the published suites. The tests assert the number of cases, so a truncated file makes a test fail.
@Suite(
    .enabled(
        if: VectorDirectory.extra != nil,
        "PUREATTEST_EXTRA_VECTORS is not set: RFC 8949 appendix A and F and the CTAP 2.1 cases did not run"))
struct CBORSuiteTests {
    private func file(_ name: String) throws -> Data {
        try Data(contentsOf: #require(VectorDirectory.extra).appending(path: "cbor/\(name)"))
    }

    @Test func appendixA() throws {
        let outcome = try CBORSuites.appendixA(try file("appendix_a.json"))
        #expect(outcome.failures == [])
        #expect(outcome.passed == 82 && outcome.total == 82)
    }

    @Test func appendixF() throws {
        let outcome = try CBORSuites.appendixF(try file("rfc8949_appendix_f.json"))
        #expect(outcome.failures == [])
        #expect(outcome.passed == 94 && outcome.total == 94)
    }

    @Test func canonical() throws {
        let outcome = try CBORSuites.canonical(try file("ctap2_canonical.json"))
        #expect(outcome.failures == [])
        #expect(outcome.passed == 43 && outcome.total == 43)
    }
}
