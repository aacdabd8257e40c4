import DebugSampling
import Foundation
import PureX509
import Testing
import VectorSupport

/// Runs `Vectors/paths` and asserts the number of cases.
@Suite struct PathCorpusTests {
    private func expect(_ file: String, _ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let sample = try debugSample(
            ofFile: VectorDirectory.committedFile("paths/\(file).json"), list: "testcases", every: 13,
            of: "paths of \(file)")
        let outcome = try X509ChainSuites.run(sample.json)
        #expect(outcome.failures == [], sourceLocation: sourceLocation)
        #expect(outcome.total == sample.count && outcome.passed == sample.count, sourceLocation: sourceLocation)
        #expect(sample.total == count, sourceLocation: sourceLocation)
    }

    /// §4.2.1.10, §6.1.2 (b), (c), §6.1.3 (b), (c), §6.1.4 (g), §7.1, §7.2, §7.5, RFC 5937 §3.2, RFC 9598 §6. PKITS
    /// 4.13.
    @Test func nameConstraints() throws { try expect("name-constraints", 323) }

    /// §4.2.1.4, §4.2.1.5, §4.2.1.11, §4.2.1.14, §6.1.1 (c), (e), (f), (g), §6.1.2 (a), (d), (e), (f), §6.1.3 (d), (e),
    /// (f), §6.1.4 (a), (b), (h), (i), (j), §6.1.5 (a), (b), (g), §6.1.6, RFC 5937 §3.2. PKITS 4.8 to 4.12.
    @Test func policies() throws { try expect("policies", 131) }

    /// §4.2.1.13, §5.1.1.2, §5.1.2.1, §5.1.2.3, §5.1.2.5, §5.1.2.6, §5.2, §5.2.3, §5.2.4, §5.2.5, §5.3, §5.3.1, §6.1.3
    /// (a)(3), §6.3.1, §6.3.2, §6.3.3 (b)(1), (b)(2), (d), (f), (g), (j), (l). PKITS 4.4, 4.5 and 4.14.
    @Test func revocation() throws { try expect("revocation", 97) }

    /// RFC 9525 §6, §6.3, §6.4, RFC 5280 §7.1, §4.2.1.12, §4.2.1.3. PKITS 4.3.
    @Test func identities() throws { try expect("identities", 77) }

    /// §6.1, §6.1.2 (k), §6.1.4 (l), (m), §4.2.1.9: tests several possible paths (as in BetterTLS), loops, and path
    /// lengths. PKITS 4.6.
    @Test func building() throws { try expect("building", 45) }
}
