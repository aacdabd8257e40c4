import Foundation
import PureAttestServer
import Testing

/// The article shows what programs run, word for word.
@Suite struct StoreSQLTests {
    private static let article = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/PureAttestServer/PureAttestServer.docc/SQLStores.md").standardized

    @Test func articleHasTheStatements() throws {
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        var expected: [String] = []
        for dialect in StoreSQL.Dialect.allCases {
            let sql = StoreSQL(dialect)
            expected.append(sql.schema.map { $0 + ";" }.joined(separator: "\n"))
            expected += sql.statements.map { $0.sql + ";" }
        }
        let shown = text.components(separatedBy: "```sql\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
        #expect(shown == expected)
        #expect(expected.count == 22)
    }
}
