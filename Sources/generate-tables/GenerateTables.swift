import Foundation
import GeneratedTables

/// `generate-tables` writes the committed tables. `generate-tables --check` compares the committed tables with newly
/// computed ones. Run the command in the package's root.
@main
struct GenerateTables {
    static let usage = """
        Usage: generate-tables [--check]

        Computes the tables of curve points from the reference model and writes them into Sources.

          --check   write nothing; exit with 1 if a file differs from what would be written
          --help    print this

        Run it in the root of the package. Exit status: 0 done, 1 a file differs, 2 usage error or unreadable file.

        """

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--help") || arguments.contains("-h") {
            print(usage, terminator: "")
            return
        }
        guard arguments.allSatisfy({ $0 == "--check" }) else { fail("unknown argument; see --help", status: 2) }
        var differs = false
        for table in GeneratedTables.Table.allCases {
            let file = GeneratedTables.file(table)
            if arguments.contains("--check") {
                guard let text = try? String(contentsOfFile: file.path, encoding: .utf8) else {
                    fail("cannot read \(file.path); is this the package's root?", status: 2)
                }
                differs = differs || text != file.text
                print("\(file.path): \(text == file.text ? "as generated" : "differs")")
            } else {
                do {
                    try file.text.write(toFile: file.path, atomically: true, encoding: .utf8)
                } catch { fail("cannot write \(file.path); is this the package's root?", status: 2) }
                print("\(file.path): written")
            }
        }
        exit(differs ? 1 : 0)
    }

    static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("generate-tables: \(message)\n".utf8))
        exit(status)
    }
}
