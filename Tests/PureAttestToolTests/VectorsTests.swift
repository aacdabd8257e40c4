import Foundation
import Testing
import VectorSupport

/// `pure-attest vectors`.
@Suite("vectors")
struct VectorsTests {
    private let path = VectorDirectory.committed.appending(path: "nist-cavp/ec/CAVP_186-3_PKV.rsp")

    @Test func countsPassedFailedAndSkipped() throws {
        let result = try Tool.run("vectors", path.path)
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("\n24 passed, 0 failed, 156 skipped\n"))
        #expect(result.output.contains("  skipped 12: curve P-521\n"))
    }

    /// Every invalid point is called valid: those fail, by name, and the status says so.
    @Test func aFlippedExpectationIsAFailure() throws {
        let folder = try TemporaryFolder()
        let flipped = try String(contentsOf: path, encoding: .utf8).replacing("Result = F", with: "Result = P")
        let file = try folder.write("flipped.rsp", Data(flipped.utf8))
        let result = try Tool.run("vectors", path.path, file.path)
        #expect(result.status == 1)
        #expect(result.output.contains("  failed: [P-256] "))
        #expect(result.output.hasSuffix("\n8 passed, 16 failed, 156 skipped\n"))
    }

    /// Objects that are made to break parsers: a trap would end the process, and not with 0.
    @Test func survivesAdversarialObjects() throws {
        let file = VectorDirectory.committed.appending(path: "adversarial/certificates.json")
        let result = try Tool.run("vectors", file.path)
        #expect(result.status == 0)
        #expect(result.output.hasSuffix(": adversarial objects\n96 passed, 0 failed, 0 skipped\n"))
    }

    @Test func printsJSON() throws {
        let result = try Tool.run("vectors", "--json", path.path)
        #expect(result.status == 0)
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let files = try #require(object?["files"] as? [[String: Any]])
        #expect(files.count == 1)
        #expect(files.first?["passed"] as? Int == 24)
        #expect(files.first?["form"] as? String == "CAVP public keys")
    }
}
