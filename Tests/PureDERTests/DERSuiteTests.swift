import Foundation
import Testing
import VectorSupport

/// Values from Go's and BoringSSL's tests.
@Suite(
    .enabled(
        if: VectorDirectory.extra != nil, "PUREATTEST_EXTRA_VECTORS is not set: Go's and BoringSSL's values did not run"
    ))
struct DERSuiteTests {
    @Test func values() throws {
        let file = try #require(VectorDirectory.extra).appending(path: "der/der_values.json")
        let outcome = try DERValueSuite.run(Data(contentsOf: file))
        #expect(outcome.failures == [])
        #expect(outcome.passed == 156 && outcome.skipped.isEmpty)
    }
}
