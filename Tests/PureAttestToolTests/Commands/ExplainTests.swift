import Foundation
import Testing
import VectorSupport

@Suite("explain")
struct ExplainTests {
    private let sample = VectorDirectory.committed.appending(path: "app-attest/apple-guide-2026.json").path

    @Test func nothingFailsOnAGenuineObject() throws {
        let result = try Tool.run("explain", sample)
        #expect(result.status == 0)
        #expect(result.output.contains("Diagnostic report (not a verification): attestation.\n"))
        #expect(result.output.contains("Diagnostic report (not a verification): receipt.\n"))
        #expect(!result.output.contains("FAILED"))
    }

    /// The output reports both mistakes in the arguments, because the steps after a failed step still run.
    @Test func everyStepRuns() throws {
        let result = try Tool.run("explain", sample, "--environment", "development", "--client-data-hash", "text:wrong")
        #expect(result.status == 1)
        #expect(result.error.isEmpty)
        #expect(result.output.contains("FAILED 4: "))
        #expect(result.output.contains("FAILED 8: "))
        #expect(result.output.contains("ok     5: "))
        #expect(result.output.contains("       likely: "))
    }

    @Test func printsJSON() throws {
        let result = try Tool.run("explain", "--json", sample, "--environment", "development")
        #expect(result.status == 1)
        let object = try result.json()
        let report = try #require((object["reports"] as? [[String: Any]])?.first)
        let steps = try #require(report["steps"] as? [[String: Any]])
        #expect(steps.filter { $0["status"] as? String == "failed" }.map { $0["step"] as? String } == ["8"])
    }
}
