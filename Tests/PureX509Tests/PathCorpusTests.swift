import Foundation
import PureX509
import Testing
import VectorSupport

/// `Vectors/paths`: paths with their inputs, and the error that each must meet. All counts are asserted.
@Suite struct PathCorpusTests {
    @Test(arguments: [("name-constraints", 306), ("policies", 124), ("revocation", 78), ("identities", 77)])
    func cases(_ file: String, _ count: Int) throws {
        let outcome = try X509ChainSuites.run(VectorDirectory.committedFile("paths/\(file).json"))
        #expect(outcome.failures == [])
        #expect(outcome.total == count && outcome.passed == count)
    }
}
