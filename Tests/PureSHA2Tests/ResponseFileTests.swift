import Foundation
import Testing
import VectorSupport

/// Tests the parser of NIST's files, on which the case counts of all NIST suites depend.
@Suite("Response files")
struct ResponseFileTests {
    private func file(_ text: String) throws -> ResponseFile { try ResponseFile(contents: Data(text.utf8)) }

    @Test(arguments: ["\n", "\r\n"])
    func sectionsAndRecords(lineEnd: String) throws {
        let lines = [
            "# comment", "", "[P-256]", "[B.4.2 Key]", "N = 1", "", "d = 0a", "Q = f", "", "", "[L = 32]", "", "X=01",
            "[empty]",
        ]
        let file = try file(lines.joined(separator: lineEnd))
        #expect(file.sections.map(\.headers) == [["P-256", "B.4.2 Key"], ["L = 32"], ["empty"]])
        #expect(file.sections.map(\.records.count) == [2, 1, 0])
        #expect(file.sections[1].parameter("L") == "32")
        #expect(file.sections[1].parameter("N") == nil)
        #expect(file.records.count == 3)
        #expect(try file.records[0].decimal("N") == 1)
        #expect(try file.records[1].bytes("d") == [10])
        #expect(try file.records[1].integer("Q") == [15])
        #expect(file.records[2]["X"] == "01")
    }

    @Test func recordsWithoutHeader() throws {
        let file = try file("A = 1")
        #expect(file.sections.map(\.headers) == [[]])
        #expect(file.records.count == 1)
    }

    @Test func errors() throws {
        #expect(throws: ResponseFileError.malformedLine(number: 2)) { try file("A = 1\nnonsense\n") }
        let record = try file("A = xyz").records[0]
        #expect(throws: ResponseFileError.missing(field: "B")) { try record.bytes("B") }
        #expect(throws: ResponseFileError.notANumber(field: "A")) { try record.decimal("A") }
        #expect(throws: (any Error).self) { try record.bytes("A") }
    }

    /// The expected counts are in `Vectors/nist-cavp/README.md`. A case is a record that contains a result.
    @Test(arguments: [
        ("ecdsa/CAVP_186-3_SigVer", "Result", 1125), ("ec/CAVP_186-3_PKV", "Result", 180),
        ("ec/CAVP_186-3_KeyPair", "d", 150),
    ])
    func committedFiles(path: String, field: String, caseCount: Int) throws {
        let records = try ResponseFile(committed: "nist-cavp/\(path).rsp").records
        #expect(records.filter { $0[field] != nil }.count == caseCount)
    }
}
