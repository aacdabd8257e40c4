import Foundation
import Testing
import VectorSupport

/// The published suites. Case counts are asserted, so that a file cut short fails.
@Suite(
    .enabled(
        if: VectorDirectory.extra != nil,
        "PUREATTEST_EXTRA_VECTORS is not set: RFC 8949 appendix A and F and the CTAP 2.1 cases did not run"))
struct CBORSuiteTests {
    private func file(_ name: String) throws -> Data {
        try Data(contentsOf: #require(VectorDirectory.extra).appending(path: "cbor/\(name)"))
    }

    /// 82 values: 11 have an indefinite length and one (`f818`) is ill-formed.
    @Test func appendixA() throws {
        let outcome = try CBORSuites.appendixA(try file("appendix_a.json"))
        #expect(outcome.failures == [])
        #expect(outcome.cases == 82 && outcome.accepted == 70)
    }

    @Test func appendixF() throws {
        let outcome = try CBORSuites.appendixF(try file("rfc8949_appendix_f.json"))
        #expect(outcome.failures == [])
        #expect(outcome.cases == 94 && outcome.accepted == 0)
    }

    /// 15 canonical ones; of the others the strict decoder accepts the five whose keys are out of order.
    @Test func canonical() throws {
        let outcome = try CBORSuites.canonical(try file("ctap2_canonical.json"))
        #expect(outcome.failures == [])
        #expect(outcome.cases == 43 && outcome.accepted == 20)
    }
}
