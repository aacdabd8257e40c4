import Foundation
import GeneratedTables
import Testing

struct GeneratedTableTests {
    @Test(arguments: GeneratedTables.Table.allCases)
    func equalsTheGeneratedFile(_ table: GeneratedTables.Table) throws {
        let file = GeneratedTables.file(table)
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let committed = try String(contentsOf: root.appending(path: file.path), encoding: .utf8)
        #expect(committed == file.text)
    }
}
