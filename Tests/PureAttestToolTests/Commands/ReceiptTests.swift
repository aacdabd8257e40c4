import Foundation
import Testing
import VectorSupport

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
        let object = try result.json()
        #expect(object["verified"] as? Bool == true)
        let receipt = try #require((object["receipts"] as? [[String: Any]])?.first)
        #expect(receipt["appID"] as? String == "1234567890.com.example.myapp")
        #expect(receipt["riskMetric"] is NSNull)
    }

    @Test(
        arguments: [
            (["--received-at", "2026-04-21T18:30:00Z"], "it is too old: made on 2026-04-21"),
            (["--received-at", "2026-08-01T00:00:00Z", "--max-age", "100000000"], "expired"),
            (["--received-at", "2020-01-01T00:00:00Z"], "receipt: "),
            (["--receipt", "AAAA"], "receipt: "),
            (["--at", "2026-06-01T00:00:00Z"], "step 1: "),
            (["--environment", "development"], "step 8: "),
        ])
    func rejectsWithAReason(_ options: [String], _ reason: String) throws {
        let result = try Tool.run(["receipt", sample] + options)
        #expect(result.status == 1)
        #expect(result.isOneLineOfError)
        #expect(result.error.contains(reason), "\(result.error)")
    }

    /// Returns the path of a sample file with these receipts. If `isDamaged`, flips a bit in the receipt inside the
    /// attestation.
    private func file(receipts: [Any]?, isDamaged: Bool = false, in folder: TemporaryFolder) throws -> String {
        let contents = try Data(contentsOf: URL(filePath: sample))
        var object = try #require(try JSONSerialization.jsonObject(with: contents) as? [String: Any])
        object["receipts"] = receipts
        if isDamaged {
            let text = try #require(object["attestation"] as? String)
            var attestation = try #require(Data(base64Encoded: text))
            let label = try #require(attestation.firstRange(of: Data("receipt".utf8)))
            attestation[label.upperBound + 600] ^= 1
            object["attestation"] = attestation.base64EncodedString()
        }
        return try folder.write("file.json", JSONSerialization.data(withJSONObject: object)).path
    }

    /// A file without receipts is an error, because "All 0 receipts are genuine" would look like a verdict.
    @Test func anEmptyListIsRejected() throws {
        let folder = try TemporaryFolder()
        for arguments in [[], ["--json"]] {
            let result = try Tool.run(["receipt", file(receipts: [], in: folder)] + arguments)
            #expect(result.status == 2)
            #expect(result.isOneLineOfError)
        }
    }

    /// Returns the receipt inside the attestation, in Base64.
    private func ownReceipt() throws -> String {
        let object = try Tool.run("verify-attestation", "--json", sample).json()
        return try #require((object["attestation"] as? [String: Any])?["unverifiedReceipt"] as? String)
    }

    @Test func theOwnReceiptIsAlwaysVerified() throws {
        let folder = try TemporaryFolder()
        let receipt = try ownReceipt()
        let lists: [[Any]?] = [nil, [], [["receipt": receipt]], [["receipt": NSNull()]]]
        for receipts in lists {
            let damaged = try file(receipts: receipts, isDamaged: true, in: folder)
            for command in ["receipt", "explain"] {
                #expect(try Tool.run(command, damaged).status == 1, "\(command), \(String(describing: receipts))")
            }
            #expect(try Tool.run("receipt", damaged, "--receipt", receipt).status == 1)
            #expect(try Tool.run("verify-attestation", damaged).status == 0)
        }
        // Both receipts are verified. A receipt given by --receipt may have any age.
        let both = try file(receipts: [["receipt": receipt]], in: folder)
        #expect(try Tool.run("receipt", both).output.hasPrefix("All 2 receipts are genuine"))
        let given = try Tool.run("receipt", sample, "--receipt", receipt, "--received-at", "2026-05-01T00:00:00Z")
        #expect(given.status == 0)
        #expect(given.output.hasPrefix("All 2 receipts are genuine"))
    }

    /// Of two JSON members with the same name, most parsers keep only the last.
    @Test func timesOfSeveralReceiptsAreNumbered() throws {
        func inputs(_ result: Tool.Result) throws -> [String: Any] {
            try #require(result.json()["inputs"] as? [String: Any])
        }
        let one = try inputs(Tool.run("receipt", sample, "--json"))
        #expect(one["receivedAt"] is String && one["receivedAt1"] == nil)
        let words = ["receipt", sample, "--receipt", try ownReceipt(), "--received-at", "2026-05-01T00:00:00Z"]
        let two = try inputs(Tool.run(words + ["--json"]))
        #expect(two["receivedAt1"] as? String == one["receivedAt"] as? String)
        #expect(two["receivedAt2"] as? String == "2026-05-01T00:00:00Z" && two["receivedAt"] == nil)
        let text = try Tool.run(words).output
        #expect(text.contains("  Received 1 ") && text.contains("  Received 2 "))
    }

    @Test func explainAndInspectShowTheFilesReceipts() throws {
        let folder = try TemporaryFolder()
        let listed = try file(receipts: [["receipt": "MAA="]], in: folder)
        #expect(try Tool.run("explain", listed).status == 1)
        #expect(try Tool.run("inspect", listed).output.contains("Receipt (CMS) 1 of 1\n"))
    }

    @Test(arguments: [["--max-age", "-1"], ["--received-at", "yesterday"], ["--receipt", "%"], ["--receipt"]])
    func rejectsWrongUsage(_ options: [String]) throws {
        let result = try Tool.run(["receipt", sample] + options)
        #expect(result.status == 2)
        #expect(result.isOneLineOfError)
    }
    @Test func inspectShowsTheFields() throws {
        let inside = try Tool.run("inspect", sample)
        #expect(inside.status == 0)
        #expect(inside.output.contains("  ATTEST\n"))
        let alone = try Tool.run("inspect", "--bytes", ownReceipt())
        #expect(alone.status == 0)
        #expect(alone.output.contains("1234567890.com.example.myapp"))
    }
}
