import Foundation
import PureAttestServer

// Generates the definitions that other languages share with Swift, from the Swift source code:
//
//   swift run generate-bindings            writes the files
//   swift run generate-bindings --check    fails (status 1) if a committed file differs

let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
let openAPI = "Sources/Apps/Service/openapi.json"
let files = [
    ("Sources/Bindings/JavaScript/Generated/statements.mjs", statementsModule()),
    ("Sources/Bindings/JavaScript/Generated/server-facts.mjs", serverFactsModule()),
    ("Sources/Bindings/JavaScript/Generated/server-facts.d.mts", serverFactTypesModule()),
    (openAPI, openAPIDocument(try Data(contentsOf: root.appending(path: openAPI)))),
    ("Sources/Bindings/JavaScript/Generated/reasons.mjs", reasonsModule()),
    ("Sources/Bindings/JavaScript/Generated/report-texts.mjs", reportTextsModule()),
    ("Sources/Bindings/JavaScript/Generated/result-layout.mjs", resultLayoutModule()),
]

switch CommandLine.arguments.dropFirst() {
case []:
    for (path, text) in files { try Data(text.utf8).write(to: root.appending(path: path)) }
case ["--check"]:
    let stale = files.filter { path, text in
        (try? Data(contentsOf: root.appending(path: path))) != Data(text.utf8)
    }
    for (path, _) in stale { print("\(path) differs from what Swift says: run swift run generate-bindings") }
    print("\(files.count - stale.count) of \(files.count) generated files are current")
    exit(stale.isEmpty ? 0 : 1)
default:
    print("Usage: generate-bindings [--check]")
    exit(2)
}
