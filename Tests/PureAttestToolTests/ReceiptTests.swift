import Foundation
import Testing
import VectorSupport

/// `pure-attest receipt`.
@Suite("receipt")
struct ReceiptTests {
    private let sample = VectorDirectory.committed.appending(path: "app-attest/apple-guide-2026.json").path

    @Test func verifiesTheReceiptOfAnAttestation() throws {
        let result = try Tool.run("receipt", sample)
        #expect(result.status == 0)
        #expect(result.output.contains("  Type             ATTEST\n"))
        #expect(result.output.contains("  Risk metric      none\n"))
    }

    @Test func printsJSON() throws {
        let result = try Tool.run("receipt", "--json", sample)
        #expect(result.status == 0)
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(object?["verified"] as? Bool == true)
        let receipt = try #require((object?["receipts"] as? [[String: Any]])?.first)
        #expect(receipt["appID"] as? String == "1234567890.com.example.myapp")
        #expect(receipt["riskMetric"] is NSNull)
    }

    @Test(
        arguments: [
            (["--received-at", "2026-04-21T18:30:00Z"], "made too long before"),
            (["--received-at", "2026-08-01T00:00:00Z", "--max-age", "100000000"], "expired"),
            (["--received-at", "2020-01-01T00:00:00Z"], "receipt: "),
            (["--receipt", "AAAA"], "receipt: "),
            (["--at", "2026-06-01T00:00:00Z"], "step 1: "),
            (["--environment", "development"], "step 8: "),
        ])
    func refusesWithAReason(_ options: [String], _ reason: String) throws {
        let result = try Tool.run(["receipt", sample] + options)
        #expect(result.status == 1)
        #expect(result.isOneLineOfError)
        #expect(result.error.contains(reason), "\(result.error)")
    }

    @Test(arguments: [["--max-age", "-1"], ["--received-at", "yesterday"], ["--receipt", "%"], ["--receipt"]])
    func refusesWrongUsage(_ options: [String]) throws {
        let result = try Tool.run(["receipt", sample] + options)
        #expect(result.status == 2)
        #expect(result.isOneLineOfError)
    }

    /// Inside an attestation, and alone.
    @Test func inspectShowsTheFields() throws {
        let inside = try Tool.run("inspect", sample)
        #expect(inside.status == 0)
        #expect(inside.output.contains("  ATTEST\n"))
        let corpus = try Tool.run("verify-attestation", "--json", sample)
        let object = try JSONSerialization.jsonObject(with: Data(corpus.output.utf8)) as? [String: Any]
        let receipt = try #require((object?["attestation"] as? [String: Any])?["unverifiedReceipt"] as? String)
        let alone = try Tool.run("inspect", "--bytes", receipt)
        #expect(alone.status == 0)
        #expect(alone.output.contains("1234567890.com.example.myapp"))
    }
}
