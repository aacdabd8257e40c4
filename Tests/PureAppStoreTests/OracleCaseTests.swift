import Foundation
import Testing

/// Writes the cases for `Tests/Checks/AppStoreOracle/run.sh`, which sets the path of the file.
@Suite struct OracleCaseTests {
    private static let file = ProcessInfo.processInfo.environment["PUREATTEST_APP_STORE_CASES"]

    @Test(.enabled(if: file != nil)) func casesAreWritten() throws {
        var cases = OracleCases()
        try cases.addObjects()
        try cases.addFaults()
        try cases.addOtherData()
        try cases.addChanges()
        try cases.addStricterRules()
        let encoder = JSONEncoder()
        var lines = Data()
        for item in cases.cases { lines += try encoder.encode(item) + Data("\n".utf8) }
        try lines.write(to: URL(fileURLWithPath: try #require(Self.file)))
    }
}
