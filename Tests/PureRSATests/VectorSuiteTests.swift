import DebugSampling
import Foundation
import Testing
import VectorSupport

private let hasExtraVectors = VectorDirectory.extra != nil

struct VectorSuiteTests {
    /// RFC 8017 §8.2.2: runs 3 moduli × 3 hashes × 18 cases. Skips the other cases, which use moduli of 1,024 and 1,536
    /// bits, or SHA-1 and SHA-224.
    @Test func verifiesNISTSignatures() throws {
        let file = try ResponseFile(committed: "nist-cavp/rsa/SigVer15_186-3.rsp")
        let outcome = try CAVPSuites.runRSASignatureVerification(file)
        #expect(outcome.failures == [])
        #expect(outcome.passed == 162)
        #expect(
            outcome.skipped == ["hash SHA1": 90, "hash SHA224": 90, "[mod = 1024]": 54, "[mod = 1536]": 54])
    }

    @Test(
        .enabled(if: hasExtraVectors, "PUREATTEST_EXTRA_VECTORS is not set: this suite did not run"),
        arguments: debugSample(
            [("2048_sha256", 259), ("3072_sha384", 259), ("4096_sha256", 258)], every: 3, of: "files of Wycheproof"))
    func verifiesWycheproofSignatures(_ name: String, _ count: Int) throws {
        let folder = try #require(VectorDirectory.extra)
        let data = try Data(contentsOf: folder.appending(path: "rsa/rsa_signature_\(name)_test.json"))
        let outcome = try Wycheproof.runRSA(data)
        #expect(outcome.failures == [])
        #expect(outcome.passed == count)
        #expect(outcome.skipped == [:])
    }
}
