import Foundation
import Testing
import VectorSupport

/// The article's code is the code that is compiled and run.
@Suite struct ArticleTests {
    @Test func exampleIsTheOneThatRuns() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ArticleExample.swift")
        let compiled = try String(contentsOf: file, encoding: .utf8)
        let example = try #require(compiled.firstRange(of: "import PureAttest\n"))
        let article = try String(
            contentsOf: VectorDirectory.committed.deletingLastPathComponent()
                .appending(path: "Sources/PureAttestTesting/PureAttestTesting.docc/TestingYourServer.md"),
            encoding: .utf8)
        let blocks = article.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks == [String(compiled[example.lowerBound...])])
    }
}
